/**
 * Measures the script time of a cold load of each main page in Chromium, as a multiple of a reference page that builds a fixed number of
 * elements. The reference makes the figures comparable between computers.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { paths } from "#platform/site-paths.rules.ts";
import { demoPassword } from "#seed/index.ts";
import { nodeEnvironment, startServer } from "./fixture.ts";
import { atMost, type Figure, quantile } from "./report.ts";

const rounds = 3;
/** Long enough for everything that a page loads after it is displayed. */
const settleMs = 2_000;

type MeasuredPage = Readonly<{ path: string; as?: string; target: number }>;

const pages: readonly MeasuredPage[] = [
  { path: paths.home, target: 1.8 },
  { path: paths.artist("electric-dreams"), target: 1.6 },
  { path: paths.book("electric-dreams"), target: 1.5 },
  { path: paths.signIn, target: 1.3 },
  { path: paths.promoterArea.bookings, as: "promoter@demo.test", target: 3 },
  { path: paths.artistArea.overview, as: "artist@demo.test", target: 2.4 },
  { path: paths.admin.overview, as: "admin@demo.test", target: 3.5 },
];

/** Appends 100,000 elements one by one. */
const reference = `data:text/html,<body><script>
for (let at = 0; at < 100000; at += 1) { const row = document.createElement("p"); row.textContent = "row " + at; document.body.append(row); }
</script>`;

export async function benchScriptTime(): Promise<Figure[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "stagedoor-script-time-"));
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    await using product = await startServer(["src/app/main.ts"], { ...nodeEnvironment, DATA_DIR: dataDir }, "/readyz");
    const figures: Figure[] = [];
    for (const { path: page, as, target } of pages) {
      const times: number[] = [];
      const references: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        references.push(await scriptTime(browser, reference));
        times.push(await scriptTime(browser, product.origin + page, as));
      }
      const ms = quantile(times, 0.5);
      const value = ms / quantile(references, 0.5);
      figures.push(atMost(`script time of ${page}`, value, target, "of ref", `${Math.round(ms)} ms cold`));
    }
    return figures;
  } finally {
    await browser.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Returns the time in ms that a cold load spends in scripts. `as` is the email of the demo account that is signed in. */
async function scriptTime(browser: Browser, address: string, as?: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const page = await context.newPage();
    if (as)
      await page.request.post(`${new URL(address).origin}/auth/v1/token?grant_type=password`, {
        headers: { "x-token-mode": "cookie" },
        data: { email: as, password: demoPassword },
      });
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable");
    await page.goto(address);
    await page.waitForTimeout(settleMs);
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "ScriptDuration")?.value ?? Number.NaN) * 1_000;
  } finally {
    await context.close();
  }
}
