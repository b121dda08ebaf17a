/** Calendars of other programs whose entries take an artist's time here. */

export const externalLimits = {
  /** How many calendars an artist may add. */
  calendars: 10,
  /** How often each one is fetched. Minutes. */
  everyMinutes: 15,
  /** One that was read longer ago is fetched again before a date is committed. Minutes. */
  freshMinutes: 5,
  /** How long that may take. Ms. */
  commitmentMs: 2_000,
  /** How long one fails before the artist is notified. Hours. */
  notifyAfterHours: 24,
  /** Repetitions are entered this many days ahead: as far as a date can be booked. */
  aheadDays: 732,
} as const;

/** The whole calendar is read again this often, even if it has not changed: repetitions come closer. Hours. */
export const readAgainHours = 20;

/** A calendar has failed for 24 hours, and its artist is to be notified. `failingSince` is ISO 8601. */
export type ImportFailing = Readonly<{ artistId: string; name: string; message: string; failingSince: string }>;

/** A calendar that a person has connected has failed for 24 hours, and the person is to be notified. `failingSince` is ISO 8601. */
export type ConnectionFailing = Readonly<{
  userId: string;
  side: "artist" | "promoter";
  host: string;
  message: string;
  failingSince: string;
}>;
