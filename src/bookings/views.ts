/** Reads of this room; joins go wherever they must. */
import { type ExpressionBuilder, type SelectQueryBuilder, type Selectable, sql } from "kysely";
import { z } from "zod";
import type { DB, Reader } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import type { ArtistBooking, BookingReply, ListedBooking } from "./api.ts";
import type { BookingStatus } from "./rules.ts";
import { type Booking, deadHoldsBefore } from "./store.ts";

type ArtistPart = ListedBooking["artist"];
type PaymentPart = ListedBooking["payments"][number];
type Extra = {
  artist: ArtistPart;
  payments: PaymentPart[];
  contract_status: ListedBooking["contract_status"];
  micros: number;
};
type ListRow = Selectable<DB["bookings"]> & Extra & { hold_expires_at: Date | null };
type Page = { search?: string | undefined; limit?: number | undefined; cursor?: string | undefined };
type Own = Page & { when?: "upcoming" | "past" | undefined };
type Query = SelectQueryBuilder<DB & { b: DB["bookings"]; a: DB["artists"] }, "b" | "a", ListRow>;

const defaultLimit = 24;

/** The select of every list: one query for booking, artist, payments, contract and hold. */
function listQuery(reader: Reader, now: Date): Query {
  return reader
    .selectFrom("bookings as b")
    .innerJoin("artists as a", "a.id", "b.artist_id")
    .selectAll("b")
    .select([
      sql<ArtistPart>`jsonb_build_object('id', a.id, 'slug', a.slug, 'name', a.name, 'genre', a.genre, 'location', a.location)`.as(
        "artist",
      ),
      sql<PaymentPart[]>`coalesce((
        select jsonb_agg(jsonb_build_object('kind', p.kind, 'amount', p.amount, 'currency', p.currency, 'status', p.status,
          'refunded_cents', (select coalesce(sum(r.amount), 0) from refunds r where r.payment_id = p.id and r.status <> 'failed'))
          order by p.created_at, p.id)
        from payments p where p.booking_id = b.id), '[]'::jsonb)`.as("payments"),
      sql<Extra["contract_status"]>`(select c.signed_status from contracts c where c.booking_id = b.id)`.as(
        "contract_status",
      ),
      sql<Date | null>`(
        select d.expires_at from date_reservations d
        where d.booking_id = b.id and d.kind = 'hold' and d.expires_at > ${deadHoldsBefore(now)}::timestamptz)`.as(
        "hold_expires_at",
      ),
      sql<number>`(extract(epoch from b.created_at) * 1000000)::bigint`.as("micros"),
    ]) as unknown as Query;
}

