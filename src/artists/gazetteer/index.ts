/** The bundled gazetteer, which finds the town in an address without a network request. Data from GeoNames (CC BY 4.0), see NOTICE. */

import { readFileSync } from "node:fs";
import { isTimeZone, zoneOrUtc } from "#platform/time/calendar.rules.ts";
import { type NamedRegion, type Run, regionsAfter, regionsBefore, regionsIn, runsOf, segmentsOf } from "./address.ts";
import { aliases, normalizePlaceName } from "./aliases.ts";
import { distinctNames, sharedName } from "./equal-names.ts";
import { type Region, regionNamesOf, stateNames } from "./regions.ts";

export { sharedName } from "./equal-names.ts";

export type Place = { id: string; name: string; lat: number; lon: number; timeZone: string };

type Town = Place & { words: string; country: string; state: string; people: number };

/** Returns the town that an address names, or null. The states and countries after its name must all contain it. Of the others the largest is returned. */
export function matchPlace(text: string): Place | null {
  const { towns, regionNames, distinct } = gazetteer();
  const exact = distinct.get(text);
  if (exact) return placeOf(exact);
  const segments = segmentsOf(text);
  const regions = regionsIn(segments, regionNames);
  const candidates = runsOf(segments, regions).flatMap((run) =>
    (towns.get(run.words) ?? []).map((town) => ({ town, run, after: regionsAfter(run, regions) })),
  );
  const isElsewhere = ({ town, after }: Candidate) => !after.every((region) => contains(region, town));
  const hasContradiction = candidates.some((one) => isTown(one) && isElsewhere(one));
  let best: { town: Town; score: number } | undefined;
  for (const one of candidates) {
    const score = isElsewhere(one) ? null : scoreOf(one, regions, regionNames.get(one.run.words), hasContradiction);
    if (score !== null && score > (best?.score ?? 0)) best = { town: one.town, score };
  }
  return best ? placeOf(best.town) : null;
}

export function zoneOfLocation(location: string | undefined, artist: Readonly<{ time_zone: string }>): string {
  const place = location ? matchPlace(location) : null;
  return place && isTimeZone(place.timeZone) ? place.timeZone : zoneOrUtc(artist.time_zone);
}

const placeOf = ({ id, name, lat, lon, timeZone }: Town): Place => ({ id, name, lat, lon, timeZone });

export function findPlace(id: string): Place | undefined {
  const words = id.split(".")[2]?.replaceAll("-", " ") ?? "";
  const town = gazetteer()
    .towns.get(words)
    ?.find((one) => one.id === id);
  return town && placeOf(town);
}

const maxSuggestions = 8;

/** Returns towns whose names begin with the text, narrowed by a state or country: those with exactly the typed first word, then those in `country`, then the largest. Empty for less than two characters. */
export function suggestPlaces(typed: string, country?: string): Place[] {
  const [first = "", ...rest] = typed.slice(0, 100).split(",");
  const start = normalizePlaceName(sharedName(first));
  const region = normalizePlaceName(rest.join(" "));
  if (start.length < 2) return [];
  const found: { town: Town; rank: number }[] = [];
  for (const [words, same] of gazetteer().towns) {
    if (!words.startsWith(start)) continue;
    const isWord = words.length === start.length || words[start.length] === " ";
    for (const town of same)
      if (region === "" || isIn(town, region))
        found.push({ town, rank: (isWord ? 2 : 0) + (town.country === country ? 1 : 0) });
  }
  found.sort(
    (one, other) =>
      other.rank - one.rank || other.town.people - one.town.people || (one.town.id < other.town.id ? -1 : 1),
  );
  return [...new Map(found.map(({ town }) => [town.name, placeOf(town)])).values()].slice(0, maxSuggestions);
}

const isIn = (town: Town, words: string): boolean =>
  normalizePlaceName(town.name.split(", ").at(-1) ?? "").startsWith(words) ||
  contains(gazetteer().regionNames.get(words) ?? [], town);

