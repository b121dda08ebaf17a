import fc from "fast-check";
import { expect, it } from "vitest";
import { findPlace, matchPlace, suggestPlaces } from "./index.ts";

it.each([
  ["Austin", "Austin, Texas", "America/Chicago"],
  ["The Continental Club, 1315 S Congress Ave, Austin, TX 78704", "Austin, Texas", "America/Chicago"],
  ["1315 S Congress Ave Austin TX 78704", "Austin, Texas", "America/Chicago"],
  ["Portland, Maine", "Portland, Maine", "America/New_York"],
  ["Portland", "Portland, Oregon", "America/Los_Angeles"],
  ["Paris", "Paris, France", "Europe/Paris"],
  ["Paris, Texas", "Paris, Texas", "America/Chicago"],
  ["St. Louis, Missouri", "St. Louis, Missouri", "America/Chicago"],
  ["Washington, D.C.", "Washington, D.C.", "America/New_York"],
  ["New York", "New York City, New York", "America/New_York"],
  ["Brooklyn, New York", "Brooklyn, New York", "America/New_York"],
  ["München", "Munich, Germany", "Europe/Berlin"],
  ["Elbphilharmonie, Platz der Deutschen Einheit 4, 20457 Hamburg", "Hamburg, Germany", "Europe/Berlin"],
  ["San Pedro, Côte d’Ivoire", "San-Pédro, Côte d’Ivoire", "Africa/Abidjan"],
  ["Birmingham, England", "Birmingham, United Kingdom", "Europe/London"],
  ["Birmingham, Alabama", "Birmingham, Alabama", "America/Chicago"],
  ["London", "London, United Kingdom", "Europe/London"],
  ["10 Downing St, London SW1A 2AA", "London, United Kingdom", "Europe/London"],
  ["The Grand Theatre, 471 Richmond St, London, Ontario", "London, Canada", "America/Toronto"],
  ["London ON N6A 1E8", "London, Canada", "America/Toronto"],
  ["Paris, Ontario", "Paris, Canada", "America/Toronto"],
  ["Sydney, Nova Scotia, Canada", "Sydney, Canada", "America/Glace_Bay"],
  ["St. John's, Newfoundland", "St. John's, Canada", "America/St_Johns"],
  ["Richmond, BC", "Richmond, Canada", "America/Vancouver"],
  ["Richmond, CA", "Richmond, California", "America/Los_Angeles"],
  ["Toronto, CA", "Toronto, Canada", "America/Toronto"],
  ["Ontario, California", "Ontario, California", "America/Los_Angeles"],
  ["Hamilton, Bermuda", "Hamilton, Bermuda", "Atlantic/Bermuda"],
  ["Pago Pago", "Pago Pago, American Samoa", "Pacific/Pago_Pago"],
  ["San Juan, Puerto Rico, USA", "San Juan, Puerto Rico", "America/Puerto_Rico"],
  ["Perth, Scotland", "Perth, United Kingdom", "Europe/London"],
  ["Perth, WA", "Perth, Australia", "Australia/Perth"],
  ["Geelong, Victoria", "Geelong, Australia", "Australia/Melbourne"],
  ["Alix Goolden Hall, Victoria", "Victoria, Canada", "America/Vancouver"],
  ["Boston, Lincolnshire", "Boston, United Kingdom", "Europe/London"],
  ["Newcastle, England", "Newcastle upon Tyne, United Kingdom", "Europe/London"],
  ["Tbilisi, Georgia", "Tbilisi, Georgia", "Asia/Tbilisi"],
  ["Belfast, Ireland", "Belfast, United Kingdom", "Europe/London"],
  ["Bedford Pl, Berlin, DE", "Berlin, Germany", "Europe/Berlin"],
  ["Hotel California, Berlin", "Berlin, Germany", "Europe/Berlin"],
  ["Austin, Texas, Hotel California", "Austin, Texas", "America/Chicago"],
  ["Berlin, Muster GmbH & Co.", "Berlin, Germany", "Europe/Berlin"],
  ["East New York", "East New York, New York", "America/New_York"],
  ["Via Torino 1, 20123 Milano MI, Italy", "Milan, Italy", "Europe/Rome"],
  ["Salvador - BA", "Salvador, Brazil", "America/Bahia"],
  ["Tijuana, BC", "Tijuana, Mexico", "America/Tijuana"],
  ["Shangri-La", "Shangri-La, China", "Asia/Shanghai"],
])("finds for %s the town %s", (text, name, timeZone) => {
  expect(matchPlace(text)).toMatchObject({ name, timeZone });
});

