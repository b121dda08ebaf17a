import { type Selectable, sql } from "kysely";
import { rowsOf, firstRowOf, type DB, type Reader } from "#platform/db/index.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import type { Show } from "../event-files/show-event.rules.ts";
import { canceledDays, type FeedKind, pastDays } from "./rules.ts";

export type Feed = {
  user_id: string;
  kind: FeedKind;
  artist_id: string | null;
  artist_name: string | null;
  time_zone: string | null;
};

/** Finds the feed of a token, with the artist profile of its owner. Excludes deleted and suspended accounts, and the public feed of an account that is no artist any more, because its owner cannot turn it off. */
export const findFeed = (reader: Reader, tokenHash: Buffer, now: Date): Promise<Feed | undefined> =>
  firstRowOf<Feed>(reader)`
    select f.user_id, f.kind, a.id as artist_id, a.name as artist_name, a.time_zone
    from calendar_feeds f join users u on u.id = f.user_id left join artists a on a.user_id = f.user_id
    where f.token_hash = ${tokenHash} and u.deleted_at is null
      and (f.kind = 'private' or exists (select 1 from profiles p where p.user_id = f.user_id and p.role = 'artist')) and (u.banned_until is null or u.banned_until <= ${now}::timestamptz)`;

export type FeedShow = Show & { artist_name: string; is_own_act: boolean };

/** The artist's shows, and those that the user booked. Canceled ones stay for 30 days. */
export function listFeedShows(
  reader: Reader,
  feed: Pick<Feed, "user_id" | "kind" | "artist_id">,
  now: Date,
): Promise<FeedShow[]> {
  const [past, canceledSince] = [pastDays, canceledDays].map((days) => new Date(now.getTime() - days * dayMs));
  const isOwn = sql`b.artist_id = ${feed.artist_id}::uuid`;
  const which =
    feed.kind === "public"
      ? sql`${isOwn} and b.status <> 'initiated' and (b.status <> 'canceled' or b.deposit_paid_at is not null)`
      : sql`(${isOwn} or b.promoter_user_id = ${feed.user_id}::uuid)`;
  return rowsOf<FeedShow>(reader)`
    select b.id, b.number, b.version, b.status, b.event_type, b.promoter_name, b.venue_name, b.venue_address, b.time_zone,
      b.starts_at, b.ends_at, b.created_at, b.updated_at, a.name as artist_name, coalesce(${isOwn}, false) as is_own_act
    from bookings b join artists a on a.id = b.artist_id
    where ${which} and b.starts_at > ${past}::timestamptz
      and (b.status <> 'canceled' or b.canceled_at > ${canceledSince}::timestamptz)
    order by b.starts_at, b.id`;
}

export type BlockedTime = { id: string; artist_id: string; starts_at: Date; ends_at: Date; created_at: Date };

export function listBlockedTimes(reader: Reader, feed: Feed, now: Date): Promise<BlockedTime[]> {
  const past = new Date(now.getTime() - pastDays * dayMs);
  return rowsOf<BlockedTime>(reader)`
    select r.id, r.artist_id, lower(coalesce(r.span, r.during)) as starts_at, upper(coalesce(r.span, r.during)) as ends_at, r.created_at
    from date_reservations r
    where r.artist_id = ${feed.artist_id}::uuid and r.kind = 'blocked' and upper(r.during) > ${past}::timestamptz
    order by starts_at, r.id`;
}

export const feedColumns = ["kind", "token_sealed", "last_fetched_at", "last_client"] as const;
export type FeedRow = Pick<Selectable<DB["calendar_feeds"]>, (typeof feedColumns)[number]>;

export const listFeeds = (reader: Reader, userId: string) =>
  reader.selectFrom("calendar_feeds").select(feedColumns).where("user_id", "=", userId).orderBy("kind").execute();
