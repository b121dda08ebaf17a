export const externalLimits = {
  calendars: 10,
  everyMinutes: 15, // between fetches
  freshMinutes: 5, // an older calendar is fetched again before a date is committed
  commitmentMs: 2_000, // the time limit of that fetch
  notifyAfterHours: 24, // after the first failure
  aheadDays: 732, // of repetitions: as far as a date can be booked
} as const;

/** Hours after which an unchanged calendar is read again, because repetitions come into the range. */
export const readAgainHours = 20;

/** The event of a calendar that has failed for 24 hours. `failingSince` is ISO 8601. */
export type ImportFailing = Readonly<{ artistId: string; name: string; message: string; failingSince: string }>;

/** The event of a read calendar while a show of the artist overlaps an entry. */
export type ImportConflictFound = Readonly<{ artistId: string }>;

/** The event of a calendar connection that has failed for 24 hours. `failingSince` is ISO 8601. */
export type ConnectionFailing = Readonly<{
  userId: string;
  side: "artist" | "promoter";
  host: string;
  message: string;
  failingSince: string;
}>;