it.each(["", "nowhere at all", "The Fillmore", "my place or yours", "Riverside Arts, 12 Main Street", "in", "🎸"])(
  "returns null for %j",
  (text) => {
    expect(matchPlace(text)).toBeNull();
  },
);

it.each(["Cairo, Illinois", "Paris, Georgia", "Toledo, Spain", "Goderich, Ontario", "Windsor, Nova Scotia"])(
  "returns null for %s, because no known town of this name is there",
  (text) => {
    expect(matchPlace(text)).toBeNull();
  },
);

it("accepts any text and returns a valid position or null", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 150 }), (text) => {
      const place = matchPlace(text);
      expect(place === null || (Math.abs(place.lat) <= 90 && Math.abs(place.lon) <= 180)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it("has time zones that this machine knows", () => {
  for (const town of ["Anchorage", "Kyiv, Ukraine", "Hanoi", "Suva", "Nairobi"]) {
    const place = matchPlace(town);
    expect(place, town).not.toBeNull();
    expect(() => new Intl.DateTimeFormat("en", { timeZone: place?.timeZone })).not.toThrow();
  }
});

it("suggests towns by the beginning of their name, the largest first, narrowed by a state or country", () => {
  expect(suggestPlaces("aus")[0]?.name).toBe("Austin, Texas");
  expect(suggestPlaces("portland, me")[0]?.name).toBe("Portland, Maine");
  expect(suggestPlaces("london, ontario").map(({ name }) => name)).toEqual(["London, Canada"]);
  expect(suggestPlaces("Paris, France").map(({ name }) => name)).toEqual(["Paris, France"]);
  expect(suggestPlaces("san pedro, cote d'i").map(({ name }) => name)).toEqual(["San-Pédro, Côte d’Ivoire"]);
  expect(suggestPlaces("são pa")[0]?.name).toBe(suggestPlaces("Sao Pa")[0]?.name);
  expect(suggestPlaces("a")).toEqual([]);
  expect(suggestPlaces("qqqqq")).toEqual([]);
  const many = suggestPlaces("san");
  expect(many).toHaveLength(8);
  expect(many.every(({ name }) => /^San\b/.test(name))).toBe(true);
  expect(suggestPlaces("san", "US")[0]?.name).toBe("San Antonio, Texas");
  expect(new Set(many.map(({ id }) => id)).size).toBe(8);
});

it("finds every suggested town by its id, and nothing by another id", () => {
  for (const place of [...suggestPlaces("san"), ...suggestPlaces("saint"), ...suggestPlaces("new")])
    expect(findPlace(place.id)).toEqual(place);
  for (const id of ["", "US.TX.austin", "US.TX.austin.0,0", "Atlantis", "__proto__", "..."])
    expect(findPlace(id)).toBeUndefined();
});

it("gives towns with one name in one region different names, by which each is found again", () => {
  const names = (typed: string) => suggestPlaces(typed).filter(({ name }) => name.startsWith(`${typed} (`));
  expect(names("Newport").map(({ name }) => name)).toEqual([
    "Newport (near Cardiff), United Kingdom",
    "Newport (near Portsmouth), United Kingdom",
    "Newport (near Telford), United Kingdom",
  ]);
  expect(names("Chatham").map(({ name }) => name)).toEqual([
    "Chatham (near Chicago), Illinois",
    "Chatham (near Springfield), Illinois",
  ]);
  expect(names("Bahawalnagar")).toHaveLength(2);
  for (const place of ["Newport", "Chatham", "Bahawalnagar", "Salamanca"].flatMap(names)) {
    expect(findPlace(place.id)).toEqual(place);
    expect(matchPlace(place.name)).toEqual(place);
    expect(suggestPlaces(place.name)).toContainEqual(place);
  }
  // An address without it is still the largest.
  expect(matchPlace("Newport, United Kingdom")?.name).toBe("Newport (near Cardiff), United Kingdom");
  // Two entries of one town.
  expect(suggestPlaces("Lakewood Park, Florida").map(({ name }) => name)).toEqual(["Lakewood Park, Florida"]);
});
