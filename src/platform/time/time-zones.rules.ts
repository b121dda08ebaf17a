/** Names for time zones that people use, in place of a database's "America/Chicago". */

/** A moment by whose rules zones are named: before 1980 many of them had other names. */
const recently = Date.UTC(2026, 0, 1);

/** Zones whose English name ("Central Time") is said with the country, because other countries have one of the same name. */
const unitedStates =
  /^(America\/(New_York|Chicago|Denver|Phoenix|Los_Angeles|Anchorage|Juneau|Nome|Sitka|Boise|Detroit|Menominee|Indiana\/.+|Kentucky\/.+|North_Dakota\/.+|Adak)|Pacific\/Honolulu|US\/.+)$/;

/** "US Central" for America/Chicago, "Central European Time" for Europe/Berlin; an unknown zone as it is written. */
export function formatTimeZone(zone: string): string {
  if (zone === "UTC") return zone;
  try {
    const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longGeneric" }).formatToParts(
      recently,
    );
    const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
    return unitedStates.test(zone) ? `US ${name.replace(/ Time$/, "")}` : name;
  } catch {
    return zone.replaceAll("_", " ");
  }
}
