import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";

const widths = [1280, 390] as const;
const schemes = ["light", "dark"] as const;
const out = path.resolve(import.meta.dirname, "../out");

type Shot = Readonly<{ name: string; picture: string }>;

export type Album = Readonly<{ part: string; shots: Map<string, Shot[]> }>;

export const openAlbum = (part: string): Album => ({ part, shots: new Map() });

export const nameOf = (address: string) => address.replaceAll(/[^\w-]+/g, "_").replaceAll(/^_|_$/g, "") || "home";

/** Waits until nothing is loading, at most some seconds. */
const loaded = (page: Page) =>
  page
    .waitForFunction(
      () =>
        !document.querySelector("main [aria-busy='true'], [role='status'][aria-label='Loading']") &&
        [...document.images].every((image) => image.complete || image.loading === "lazy"),
      null,
      { timeout: 6_000 },
    )
    .catch(() => undefined);

/** Takes screenshots wide and narrow, light and dark. `whole`: the whole page, else the first screen. */
export async function photograph(
  page: Page,
  album: Album,
  name: string,
  { whole = true, wait = true }: Readonly<{ whole?: boolean; wait?: boolean }> = {},
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
    // The sticky header appears at the scroll position in a screenshot of the whole page. Scrolls to the end once to load lazy images and frames.
    if (whole)
      await page.evaluate(async () => {
        window.scrollTo(0, document.body.scrollHeight);
        await new Promise((resolve) => setTimeout(resolve, 150));
        window.scrollTo(0, 0);
      });
    if (wait) await loaded(page);
    await page.waitForTimeout(300);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ reducedMotion: "reduce", colorScheme });
      await page.waitForTimeout(100);
      const variant = `${width}-${colorScheme}`;
      const folder = path.join(out, `${album.part}-${variant}`);
      mkdirSync(folder, { recursive: true });
      const picture = await page.screenshot({ path: path.join(folder, `${nameOf(name)}.png`), fullPage: whole });
      const taken = album.shots.get(variant) ?? [];
      taken.push({ name, picture: picture.toString("base64") });
      album.shots.set(variant, taken);
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
}

/** Places all screenshots of a variant on one sheet for a quick review. Very long ones are cut at the end. */
export async function laySheets(page: Page, { part, shots }: Album): Promise<void> {
  await page.goto("about:blank");
  await page.setViewportSize({ width: 1_800, height: 900 });
  for (const [variant, taken] of shots) {
    const figures = taken.map(
      ({ name, picture }) =>
        `<figure><img src="data:image/png;base64,${picture}"><figcaption>${name}</figcaption></figure>`,
    );
    await page.setContent(
      `<style>body{display:grid;grid-template-columns:repeat(4,1fr);gap:12px;font:14px sans-serif;background:#fff;color:#000;align-items:start}figure{margin:0}img{width:100%;max-height:1200px;object-fit:cover;object-position:top;outline:1px solid #999}</style>${figures.join("")}`,
    );
    await page.screenshot({ path: path.join(out, `${part}-${variant}.png`), fullPage: true });
  }
}
