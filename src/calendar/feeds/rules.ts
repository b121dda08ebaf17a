export const feedKinds = ["private", "public"] as const;
export type FeedKind = (typeof feedKinds)[number];

export const feedKindsOf = (role: "admin" | "artist" | "promoter"): readonly FeedKind[] =>
  role === "artist" ? feedKinds : role === "promoter" ? ["private"] : [];

/** Days that a canceled show stays in a feed as canceled, because every client must remove it. */
export const canceledDays = 30;
export const pastDays = 365;
/** Minutes, recommended to clients. Google ignores it and fetches every 8 to 24 hours. */
export const refreshMinutes = 60;

export const feedTokenPattern = /^[\w-]{32}$/;
export const feedPath = (token: string): string => `/calendar/${token}.ics`;
export const hideFeedToken = (token: string): string => `${token.slice(0, 4)}…${token.slice(-4)}`;
export const isFeedTokenHidden = (url: string): boolean => url.includes("…");

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

export function clientName(userAgent: string | undefined): string {
  const agent = userAgent?.trim() ?? "";
  const known = knownClients.find(([pattern]) => pattern.test(agent));
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  const product = agent.split(/[\s/(]/, 1)[0]?.replaceAll(/[^\u0020-\u007e]/g, "") ?? "";
  return known?.[1] ?? (product.slice(0, 60) || "an unnamed program");
}
