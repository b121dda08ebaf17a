/** Layout measurements for the test of widths: horizontal scroll and overlapping texts, on pages with the longest names. */

import type { Page } from "@playwright/test";

export const longName = "The Remarkably Long-Winded Philharmonic Cumberland-Featherstonehaugh Brotherhood";
export const longVenue =
  "The Grand Old Opera House and Conference Centre beside the Wastewater-Treatment-Works, Llanfairpwllgwyngyll, Isle of Anglesey";
const longEmail = "bartholomew.cumberland-featherstonehaugh@bookings.remarkably-long-winded-philharmonic.example";

const longValues: Readonly<Record<string, string>> = {
  name: longName,
  promoter_name: longName,
  artistName: longName,
  userName: longName,
  author_name: longName,
  venue_name: longVenue,
  location: longVenue,
  email: longEmail,
  userEmail: longEmail,
};

/**
 * Lengthens names, venues and addresses in every JSON response of the API. The page does it itself, because a page whose
 * requests pass through the test caches no files.
 */
export const lengthenResponses = (page: Page): Promise<unknown> =>
  page.addInitScript((long) => {
    const lengthen = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(lengthen);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [
          key,
          typeof one === "string" && one !== "" && long[key] ? long[key] : lengthen(one),
        ]),
      );
    };
    const { fetch } = globalThis;
    globalThis.fetch = async (...request) => {
      const response = await fetch(...request);
      const { pathname } = new URL(response.url);
      const isJson = response.headers.get("content-type")?.includes("json");
      if (!isJson || !/^\/api\/(?!events|openapi|dev\/)/.test(pathname)) return response;
      const { status, statusText, headers } = response;
      return new Response(JSON.stringify(lengthen(await response.json())), { status, statusText, headers });
    };
  }, longValues);

/** Lengthens names and locations in the text of a server-rendered page, after it is hydrated. */
export async function lengthenText(page: Page): Promise<void> {
  const response = await page.request.get("/api/artists?limit=24");
  const { items } = (await response.json()) as { items: { name: string; location: string }[] };
  const texts = Object.fromEntries([
    ...items.map((one) => [one.name, longName]),
    ...items.map((one) => [one.location, longVenue]),
    ["Electric Dreams", longName],
  ]) as Record<string, string>;
  await page.evaluate((known) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const found = known[(node.nodeValue ?? "").trim()];
      if (found && !node.parentElement?.closest("script, style, option")) node.nodeValue = found;
    }
  }, texts);
}

/**
 * Returns the layout faults at the current width: how far and by what the page scrolls horizontally, and which badges,
 * dates and amounts overlap other text. Boxes are compared without the upper and lower quarter, because the characters of a
 * narrow display face are lower than their box, and are cut to the visible part of their scrolling or clipping ancestors.
 */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Box = { left: number; right: number; top: number; bottom: number };
    const faults: string[] = [];
    const root = document.documentElement;
    const over = root.scrollWidth - root.clientWidth;
    const nameOf = (one: Element) =>
      `${one.tagName.toLowerCase()}${typeof one.className === "string" && one.className ? `.${one.className.split(" ")[0]}` : ""}`;
    if (over > 0) {
      const causes = Array.from(document.body.querySelectorAll("*"))
        .filter((one) => one.getBoundingClientRect().right > root.clientWidth + 0.5)
        .filter((one) => !one.children.length)
        .slice(0, 3);
      faults.push(`scrolls sideways by ${over} px: ${causes.map(nameOf).join(", ")}`);
    }

    for (const item of document.querySelectorAll("nav[aria-label='Main pages'] > *"))
      if (item.scrollWidth > item.clientWidth + 2)
        faults.push(`"${item.textContent}" is wider than its place in the bottom bar`);

    const everything: Box = { left: -1e6, right: 1e6, top: -1e6, bottom: 1e6 };
    const cut = (a: Box, b: Box): Box => ({
      left: Math.max(a.left, b.left),
      right: Math.min(a.right, b.right),
      top: Math.max(a.top, b.top),
      bottom: Math.min(a.bottom, b.bottom),
    });
    const windows = new Map<Element, Box | undefined>();
    /** Returns the visible part of an element and its ancestors. Undefined for hidden or floating elements. */
    const windowOf = (one: Element | null): Box | undefined => {
      if (!one || one === document.body) return everything;
      if (windows.has(one)) return windows.get(one);
      const style = getComputedStyle(one);
      const hidden = style.visibility === "hidden" || style.opacity === "0" || style.clipPath !== "none";
      const floats = style.position === "fixed" || style.position === "sticky";
      const outer = hidden || floats ? undefined : windowOf(one.parentElement);
      const clips = style.overflowX !== "visible" || style.overflowY !== "visible";
      const seen = outer && clips ? cut(outer, one.getBoundingClientRect()) : outer;
      windows.set(one, seen);
      return seen;
    };
    const visible = (box: Box, of: Element): Box | undefined => {
      const around = windowOf(of);
      if (!around) return undefined;
      const seen = cut(around, box);
      return seen.right - seen.left > 1 && seen.bottom - seen.top > 1 ? seen : undefined;
    };

    const texts: { node: Node; text: string; box: Box; marked: boolean }[] = [];
    const main = document.querySelector("main") ?? document.body;
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const owner = node.parentElement;
      const text = node.nodeValue?.trim() ?? "";
      if (!owner || !text || owner.closest("[aria-hidden='true'], noscript, option")) continue;
      // The content of closed details has boxes too.
      if (!owner.checkVisibility()) continue;
      const marked = Boolean(owner.closest(".badge, .num, time, small, dd, td, [class*='amount'], [class*='day']"));
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        const inset = line.height / 4;
        const box = { left: line.left, right: line.right, top: line.top + inset, bottom: line.bottom - inset };
        const seen = visible(box, owner);
        if (seen) texts.push({ node, text: text.slice(0, 40), box: seen, marked });
      }
    }
    // Fields have their own text.
    for (const field of main.querySelectorAll(
      "input:not([type='radio'], [type='checkbox'], [type='hidden']), select, textarea",
    )) {
      if (!field.checkVisibility()) continue;
      // The padding contains a unit.
      const { paddingLeft, paddingRight } = getComputedStyle(field);
      const { left, right, top, bottom } = field.getBoundingClientRect();
      const inside = { left: left + Number.parseFloat(paddingLeft), right: right - Number.parseFloat(paddingRight) };
      const seen = visible({ ...inside, top, bottom }, field);
      if (seen) texts.push({ node: field, text: `field ${field.getAttribute("name") ?? ""}`, box: seen, marked: true });
    }
    const touches = (a: Box, b: Box) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    texts.sort((a, b) => a.box.top - b.box.top);
    for (const [at, one] of texts.entries())
      for (let next = at + 1; next < texts.length; next += 1) {
        const other = texts[next];
        if (!other || other.box.top >= one.box.bottom) break;
        if (other.node !== one.node && (one.marked || other.marked) && touches(one.box, other.box))
          faults.push(`"${one.text}" lies over "${other.text}"`);
      }
    return [...new Set(faults)].slice(0, 6);
  });
}

/** Doubles the text like the browser's setting: everything in rem grows, the window does not. */
export const doubleText = (page: Page, on: boolean): Promise<void> =>
  page.evaluate((doubled) => {
    document.documentElement.style.fontSize = doubled ? "200%" : "";
  }, on);
