import { type RawBuilder, type SelectQueryBuilder, type Selectable, sql } from "kysely";
import { z } from "zod";
import type { DB, Reader } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import { nextActionDeadline, type NextActionInput } from "./rules/next-action.rules.ts";
import type { ArtistBooking, BookingReply, ListedBooking } from "./booking.api.ts";
import { completionBlock } from "./completion.views.ts";
import { type BookingStatus, bookingStatusNames } from "./rules/flow.rules.ts";
import { type CompletionBlock } from "./rules/completion.rules.ts";
import { deadHoldsBefore, heldUntil } from "#calendar/holds.rules.ts";
import { type PermissionInput, permissionsOf, type Relation } from "./rules/permissions.rules.ts";
import { readSort } from "#platform/list.rules.ts";
import type { OwnBookingColumn, OwnBookingSort, SavedFilter } from "./rules/list.rules.ts";
import { chargedAutomatically, type FilterReading, paidCents, savedFilter, summarize } from "./saved-filters.views.ts";
import type { Booking } from "./store.ts";

/** The viewer and the time, which determine the permissions in a response. `payments`: a card provider is set up. */
export type Reading = Readonly<{ relation: Relation; now: Date; payments: boolean }>;

type ArtistPart = ListedBooking["artist"];
type PaymentPart = ListedBooking["payments"][number];
type Extra = {
  artist: ArtistPart;
  payments: PaymentPart[];
  contract_status: ListedBooking["contract_status"];
  artist_active: boolean;
  first_signer: "promoter" | "artist" | null;
  balance_decision: boolean;
  balance_schedule: NextActionInput["balance_schedule"];
  signing_ends: Date | null;
  charged_automatically: boolean;
  completion_block: CompletionBlock | null;
  micros: number;
};
type ListRow = Selectable<DB["bookings"]> & Extra & { hold_expires_at: Date | null; sort_key: string | number };
type Page = { search?: string | undefined; limit?: number | undefined; cursor?: string | undefined };
type Own = Page & {
  show?: SavedFilter | undefined;
  sort?: OwnBookingSort | undefined;
  month?: string | undefined;
};
type Query = SelectQueryBuilder<DB & { b: DB["bookings"]; a: DB["artists"] }, "b" | "a", ListRow>;

export const defaultLimit = 24;

export function listQuery(reader: Reader, now: Date): Query {
  return reader
    .selectFrom("bookings as b")
    .innerJoin("artists as a", "a.id", "b.artist_id")
    .selectAll("b")
    .select("a.is_active as artist_active")
    .select([
      sql<ArtistPart>`jsonb_build_object('id', a.id, 'slug', a.slug, 'name', a.name, 'genre', a.genre, 'location', a.location)`.as(
        "artist",
      ),
      sql<PaymentPart[]>`coalesce((
        select jsonb_agg(jsonb_build_object('kind', p.kind, 'amount', f.amount, 'currency', p.currency, 'status', p.status,
          'refunded_cents', (select coalesce(sum(r.amount), 0) from refunds r where r.payment_id = p.id and r.status <> 'failed'),
          'disputed_cents', f.disputed_cents)
          order by p.created_at, p.id)
        from payments p join payment_figures f on f.payment_id = p.id where p.booking_id = b.id), '[]'::jsonb)`.as(
        "payments",
      ),
      sql<Extra["contract_status"]>`(select c.signed_status from contracts c where c.booking_id = b.id)`.as(
        "contract_status",
      ),
      sql<Extra["first_signer"]>`(select c.first_signer from contracts c where c.booking_id = b.id)`.as("first_signer"),
      sql<("promoter" | "artist")[]>`coalesce((
        select jsonb_agg(s.side) from contract_signers s join contracts c on c.id = s.contract_id
        where c.booking_id = b.id and s.signed_at is not null), '[]'::jsonb)`.as("signed_sides"),
      sql<boolean>`exists (
        select 1 from balance_schedules s where s.booking_id = b.id and s.last_step = 'decision')`.as(
        "balance_decision",
      ),
      sql<NextActionInput["balance_schedule"]>`(
        select jsonb_build_object('started_at', s.started_at, 'due_day', s.due_day, 'round', s.round)
        from balance_schedules s where s.booking_id = b.id)`.as("balance_schedule"),
      sql<Date | null>`(select c.expires_at from contracts c where c.booking_id = b.id)`.as("signing_ends"),
      chargedAutomatically.as("charged_automatically"),
      // Evaluated only after the show, when the promoter may confirm it.
      sql<Extra["completion_block"]>`(
        case when b.status = 'contract_signed' and b.ends_at <= ${now}::timestamptz then ${completionBlock} end)`.as(
        "completion_block",
      ),
      sql<Date | null>`(
        select d.expires_at from date_reservations d
        where d.booking_id = b.id and d.kind = 'hold' and d.expires_at > ${deadHoldsBefore(now)}::timestamptz)`.as(
        "hold_expires_at",
      ),
      sql<number>`(extract(epoch from b.created_at) * 1000000)::bigint`.as("micros"),
    ]) as unknown as Query;
}

