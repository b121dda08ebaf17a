import { normalizePlaceName } from "./aliases.ts";
import type { Region } from "./regions.ts";

/** Words of one segment that may be a town. `whole`: from its beginning, `last`: to its end or a region. */
export type Run = Readonly<{
  words: string;
  segment: number;
  stop: number;
  whole: boolean;
  last: boolean;
  isFirst: boolean;
}>;

export type NamedRegion = Readonly<{
  name: string;
  regions: readonly Region[];
  segment: number;
  from: number;
  isWholeSegment: boolean;
}>;

/** Splits a text at commas and lines into lists of plain lower-case words, "st." as "saint", without words with digits such as house numbers. */
export function segmentsOf(text: string): string[][] {
  return text
    .slice(0, 500)
    .split(/[,;\n\r/|()]+|\s[-–—]\s/u)
    .map((part) =>
      normalizePlaceName(part)
        .split(" ")
        .filter((word) => word !== "" && !/\d/.test(word)),
    )
    .filter((part) => part.length > 0);
}

/** Returns the states and countries at the ends of segments, in order: "Austin Texas USA" ends with two. */
export function regionsIn(segments: readonly string[][], regionNames: ReadonlyMap<string, readonly Region[]>) {
  return segments.flatMap((words, segment) => {
    const found: { name: string; regions: readonly Region[]; from: number }[] = [];
    let end = words.length;
    for (;;) {
      const name = [4, 3, 2, 1]
        .filter((size) => size <= end)
        .map((size) => words.slice(end - size, end).join(" "))
        .find((one) => regionNames.has(one));
      if (name === undefined) break;
      end -= name.split(" ").length;
      found.unshift({ name, regions: regionNames.get(name) ?? [], from: end });
    }
    // "in" is no state as the only word, and "pl" after a street's name is no country.
    const isOnlyWord = segments.length === 1 && words.length === 1;
    return found
      .filter(({ name, regions }) => name.length > 2 || (end === 0 ? !isOnlyWord : isKnownShort(name, regions)))
      .map((one) => ({ ...one, segment, isWholeSegment: end === 0 }));
  });
}

const isKnownShort = (name: string, regions: readonly Region[]): boolean =>
  name === "uk" || name === "us" || regions.some((region) => region.includes("."));

/** Returns the runs of at most four words, in each segment those that end before a region and those in the middle of a name. */
export function runsOf(segments: readonly string[][], regions: readonly NamedRegion[]): Run[] {
  return segments.flatMap((segment, index) => {
    const ends = regions.filter((region) => region.segment === index).map(({ from }) => from);
    const end = Math.min(segment.length, ...ends);
    const runOf = (from: number, stop: number, last: boolean): Run => ({
      words: segment.slice(from, stop).join(" "),
      segment: index,
      stop,
      whole: last && from === 0,
      last,
      isFirst: index === 0 && from === 0,
    });
    const runs: Run[] = [];
    for (const stop of new Set([segment.length, ...ends]))
      for (let from = Math.max(0, stop - 4); from < stop; from++) runs.push(runOf(from, stop, true));
    for (let from = 0; from < end; from++)
      for (let stop = from + 1; stop < end && stop - from <= 4; stop++) runs.push(runOf(from, stop, false));
    return runs;
  });
}

/** Returns the regions that must contain a town with this name. One in a longer name ("Hotel California") counts if no other follows. */
export function regionsAfter(run: Run, regions: readonly NamedRegion[]): (readonly Region[])[] {
  const after = regions.filter(
    ({ segment, from }) => segment > run.segment || (segment === run.segment && from >= run.stop),
  );
  const clear = after.filter(({ segment, isWholeSegment }) => segment === run.segment || isWholeSegment);
  const chosen = clear.length > 0 ? clear : after.filter(({ name }) => name.length > 3 || /^usa?$|^uk$/.test(name));
  // "MI" before "Italy" is not Michigan.
  const countries = chosen.filter(({ name }) => name.length > 2);
  return chosen
    .filter(({ name, regions }) => name.length > 2 || countries.every((country) => overlap(regions, country.regions)))
    .map((region) => region.regions);
}

const overlap = (some: readonly Region[], others: readonly Region[]): boolean =>
  some.some((one) => others.some((other) => `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`)));

/** Returns the regions before or in this name: "New York" is in the state of that name. */
export const regionsBefore = (run: Run, regions: readonly NamedRegion[]): (readonly Region[])[] =>
  regions
    .filter(
      ({ segment, from, name }) =>
        segment < run.segment || (segment === run.segment && from < run.stop && name.length > 2),
    )
    .map((region) => region.regions);
