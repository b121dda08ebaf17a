import { dayMs } from "../../src/platform/time/durations.rules.ts";
import { isThorough } from "../../test/tier.ts";

export { isThorough };

/** A desktop and a phone. A commit is tested at one of them, which changes daily. The daily run tests both. */
const sizes = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
const day = Math.floor(Date.now() / dayMs);
export const sizesOfToday = sizes.filter((_, at) => isThorough || at === day % sizes.length);

/** The three areas. A commit measures the screens of one of them, which changes daily. The daily run measures all. */
export const areas = ["admin", "artist", "promoter"] as const;
export const isMeasuredToday = (area: (typeof areas)[number]): boolean =>
  isThorough || area === areas[day % areas.length];

/** The tag of a test that repeats another one for a second role or size. */
export const daily = "@daily";
