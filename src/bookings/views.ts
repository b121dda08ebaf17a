import { type Selectable, sql } from "kysely";
import { expiredHoldsBefore, heldUntil } from "#calendar/checkout-hold.rules.ts";
import type { DateDecision } from "#calendar/decision.rules.ts";
import { availabilityOf, type DateRequester } from "#calendar/index.ts";
import { spanOf } from "#calendar/time.rules.ts";
import { paymentFigures } from "#ledger/index.ts";
import { hasOpenObjection } from "#payouts/index.ts";
import type { DB, Reader } from "#platform/db/index.ts";
import type { ArtistBooking, BookingReply, ListedBooking } from "./booking.api.ts";
import { completionBlock, hasPromoterObjection } from "./conditions/completion.views.ts";
import { chargedAutomatically } from "./conditions/saved-filters.views.ts";
import { type BookingStatus, bookingStatusNames } from "./rules/flow.rules.ts";
import { nextActionDeadline, type NextActionInput } from "./rules/next-action.rules.ts";
import {
  isAnsweredByEmail,
  type PermissionInput,
  permissionsOf,
  type ReadingTime,
  type Relation,
} from "./rules/permissions.rules.ts";
import type { Booking } from "./store.ts";

export type Reading = ReadingTime & Readonly<{ relation: Relation }>;

type Around = Omit<PermissionInput, keyof Booking>;

type ListRow = Booking &
  Pick<ListedBooking, "artist" | "payments"> &
  Pick<NextActionInput, "balance_schedule" | "signing_ends"> &
  Pick<Around, "artist_active" | "contract_status" | "signed_sides" | "first_signer"> &
  Pick<Around, "balance_decision" | "completion_block" | "promoter_objects"> & {
    charged_automatically: boolean;
    hold_expires_at: Date | null;
    micros: number;
  };

export const defaultLimit = 24;

export const byStatus = sql`coalesce(array_position(array[${sql.join(bookingStatusNames.map((name) => sql.lit(name)))}], b.status), 99)`;

export const listQuery = (reader: Reader, now: Date) =>
  reader
    .selectFrom("bookings as b")
    .innerJoin("artists as a", "a.id", "b.artist_id")
    .selectAll("b")
    .select([
      "a.is_active as artist_active",
      sql`jsonb_build_object('id', a.id, 'slug', a.slug, 'name', a.name, 'genre', a.genre, 'location', a.location)`.as(
        "artist",
      ),
      sql`coalesce((
        select jsonb_agg(jsonb_build_object('kind', p.kind, 'amount', f.amount, 'currency', p.currency, 'status', p.status,
          'refunded_cents', f.refunded_cents + ${paymentFigures.refunding}, 'refunding_cents', ${paymentFigures.refunding}, 'disputed_cents', f.disputed_cents)
          order by p.created_at, p.id)
        from payments p join payment_figures f on f.payment_id = p.id where p.booking_id = b.id), '[]'::jsonb)`.as(
        "payments",
      ),
      sql`(select c.signed_status from contracts c where c.booking_id = b.id)`.as("contract_status"),
      sql`(select c.first_signer from contracts c where c.booking_id = b.id)`.as("first_signer"),
      sql`coalesce((
        select jsonb_agg(s.side) from contract_signers s join contracts c on c.id = s.contract_id
        where c.booking_id = b.id and s.signed_at is not null), '[]'::jsonb)`.as("signed_sides"),
      sql`exists (
        select 1 from balance_schedules s where s.booking_id = b.id and s.last_step = 'decision')`.as(
        "balance_decision",
      ),
      sql`(
        select jsonb_build_object('started_at', s.started_at, 'due_day', s.due_day, 'round', s.round)
        from balance_schedules s where s.booking_id = b.id)`.as("balance_schedule"),
      sql`(select c.expires_at from contracts c where c.booking_id = b.id)`.as("signing_ends"),
      chargedAutomatically.as("charged_automatically"),
      // The other blocks matter only after the show, when the promoter may confirm it.
      sql`(
        case when b.status <> 'contract_signed' then null
          when b.ends_at <= ${now}::timestamptz then ${completionBlock}
          else (select 'objection' from (select b.id as booking_id) p where ${hasOpenObjection}) end)`.as(
        "completion_block",
      ),
      hasPromoterObjection.as("promoter_objects"),
      sql`(
        select d.expires_at from date_reservations d
        where d.booking_id = b.id and d.kind = 'hold' and d.expires_at > ${expiredHoldsBefore(now)}::timestamptz)`.as(
        "hold_expires_at",
      ),
      sql`(extract(epoch from b.created_at) * 1000000)::bigint`.as("micros"),
    ])
    .$castTo<ListRow>();