type Column = "a.name" | "b.promoter_name" | "b.venue_name" | "b.number";
const pattern = (search: string) => `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const contains = (columns: readonly Column[], search: string) =>
  sql<boolean>`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ilike ${pattern(search)}`),
    sql` or `,
  )})`;

/** Returns the bookings of an account's artist, by event date by default, and with the filter `past` the latest first. */
export const listArtistBookings = (reader: Reader, userId: string, input: Own, at: Omit<Reading, "relation">) =>
  listOwn(
    reader,
    { ...input, ...at, side: "artist", owned: sql<boolean>`a.user_id = ${userId}::uuid` },
    ["b.promoter_name", "b.venue_name", "b.number"],
    (row) => toArtistBooking(row, { ...at, relation: { ...nobody, artist: true } }),
  );

export const listPromoterBookings = (reader: Reader, userId: string, input: Own, at: Omit<Reading, "relation">) =>
  listOwn(
    reader,
    { ...input, ...at, side: "promoter", owned: sql<boolean>`b.promoter_user_id = ${userId}::uuid` },
    ["a.name", "b.venue_name", "b.number"],
    (row) => toListedBooking(row, { ...at, relation: { ...nobody, promoter: true } }),
  );

export const byStatus = sql`coalesce(array_position(array[${sql.join(bookingStatusNames.map((name) => sql.lit(name)))}], b.status), 99)`;

const keyShapes = { date: cursorKeys.day, int: cursorKeys.int, text: cursorKeys.text } as const;

const sortKeys: Readonly<
  Record<OwnBookingColumn, Readonly<{ by: RawBuilder<unknown>; type: keyof typeof keyShapes }>>
> = {
  event: { by: sql`b.event_date`, type: "date" },
  amount: { by: sql`b.fee_cents`, type: "int" },
  paid: { by: sql`(${paidCents})::int`, type: "int" },
  artist: { by: sql`lower(a.name)`, type: "text" },
  promoter: { by: sql`lower(b.promoter_name)`, type: "text" },
  venue: { by: sql`lower(b.venue_name)`, type: "text" },
  status: { by: byStatus, type: "int" },
};

/** Returns one page of a user's own bookings, equal ones by start. The first page includes the counts of the saved filters. */
async function listOwn<T>(
  reader: Reader,
  input: Own & FilterReading & { owned: RawBuilder<boolean> },
  columns: readonly Column[],
  toItem: (row: ListRow) => T,
) {
  const { search, show, month, cursor, owned } = input;
  const sort = input.sort ?? (show === "past" ? "-event" : "event");
  const { column, down } = readSort(sort);
  const { by, type } = sortKeys[column];
  const direction = down ? "desc" : "asc";
  const after = readCursor<[string | number, number, string]>(
    cursor,
    z.tuple([keyShapes[type], cursorKeys.micros, cursorKeys.id]),
  );
  const within = search ? sql<boolean>`${owned} and ${contains(columns, search)}` : owned;
  let found = listQuery(reader, input.now)
    .select(sql<string | number>`${by}`.as("sort_key"))
    .where(within)
    .orderBy(by, direction)
    .orderBy("b.starts_at", direction)
    .orderBy("b.id", direction);
  if (show) found = found.where(savedFilter(show, input));
  if (month) {
    const first = sql<string>`${`${month}-01`}::date`;
    found = found.where("b.event_date", ">=", first).where(sql<boolean>`b.event_date < ${first} + interval '1 month'`);
  }
  if (after) {
    const row = sql`(${after[0]}::${sql.raw(type)}, timestamptz 'epoch' + ${after[1]}::bigint * interval '1 microsecond', ${after[2]}::uuid)`;
    found = found.where(sql<boolean>`(${by}, b.starts_at, b.id) ${sql.raw(down ? "<" : ">")} ${row}`);
  }
  const [page, summary] = await Promise.all([
    pageOf(found as Query, input.limit, (row) => [row.sort_key, row.starts_at.getTime() * 1000, row.id], toItem),
    cursor || month ? null : summarize(reader, within, show, input),
  ]);
  return { ...page, summary };
}

