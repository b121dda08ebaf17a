/** The event "calendar.date_taken": a booking or a blocked time has reserved a date of the artist. */
export type DateTaken = Readonly<{ artistId: string }>;

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
