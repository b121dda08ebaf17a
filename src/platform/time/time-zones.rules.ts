/** A recent date, because before 1980 many zones had other names. */
const recently = Date.UTC(2026, 0, 1);

const unitedStates =
  /^(America\/(New_York|Chicago|Denver|Phoenix|Los_Angeles|Anchorage|Juneau|Nome|Sitka|Boise|Detroit|Menominee|Indiana\/.+|Kentucky\/.+|North_Dakota\/.+|Adak)|Pacific\/Honolulu|US\/.+)$/;

/** Returns "US Central" for America/Chicago, "Central European Time" for Europe/Berlin, and an unknown zone unchanged. */
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
