/** The calendar feeds of a person: which there are, their addresses, and what clients call themselves. */

export const feedKinds = ["private", "public"] as const;
export type FeedKind = (typeof feedKinds)[number];

/** The feeds that a role has. An admin has none. */
export const feedKindsOf = (role: "admin" | "artist" | "promoter"): readonly FeedKind[] =>
  role === "artist" ? feedKinds : role === "promoter" ? ["private"] : [];

/** How long a canceled show stays in a feed as canceled, so that every client removes it. Days. */
export const canceledDays = 30;
/** How far back a feed goes. Days. */
export const pastDays = 365;
/** How often clients are asked to fetch a feed. Google decides by itself: every 8 to 24 hours. */
export const refreshMinutes = 60;

export const feedTokenPattern = /^[\w-]{32}$/;
export const feedPath = (token: string): string => `/calendar/${token}.ics`;

const knownClients: readonly (readonly [RegExp, string])[] = [
  [/google/i, "Google Calendar"],
  [/dataaccessd|CalendarAgent|accountsd|iCal\/|macOS.*Calendar/i, "Apple Calendar"],
  [/outlook|microsoft|office|exchange/i, "Outlook"],
  [/thunderbird|lightning/i, "Thunderbird"],
  [/nextcloud|sabre/i, "Nextcloud"],
  [/proton/i, "Proton Calendar"],
  [/fastmail/i, "Fastmail"],
  [/icsx5|davx5/i, "DAVx⁵"],
  [/facebook/i, "Facebook"],
];

/** Returns the name of the calendar client behind a User-Agent header, or the header's first word. */
export function clientName(userAgent: string | undefined): string {
  const agent = userAgent?.trim() ?? "";
  const known = knownClients.find(([pattern]) => pattern.test(agent));
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  const word = agent.split(/[\s/(]/, 1)[0]?.replaceAll(/[^\u0020-\u007e]/g, "") ?? "";
  return known?.[1] ?? (word.slice(0, 60) || "an unnamed program");
}