async function pageOf<T>(
  query: Query,
  limit = defaultLimit,
  key: (row: ListRow) => (string | number)[],
  toItem: (row: ListRow) => T,
) {
  const rows = await query.limit(limit + 1).execute();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown.map(toItem), nextCursor: rows.length > limit && last ? cursorFor(key(last)) : null };
}

export const nobody: Relation = { promoter: false, artist: false, admin: false };

type Around = Pick<
  PermissionInput,
  | "artist_active"
  | "contract_status"
  | "held"
  | "signed_sides"
  | "first_signer"
  | "balance_decision"
  | "no_show"
  | "no_show_stated"
  | "completion_block"
>;

export const permissionInput = (row: Booking, around: Around): PermissionInput => ({
  ...row,
  ...around,
  balance_paid: row.balance_paid_at !== null,
});

/** Returns a booking in the specification's field names, with the viewer's permissions. The response schema removes other fields. */
export const toBookingResponse = (row: Booking, around: Around, reading: Reading): BookingReply => ({
  ...row,
  canceled_by: row.canceled_by as BookingReply["canceled_by"],
  cancel_code: row.cancel_code as BookingReply["cancel_code"],
  balance_paid: row.balance_paid_at !== null,
  can: permissionsOf(reading.relation, permissionInput(row, around), reading),
});

export function toListedBooking(row: ListRow, reading: Reading): ListedBooking {
  const booking = row as unknown as Booking;
  const shown = toBookingResponse(booking, { ...row, held: row.hold_expires_at !== null }, reading);
  const { hold_expires_at: held, signing_ends, balance_schedule } = row;
  const around = { held_until: held && heldUntil(held), signing_ends, balance_schedule };
  const nothingToPay = row.charged_automatically && shown.can.pay === "balance";
  return {
    ...shown,
    artist: row.artist,
    payments: row.payments,
    contract_status: row.contract_status,
    act_due: nothingToPay ? null : nextActionDeadline({ ...booking, ...around }, shown.can, reading.now),
  };
}

const statusesWithContacts: ReadonlySet<string> = new Set<BookingStatus>(["contract_signed", "completed"]);

/** Returns the contact details for the artist, or null until both have signed. */
export function contactsForArtist(booking: Pick<Booking, "status" | "promoter_email" | "promoter_phone">) {
  const open = statusesWithContacts.has(booking.status);
  return {
    promoter_email: open ? booking.promoter_email : null,
    promoter_phone: open ? booking.promoter_phone : null,
  };
}

function toArtistBooking(row: ListRow, reading: Reading): ArtistBooking {
  const listed = toListedBooking(row, reading);
  return {
    ...listed,
    ...contactsForArtist(listed),
    hold: row.hold_expires_at ? { expires_at: heldUntil(row.hold_expires_at) } : null,
  };
}

export const artistOfBooking = (reader: Reader, booking: Pick<Booking, "artist_id">) =>
  reader
    .selectFrom("artists")
    .select([
      "id",
      "slug",
      "name",
      "genre",
      "location",
      "lat",
      "lon",
      "user_id",
      "is_active",
      "is_public",
      "poster_variant",
    ])
    .where("id", "=", booking.artist_id)
    .executeTakeFirstOrThrow();