type Where = ExpressionBuilder<DB & { b: DB["bookings"]; a: DB["artists"] }, "b" | "a">;
const pattern = (search: string) => `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Any of the columns contains the text, in any case. */
const contains = (where: Where, columns: readonly ("a.name" | "b.promoter_name" | "b.venue_name")[], search: string) =>
  where.or(columns.map((column) => where(column, "ilike", pattern(search))));

/** All bookings, newest first. */
export async function listAllBookings(reader: Reader, input: Page & { status?: BookingStatus | undefined }, now: Date) {
  const after = readCursor(input.cursor, z.tuple([cursorKeys.micros, cursorKeys.id]));
  let query = listQuery(reader, now).orderBy("b.created_at", "desc").orderBy("b.id", "desc");
  if (input.status) query = query.where("b.status", "=", input.status);
  const { search } = input;
  if (search) query = query.where((where) => contains(where, ["a.name", "b.promoter_name", "b.venue_name"], search));
  if (after) {
    const [micros, id] = after;
    query = query.where(
      sql<boolean>`(b.created_at, b.id) < (timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::uuid)`,
    );
  }
  return pageOf(query, input.limit, (row) => [row.micros, row.id], presentListed);
}

/** The bookings of the artist that an account owns, by event date; those that are over or canceled latest first. */
export const listArtistBookings = (reader: Reader, userId: string, input: Own, now: Date) =>
  byEventDate(
    listQuery(reader, now).where("a.user_id", "=", userId),
    { ...input, now },
    ["b.promoter_name", "b.venue_name"],
    presentForArtist,
  );

/** The bookings of a promoter's account, by event date. */
export const listPromoterBookings = (reader: Reader, userId: string, input: Own, now: Date) =>
  byEventDate(
    listQuery(reader, now).where("b.promoter_user_id", "=", userId),
    { ...input, now },
    ["a.name", "b.venue_name"],
    presentListed,
  );

function byEventDate<T>(
  query: Query,
  input: Own & { now: Date },
  columns: Parameters<typeof contains>[1],
  present: (row: ListRow) => T,
) {
  const after = readCursor(input.cursor, z.tuple([cursorKeys.day, cursorKeys.id]));
  const { search } = input;
  // What is over is read backwards: the latest show first.
  const past = input.when === "past";
  let found = query.orderBy("b.event_date", past ? "desc" : "asc").orderBy("b.id", past ? "desc" : "asc");
  if (input.when) {
    // A show is ahead until it has ended, in whatever zone it is played, and unless it is canceled.
    const ahead = sql<boolean>`(b.ends_at > ${input.now}::timestamptz and b.status <> 'canceled')`;
    found = found.where(past ? sql<boolean>`not ${ahead}` : ahead);
  }
  if (search) found = found.where((where) => contains(where, columns, search));
  if (after) {
    const row = sql`(${after[0]}::date, ${after[1]}::uuid)`;
    found = found.where(
      past ? sql<boolean>`(b.event_date, b.id) < ${row}` : sql<boolean>`(b.event_date, b.id) > ${row}`,
    );
  }
  return pageOf(found, input.limit, (row) => [row.event_date, row.id], present);
}

async function pageOf<T>(
  query: Query,
  limit = defaultLimit,
  key: (row: ListRow) => (string | number)[],
  present: (row: ListRow) => T,
) {
  const rows = await query.limit(limit + 1).execute();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown.map(present), nextCursor: rows.length > limit && last ? cursorFor(key(last)) : null };
}

/** A booking in the specification's field names. The reply shape drops what is not named here. */
export const presentBooking = (row: Booking): BookingReply => ({ ...row, balance_paid: row.balance_paid_at !== null });

const presentListed = (row: ListRow): ListedBooking => ({
  ...presentBooking(row as Booking),
  artist: row.artist,
  payments: row.payments,
  contract_status: row.contract_status,
});

const contactsOpen = new Set<string>(["contract_signed", "completed"]);

function presentForArtist(row: ListRow): ArtistBooking {
  const open = contactsOpen.has(row.status);
  return {
    ...presentListed(row),
    promoter_email: open ? row.promoter_email : null,
    promoter_phone: open ? row.promoter_phone : null,
    hold: row.hold_expires_at ? { expires_at: row.hold_expires_at } : null,
  };
}

/** The artist of a booking, active or not. */
export const artistOfBooking = (reader: Reader, booking: Pick<Booking, "artist_id">) =>
  reader
    .selectFrom("artists")
    .select(["id", "slug", "name", "genre", "location", "user_id", "is_active"])
    .where("id", "=", booking.artist_id)
    .executeTakeFirstOrThrow();

/** The promoter's account behind a proven mailbox. Requests of others' browsers reach its list as well. */
export async function findPromoterByEmail(reader: Reader, email: string): Promise<string | null> {
  const row = await reader
    .selectFrom("users")
    .innerJoin("profiles", "profiles.user_id", "users.id")
    .select("users.id")
    .where(sql<string>`lower(users.email)`, "=", email.toLowerCase())
    .where("users.deleted_at", "is", null)
    .where("users.email_confirmed_at", "is not", null)
    .where("profiles.role", "=", "promoter")
    .executeTakeFirst();
  return row?.id ?? null;
}

export type LiveReservation = {
  booking_id: string;
  kind: "hold" | "booked";
  from: Date;
  to: Date;
  expires_at: Date | null;
};

/** The live reservations of an artist that overlap a span of time. */
export async function liveReservations(
  reader: Reader,
  artistId: string,
  span: { from: Date; to: Date },
  now: Date,
): Promise<LiveReservation[]> {
  const { rows } = await sql<LiveReservation>`
    select booking_id, kind, lower(during) as from, upper(during) as to, expires_at from date_reservations
    where artist_id = ${artistId} and during && tstzrange(${span.from}::timestamptz, ${span.to}::timestamptz, '[)')
      and (kind = 'booked' or expires_at > ${deadHoldsBefore(now)}::timestamptz)
    order by during`.execute(reader);
  return rows;
}

/** The payment that can still be made or was made for a booking and kind. */
export const livePayment = (reader: Reader, bookingId: string, kind: "deposit" | "balance") =>
  reader
    .selectFrom("payments")
    .select(["id", "checkout_state", "provider_ref"])
    .where("booking_id", "=", bookingId)
    .where("kind", "=", kind)
    .where("checkout_state", "in", ["reserved", "open", "paid"])
    .executeTakeFirst();

/** The attempts to pay the deposit that were made under a hold. */
export const attemptsUnder = (reader: Reader, hold: { booking_id: string; created_at: Date }) =>
  reader
    .selectFrom("payments")
    .select(["checkout_state", "asked_at", "provider_ref"])
    .where("booking_id", "=", hold.booking_id)
    .where("kind", "=", "deposit")
    .where("created_at", ">=", hold.created_at)
    .execute();

/** What becomes of a booking's paper, as its room has it. */
export async function contractState(
  reader: Reader,
  bookingId: string,
): Promise<"draft" | "sent" | "signed" | "declined" | null> {
  const row = await reader
    .selectFrom("contracts")
    .select("signed_status")
    .where("booking_id", "=", bookingId)
    .executeTakeFirst();
  return (row?.signed_status ?? null) as "draft" | "sent" | "signed" | "declined" | null;
}

/** The mailbox of an artist's account, if one owns the profile and has proven it. */
export async function artistMailbox(reader: Reader, artistId: string): Promise<string | null> {
  const row = await reader
    .selectFrom("artists")
    .innerJoin("users", "users.id", "artists.user_id")
    .select(["users.email", "users.email_confirmed_at"])
    .where("artists.id", "=", artistId)
    .where("users.deleted_at", "is", null)
    .executeTakeFirst();
  return row?.email_confirmed_at ? row.email : null;
}
