import { type InsertObject, type Selectable, sql } from "kysely";
import { hasRow, isUuid, updateById, type DB, type Reader, sentWithNext, type Tx } from "#platform/db/index.ts";
import { promoterIdByEmail } from "#users/index.ts";
import { broadcastBookingChange } from "./change-notifications.ts";
import { bookingMissing, type Caller } from "./policy.ts";
import type { CancellationPolicy } from "./rules/cancellation/cancellation.rules.ts";

export type Booking = Omit<Selectable<DB["bookings"]>, "policy"> & { policy: CancellationPolicy };

const bookings = (reader: Reader) => reader.selectFrom("bookings").selectAll().$castTo<Booking>();

export const findBooking = async (reader: Reader, id: string): Promise<Booking | undefined> =>
  isUuid(id) ? bookings(reader).where("id", "=", id).executeTakeFirst() : undefined;

/** Locks a booking. Every decision about it is made under this lock. */
export const lockBooking = async (tx: Tx, id: string): Promise<Booking | undefined> =>
  isUuid(id) ? bookings(tx).where("id", "=", id).forUpdate().executeTakeFirst() : undefined;

export async function requireBooking(reader: Reader, id: string): Promise<Booking> {
  const booking = await findBooking(reader, id);
  if (!booking) throw bookingMissing();
  return booking;
}

export async function requireLockedBooking(tx: Tx, id: string): Promise<Booking> {
  const booking = await lockBooking(tx, id);
  if (!booking) throw bookingMissing();
  return booking;
}

export const insertBooking = (tx: Tx, row: InsertObject<DB, "bookings">): Promise<Booking | undefined> =>
  tx
    .insertInto("bookings")
    .values(row)
    .onConflict((on) => on.column("form_key").doNothing())
    .returningAll()
    .$castTo<Booking>()
    .executeTakeFirst();

export const findByFormKey = (tx: Tx, formKey: string): Promise<Booking | undefined> =>
  bookings(tx).where("form_key", "=", formKey).executeTakeFirst();

/** Serializes concurrent forms of one caller for one artist and evening. */
export const lockRequestsOf = (tx: Tx, person: string, artistId: string, eventDate: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`request ${person} ${artistId} ${eventDate}`}, 0)) ${sentWithNext}`.execute(
    tx,
  );

/** Locks and returns the caller's unpaid requests without a hold for one artist and evening: owned by the account or opened by the browser's keys. */
export const lockLiveRequests = async (
  tx: Tx,
  caller: Caller,
  date: { artistId: string; eventDate: string; now: Date },
): Promise<Booking[]> =>
  caller.userId === null && caller.keyHashes.length === 0
    ? []
    : bookings(tx)
        .where("artist_id", "=", date.artistId)
        .where("event_date", "=", date.eventDate)
        .where("status", "=", "initiated")
        .where("starts_at", ">", date.now)
        .where((eb) =>
          eb.or([
            ...(caller.userId === null ? [] : [eb("promoter_user_id", "=", caller.userId)]),
            ...(caller.keyHashes.length === 0
              ? []
              : [
                  eb("access_key_hash", "in", [...caller.keyHashes]),
                  eb("verified_key_hash", "in", [...caller.keyHashes]),
                ]),
          ]),
        )
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom("date_reservations")
                .select("date_reservations.id")
                .whereRef("date_reservations.booking_id", "=", "bookings.id"),
            ),
          ),
        )
        .orderBy("created_at")
        .forUpdate()
        .execute();

/** Records that a signed link of an email was opened, and the hash of the key for its browser. */
export async function markMailboxVerified(tx: Tx, booking: Booking, { hash, now }: { hash: Buffer; now: Date }) {
  const fields = { email_proven_at: booking.email_proven_at ?? now, verified_key_hash: hash };
  await tx
    .updateTable("bookings")
    .set(fields)
    .where("id", "=", booking.id)
    .where("promoter_user_id", "is", null)
    .execute();
  Object.assign(booking, fields);
}

/** Marks a request that another browser sent in an account's name. No browser has its key. */
export async function requireConfirmation(tx: Tx, booking: Booking): Promise<void> {
  const fields = { needs_confirmation: true, access_key_hash: null, verified_key_hash: null };
  await updateById(tx, "bookings", booking.id, fields);
  Object.assign(booking, fields);
}

/** Returns the organizer of the booking's emailed calendar entry: the sender of the first one. */
export async function calendarOrganizer(tx: Tx, bookingId: string, fromEmail: string): Promise<string> {
  const { calendar_organizer: organizer } = await tx
    .updateTable("bookings")
    .set({ calendar_organizer: sql<string>`coalesce(calendar_organizer, ${fromEmail})` })
    .where("id", "=", bookingId)
    .returning("calendar_organizer")
    .executeTakeFirstOrThrow();
  return organizer ?? fromEmail;
}

type Change = Partial<
  Pick<
    Booking,
    | "status"
    | "canceled_at"
    | "canceled_by"
    | "cancel_code"
    | "cancellation_fee_cents"
    | "cancel_note"
    | "deposit_paid_at"
    | "deposit_payment_id"
    | "balance_paid_at"
    | "balance_payment_id"
    | "completed_at"
    | "balance_unpayable_at"
    | "needs_confirmation"
    | "answer_due_at"
    | "promoter_email"
    | "email_corrections"
    | "listing"
  >
>;

/** Writes changes of a locked booking as one new version, and notifies open lists. */
export async function changeBooking(tx: Tx, booking: Booking, fields: Change, at: Date): Promise<void> {
  const version = booking.version + 1;
  await updateById(tx, "bookings", booking.id, { ...fields, version, updated_at: at });
  Object.assign(booking, fields, { version });
  await broadcastBookingChange(tx, booking.id);
}

/** Assigns the unattached requests with the address of a promoter's verified account to it. Unverified ones must be confirmed before the payment. Paid ones whose address was corrected wait until a link of an email was opened. Returns how many there were. */
export async function attachRequests(tx: Tx, email: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("bookings")
    .set({
      promoter_user_id: promoterIdByEmail(email),
      access_key_hash: null,
      verified_key_hash: null,
      needs_confirmation: sql<boolean>`status = 'initiated' and email_proven_at is null`,
    })
    .where(sql<string>`lower(promoter_email)`, "=", email.toLowerCase())
    .where("promoter_user_id", "is", null)
    .where(sql<boolean>`(status = 'initiated' or email_proven_at is not null or email_corrections = 0)`)
    .where(promoterIdByEmail(email), "is not", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Gives the requests of an account its new address. Those with another address do not change. Returns how many there were. */
export async function changeRequestAddress(
  tx: Tx,
  { userId, email, former }: { userId: string; email: string; former: string },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("bookings")
    .set({ promoter_email: email })
    .where("promoter_user_id", "=", userId)
    .where(sql<string>`lower(promoter_email)`, "=", former.toLowerCase())
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

type PayLink = { hash: Uint8Array; bookingId: string; kind: "deposit" | "balance" };

export const insertPayLink = (tx: Tx, { hash, bookingId, kind, now }: PayLink & { now: Date }) =>
  tx
    .insertInto("pay_links")
    .values({ hash, booking_id: bookingId, kind, created_at: now })
    .modifyEnd(sentWithNext)
    .execute();

export const hasPayLink = (reader: Reader, { hash, bookingId, kind }: PayLink): Promise<boolean> =>
  hasRow(reader)`select 1 from pay_links where hash = ${hash} and booking_id = ${bookingId} and kind = ${kind}`;
