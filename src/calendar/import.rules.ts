export const externalLimits = {
  calendars: 10,
  /** The interval of fetches, in minutes. */
  everyMinutes: 15,
  /** An older calendar is fetched again before a date is committed. Minutes. */
  freshMinutes: 5,
  /** The time limit of that fetch, in ms. */
  commitmentMs: 2_000,
  /** How long a calendar fails before the artist is notified, in hours. */
  notifyAfterHours: 24,
  /** Days ahead that repetitions are entered: as far as a date can be booked. */
  aheadDays: 732,
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
