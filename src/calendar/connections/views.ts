import { sql } from "kysely";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import type { ConnectionFailing } from "../events.rules.ts";
import { pastDays } from "../feeds/rules.ts";
import { connectionLimits } from "./rules.ts";
import type { CalendarConnection } from "./store.ts";

export type ListedConnection = CalendarConnection & { show_count: number };

export const listConnections = (reader: Reader, userId: string): Promise<ListedConnection[]> =>
  rowsOf<ListedConnection>(reader)`
    select c.*, (select count(*) filter (where s.version is not null)::int from calendar_connection_shows s where s.connection_id = c.id) as show_count
    from calendar_connections c where c.user_id = ${userId} order by c.created_at, c.id`;

/** What was written of a show. The digest is SHA-256 of the text, in hex. */
export type SyncedShow = {
  booking_id: string;
  version: number | null;
  text_digest: string | null;
  etag: string | null;
};

/** Returns what was written, except shows that are too old for the feed: they stay on the server as they are. */
export async function syncedShows(reader: Reader, connectionId: string, now: Date): Promise<Map<string, SyncedShow>> {
  const rows = await reader
    .selectFrom("calendar_connection_shows as s")
    .innerJoin("bookings as b", "b.id", "s.booking_id")
    .select(["s.booking_id", "s.version", "s.text_digest", "s.etag"])
    .where("s.connection_id", "=", connectionId)
    .where((eb) =>
      eb.or([eb("b.status", "=", "canceled"), eb("b.starts_at", ">", new Date(now.getTime() - pastDays * dayMs))]),
    )
    .execute();
  return new Map(
    rows.map((row) => [
      row.booking_id,
      { ...row, text_digest: row.text_digest && Buffer.from(row.text_digest).toString("hex") },
    ]),
  );
}

export async function failingNotice(reader: Reader, connection: CalendarConnection): Promise<ConnectionFailing> {
  const profile = await reader
    .selectFrom("profiles")
    .select("role")
    .where("user_id", "=", connection.user_id)
    .executeTakeFirst();
  return {
    userId: connection.user_id,
    side: profile?.role === "artist" ? "artist" : "promoter",
    host: new URL(connection.server_url).host,
    message: connection.message ?? "",
    failingSince: (connection.failing_since ?? connection.created_at).toISOString(),
  };
}

export const noticeTimes = sql`
  select failing_since + make_interval(hours => ${connectionLimits.notifyAfterHours}) as at from calendar_connections
  where notified_at is null and removing_since is null`;