const contains = (regions: readonly Region[], { country, state }: Town): boolean =>
  regions.includes(country) || regions.includes(`${country}.${state}`);

type Candidate = Readonly<{ town: Town; run: Run; after: readonly (readonly Region[])[] }>;

/** Returns whether a name can be a town without its region: not in the middle of a venue's name. */
const isTown = ({ run, town }: Candidate): boolean => run.whole || (run.last && town.people >= 100);

/** Below this size (thousands of people), the name of a state after other words is the state, not a town elsewhere: "Ontario" in California. */
const largeTown = 200;

/** Returns how well a town fits that no later region excludes, or null if it does not. `own` are the regions of the same name. */
function scoreOf(
  { town, run, after }: Candidate,
  regions: readonly NamedRegion[],
  own: readonly Region[] | undefined,
  hasContradiction: boolean,
): number | null {
  const { words, whole, last, isFirst } = run;
  const size = Math.log10(town.people + 1);
  if (after.length > 0 || regionsBefore(run, regions).some((region) => contains(region, town)))
    // "New York" may be the state after "Brooklyn": a town with the name of a state scores less. "CA" is rather California than Canada.
    return (
      (own ? 12 : 20) + (whole ? 10 : 0) + (last ? 4 : 0) + words.length / 8 + size + (town.country === "US" ? 1 : 0)
    );
  if (own && !isFirst && (hasContradiction || town.people < largeTown)) return null;
  const isNamed = regions.some(({ isWholeSegment }) => isWholeSegment);
  // Small British and Canadian towns rank behind American ones of the same name.
  const isSmall = town.people < 100 && (town.country === "GB" || town.country === "CA");
  if (whole) return (isNamed ? 4 : 10) + size - (isSmall ? 2 : 0);
  return isTown({ town, run, after }) && !isNamed ? 4 + size : null;
}

/** `distinct` has the towns that share a name with another one. */
type Gazetteer = Readonly<{
  towns: Map<string, Town[]>;
  regionNames: ReadonlyMap<string, readonly Region[]>;
  distinct: ReadonlyMap<string, Town>;
}>;

let loaded: Gazetteer | undefined;

/** Returns the towns by their plain names, loaded on first use (about 30 ms) and cached. */
function gazetteer(): Gazetteer {
  return (loaded ??= readTowns(readFileSync(new URL("./places.txt", import.meta.url), "utf8")));
}

function readTowns(text: string): Gazetteer {
  const towns = new Map<string, Town[]>();
  const listed: Town[] = [];
  const countries = new Set<string>();
  const add = (words: string, town: Town) => {
    const same = towns.get(words);
    if (same) same.push(town);
    else towns.set(words, [town]);
  };
  const countryName = new Intl.DisplayNames(["en"], { type: "region" });
  let country = "";
  let state = "";
  let timeZone = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("=")) {
      [country = "", state = "", timeZone = ""] = line.slice(1).split("|");
      countries.add(country);
      continue;
    }
    const [name, lat, lon, people] = line.split(";");
    if (!name) continue;
    const region = country === "US" ? (stateNames.get(state) ?? state) : (countryName.of(country) ?? country);
    const town: Town = {
      // Stored with artists. Only American ids contain the state.
      id: `${country}.${country === "US" ? state : ""}.${normalizePlaceName(name).replaceAll(" ", "-")}.${lat},${lon}`,
      name: name === region || name.startsWith("Washington, ") ? name : `${name}, ${region}`,
      lat: Number(lat),
      lon: Number(lon),
      timeZone,
      words: normalizePlaceName(name),
      country,
      state,
      people: Number(people),
    };
    listed.push(town);
  }
  const names = distinctNames(listed);
  const distinct = new Map<string, Town>();
  for (const plain of listed) {
    const name = names.get(plain);
    const town = name ? { ...plain, name } : plain;
    if (name) distinct.set(name, town);
    add(town.words, town);
    for (const alias of aliases.get(`${town.words}|${town.country}`) ?? []) add(alias, { ...town, words: alias });
  }
  return { towns, distinct, regionNames: regionNamesOf(countries) };
}
