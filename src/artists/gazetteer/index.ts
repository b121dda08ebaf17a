/** The bundled gazetteer, which finds the town in an address without a network request. Data from GeoNames (CC BY 4.0), see NOTICE. */
import { readFileSync } from "node:fs";
import { isTimeZone, zoneOrUtc } from "#platform/time/calendar.rules.ts";
import { aliases, countryNames, normalizePlaceName, stateAliases } from "./aliases.ts";

export type Place = { id: string; name: string; lat: number; lon: number; timeZone: string };

type Town = Place & { words: string; country: string; state: string; people: number };

/** Returns the town that an address names, or null. A state or country decides between towns of one name, else the largest is returned. */
export function matchPlace(text: string): Place | null {
  const segments = segmentsOf(text);
  const region = regionOf(segments);
  let best: { town: Town; score: number } | undefined;
  for (const segment of segments) {
    for (const { words, whole, last } of runsOf(segment)) {
      for (const town of towns().get(words) ?? []) {
        const score = scoreOf(town, region, words, whole, last);
        if (score !== null && score > (best?.score ?? 0)) best = { town, score };
      }
    }
  }
  if (!best) return null;
  return placeOf(best.town);
}

/** Returns the time zone of an event's location, or the artist's if the location is unknown. */
export function zoneOfLocation(location: string | undefined, artist: Readonly<{ time_zone: string }>): string {
  const place = location ? matchPlace(location) : null;
  return place && isTimeZone(place.timeZone) ? place.timeZone : zoneOrUtc(artist.time_zone);
}

const placeOf = ({ id, name, lat, lon, timeZone }: Town): Place => ({ id, name, lat, lon, timeZone });

export function findPlace(id: string): Place | undefined {
  const words = id.split(".")[2]?.replaceAll("-", " ") ?? "";
  const town = towns()
    .get(words)
    ?.find((one) => one.id === id);
  return town && placeOf(town);
}

/** Returns towns whose names begin with the text, narrowed by a state or country: those with exactly the typed first word, then those in `country`, then the largest. Empty for less than two characters. */
export function suggestPlaces(typed: string, country?: string, limit = 8): Place[] {
  const [first = "", ...rest] = typed.slice(0, 100).split(",");
  const start = normalizePlaceName(first);
  const region = normalizePlaceName(rest.join(" "));
  if (start.length < 2) return [];
  const found: { town: Town; rank: number }[] = [];
  for (const [words, same] of towns()) {
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
  // A town has an entry for each of its names.
  return [...new Map(found.map(({ town }) => [town.id, placeOf(town)])).values()].slice(0, limit);
}

const isIn = (town: Town, words: string): boolean =>
  normalizePlaceName(town.name.split(", ").at(-1) ?? "").startsWith(words) ||
  (town.state !== "" && stateAliases.get(words) === town.state) ||
  countryNames().get(words) === town.country;

type Region = { states: ReadonlySet<string>; countries: ReadonlySet<string> };

/** Returns how well a town fits, or null if it does not. A town in the middle of a venue's name counts only with its region. */
function scoreOf(town: Town, region: Region, words: string, whole: boolean, last: boolean): number | null {
  const inState = town.state !== "" && region.states.has(town.state);
  const inCountry = region.countries.has(town.country) || inState;
  const named = region.states.size > 0 || region.countries.size > 0;
  const size = Math.log10(town.people + 1);
  if (inState || (inCountry && region.states.size === 0))
    // "New York" may be the state after "Brooklyn": a town with the name of a state scores less.
    return (stateAliases.has(words) ? 12 : 20) + (whole ? 10 : 0) + (last ? 4 : 0) + words.length / 8 + size;
  if (whole) return (named ? 4 : 10) + size;
  const known = town.people >= 100;
  return last && known && !named ? 4 + size : null;
}

/** Splits a text at commas and lines into lists of plain lower-case words, "st." as "saint", without house and post numbers. */
function segmentsOf(text: string): string[][] {
  return text
    .slice(0, 500)
    .split(/[,;\n\r/|()]+|\s[-–—]\s/u)
    .map((part) =>
      normalizePlaceName(part)
        .split(" ")
        .filter((word) => word !== "" && !/^\d/.test(word)),
    )
    .filter((part) => part.length > 0);
}

function regionOf(segments: readonly string[][]): Region {
  const states = new Set<string>();
  const countries = new Set<string>();
  for (const segment of segments) {
    for (let size = 1; size <= 3 && size <= segment.length; size++) {
      const words = segment.slice(-size).join(" ");
      const state = stateAliases.get(words);
      const country = countryNames().get(words);
      // Two-character words such as "in" name a state only after a comma or a town, never as a venue's only word.
      if (state && !(words.length === 2 && segments.length === 1 && segment.length === 1)) states.add(state);
      if (country) countries.add(country);
    }
  }
  return { states, countries };
}

function* runsOf(segment: readonly string[]): Generator<{ words: string; whole: boolean; last: boolean }> {
  let end = segment.length;
  for (let size = 3; size >= 1; size--) {
    if (size < segment.length && isRegion(segment.slice(-size).join(" "))) {
      end = segment.length - size;
      break;
    }
  }
  for (const stop of new Set([segment.length, end])) {
    for (let from = Math.max(0, stop - 4); from < stop; from++) {
      yield { words: segment.slice(from, stop).join(" "), whole: from === 0, last: true };
    }
  }
  for (let from = 0; from < end; from++) {
    for (let stop = from + 1; stop < end && stop - from <= 4; stop++) {
      yield { words: segment.slice(from, stop).join(" "), whole: false, last: false };
    }
  }
}

const isRegion = (words: string): boolean => stateAliases.has(words) || countryNames().has(words);

let loaded: Map<string, Town[]> | undefined;

/** Returns the towns by their plain names, loaded on first use (about 30 ms) and cached. */
function towns(): Map<string, Town[]> {
  return (loaded ??= readTowns(readFileSync(new URL("./places.txt", import.meta.url), "utf8")));
}

function readTowns(text: string): Map<string, Town[]> {
  const found = new Map<string, Town[]>();
  const add = (words: string, town: Town) => {
    const same = found.get(words);
    if (same) same.push(town);
    else found.set(words, [town]);
  };
  const stateName = stateNames();
  const countryName = new Intl.DisplayNames(["en"], { type: "region" });
  let country = "";
  let state = "";
  let timeZone = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("=")) {
      [country = "", state = "", timeZone = ""] = line.slice(1).split("|");
      continue;
    }
    const [name, lat, lon, people] = line.split(";");
    if (!name) continue;
    const region = country === "US" ? (stateName.get(state) ?? state) : (countryName.of(country) ?? country);
    const town: Town = {
      id: `${country}.${state}.${normalizePlaceName(name).replaceAll(" ", "-")}.${lat},${lon}`,
      name: name === region || name.startsWith("Washington, ") ? name : `${name}, ${region}`,
      lat: Number(lat),
      lon: Number(lon),
      timeZone,
      words: normalizePlaceName(name),
      country,
      state,
      people: Number(people),
    };
    add(town.words, town);
    for (const alias of aliases.get(`${town.words}|${country}`) ?? []) add(alias, { ...town, words: alias });
  }
  return found;
}

function stateNames(): Map<string, string> {
  const names = new Map<string, string>();
  for (const [words, code] of stateAliases) {
    if (words.length > 2)
      names.set(
        code,
        words.replace(/\b(?!of\b)\p{L}/gu, (letter) => letter.toUpperCase()),
      );
  }
  return names;
}