export const noRelation: Relation = { promoter: false, artist: false, admin: false };

/** Returns a booking with the viewer's permissions. The response schema removes other fields. */
export const toBookingResponse = (row: Booking, around: Around, reading: Reading): BookingReply => ({
  ...row,
  balance_paid: row.balance_paid_at !== null,
  answered_by_email: isAnsweredByEmail(row, reading.payments),
  can: permissionsOf(reading.relation, { ...row, ...around }, reading),
});

export function toListedBooking(row: ListRow, reading: Reading): ListedBooking {
  const { hold_expires_at: held } = row;
  const shown = toBookingResponse(row, { ...row, held: held !== null }, reading);
  const nothingToPay = row.charged_automatically && shown.can.pay === "balance";
  return {
    ...row,
    ...shown,
    act_due: nothingToPay
      ? null
      : nextActionDeadline({ ...row, held_until: held && heldUntil(held) }, shown.can, reading.now),
  };
}

const statusesWithContacts: ReadonlySet<string> = new Set<BookingStatus>(["contract_signed", "completed"]);

/** Returns the contact details for the artist once both have signed, and of a request to answer by email. Otherwise null. Whether the promoter has an account is not disclosed. */
export function fieldsForArtist(
  booking: Parameters<typeof isAnsweredByEmail>[0] & Pick<Booking, "promoter_email" | "promoter_phone">,
  { payments }: Pick<ReadingTime, "payments">,
) {
  const open = statusesWithContacts.has(booking.status) || isAnsweredByEmail(booking, payments);
  return {
    promoter_email: open ? booking.promoter_email : null,
    promoter_phone: open ? booking.promoter_phone : null,
    needs_confirmation: false,
  };
}

export function toArtistBooking(
  row: ListRow,
  reading: Reading,
): Omit<ArtistBooking, "busy_elsewhere" | "payout_status"> {
  const listed = toListedBooking(row, reading);
  return {
    ...listed,
    ...fieldsForArtist(row, reading),
    hold: row.hold_expires_at ? { expires_at: heldUntil(row.hold_expires_at) } : null,
  };
}

/** Returns whether the date of a stored booking is available to the requester, regardless of its own reservation. */
export async function decideBookingDate(
  reader: Reader,
  booking: Booking,
  artist: Pick<BookedArtist, "id" | "name">,
  requester: DateRequester,
): Promise<DateDecision> {
  const { id: except, event_date: day, time_zone: zone } = booking;
  const date = { artist, day, zone, limits: null, span: spanOf(booking), except };
  return (await availabilityOf(reader, date, requester)).decision;
}

const artistColumns = [
  "id",
  "slug",
  "name",
  "genre",
  "location",
  "lat",
  "lon",
  "time_zone",
  "user_id",
  "is_active",
  "is_public",
  "poster_variant",
] as const;

export type BookedArtist = Pick<Selectable<DB["artists"]>, (typeof artistColumns)[number]>;

export const artistOfBooking = (reader: Reader, booking: Pick<Booking, "artist_id">): Promise<BookedArtist> =>
  reader.selectFrom("artists").select(artistColumns).where("id", "=", booking.artist_id).executeTakeFirstOrThrow();

export async function findWithArtist(
  reader: Reader,
  id: string,
): Promise<{ booking: Booking; artist: BookedArtist } | undefined> {
  const columns = sql.join(artistColumns.flatMap((name) => [sql.lit(name), sql.ref(`a.${name}`)]));
  const row = await reader
    .selectFrom("bookings as b")
    .innerJoin("artists as a", "a.id", "b.artist_id")
    .selectAll("b")
    .select(sql<BookedArtist>`jsonb_build_object(${columns})`.as("artist"))
    .where("b.id", "=", id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { artist, ...booking } = row;
  return { booking: booking as Booking, artist };
}
