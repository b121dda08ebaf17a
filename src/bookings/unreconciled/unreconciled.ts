import { recordActivity } from "#activity/index.ts";
import { overlapsReservation } from "#calendar/index.ts";
import { spanOf } from "#calendar/time.rules.ts";
import { type Payments } from "#gateway/gateway.ts";
import type { Reader } from "#platform/db/index.ts";
import { notFound, conflict } from "#platform/errors.ts";
import { formatMoneyExact } from "#platform/money.rules.ts";
import {
  applyFoundMoney,
  fetchFoundMoney,
  findItem,
  openItems,
  reasonNotToAssign,
  returnFoundMoney,
} from "#reconciliation/index.ts";
import { onHoldError } from "../acceptance/acceptance.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { contractFor } from "../checkout/checkout.ts";
import { amountOf } from "../checkout/due-payment.ts";
import { bookingMissing } from "../policy.ts";
import { payableNow } from "../rules/flow.rules.ts";
import { type Booking, findBooking, requireBooking, requireLockedBooking } from "../store.ts";
import { artistOfBooking } from "../views.ts";

type Given = Readonly<{ id: string; by: string; reason: string }>;

async function findByNumber(reader: Reader, number: string): Promise<Booking> {
  const row = await reader
    .selectFrom("bookings")
    .select("id")
    .where("number", "=", number.trim().toUpperCase())
    .executeTakeFirst();
  if (!row) throw bookingMissing();
  return requireBooking(reader, row.id);
}

function dueOf(booking: Booking, now: Date) {
  const kind = payableNow(booking);
  if (!kind || (kind === "deposit" && booking.starts_at <= now)) return null;
  return { kind, amount: amountOf(booking, kind) };
}

type Item = Awaited<ReturnType<typeof findItem>>;

async function whyNot(reader: Reader, booking: Booking, item: Item, now: Date): Promise<string | null> {
  const due = dueOf(booking, now);
  const { marked_booking_id: markedBookingId, payment_kind: kind } = item ?? {};
  const marked =
    markedBookingId && markedBookingId !== booking.id ? await findBooking(reader, markedBookingId) : undefined;
  if (marked) return `The payment was made for ${marked.number}.`;
  if (kind && (kind === "deposit" ? booking.deposit_payment_id : booking.balance_payment_id) !== null)
    return `The ${kind} of this booking is already paid.`;
  if (booking.status === "canceled") return "This booking is canceled.";
  if (!due) return "Nothing is due for this booking now.";
  if (kind && kind !== due.kind) return `The payment is a ${kind}, and this booking is due its ${due.kind} now.`;
  if (item?.currency !== booking.currency) return "This booking is paid in another currency.";
  if (item.amount !== due.amount)
    return `This booking is due a ${due.kind} of ${formatMoneyExact(due.amount, booking.currency)}, which is a different amount.`;
  const date = { artistId: booking.artist_id, span: spanOf(booking), except: booking.id, now };
  const isTaken = async () =>
    (await overlapsReservation(reader, date)) || (await onHoldError(reader, booking, now)) !== undefined;
  if (due.kind === "deposit" && (await isTaken()))
    return "Another booking or a hold has the date. The payment would be refunded immediately.";
  return reasonNotToAssign(reader, { bookingId: booking.id, kind: due.kind });
}

export async function listItems(reader: Reader) {
  const items = await openItems(reader);
  const ids = items.flatMap(({ marked_booking_id: id }) => (id ? [id] : []));
  const rows = ids.length
    ? await reader.selectFrom("bookings").select(["id", "number"]).where("id", "in", ids).execute()
    : [];
  const numbers = new Map(rows.map(({ id, number }) => [id, number]));
  return items.map((item) => ({
    ...item,
    booking_number: numbers.get(item.marked_booking_id ?? "") ?? item.booking_number,
  }));
}

export async function matchItem(reader: Reader, { id, number }: { id: string; number: string }, now: Date) {
  const item = await findItem(reader, id);
  if (item?.kind !== "payment") throw notFound("There is no such payment.");
  const booking = await findByNumber(reader, number);
  const artist = await artistOfBooking(reader, booking);
  const due = dueOf(booking, now);
  const { promoter_name, event_date } = booking;
  return {
    booking: { id: booking.id, number: booking.number, promoter_name, event_date, artist_name: artist.name },
    kind: due?.kind ?? null,
    due_cents: due?.amount ?? null,
    currency: booking.currency,
    reason: await whyNot(reader, booking, item, now),
  };
}

/** Applies an unmatched payment to a booking as its due payment. Throws a conflict (409) if it does not match exactly. */
export async function applyItem(services: Payments, how: Given & { number: string }): Promise<void> {
  const { database, clock } = services;
  const { id } = await findByNumber(database.db, how.number);
  const found = await fetchFoundMoney(services, how.id);
  const { amount, currency, providerPayment } = found.money;
  await database.transaction(async (tx) => {
    const booking = await requireLockedBooking(tx, id);
    const now = clock.now();
    const due = dueOf(booking, now);
    const reason = await whyNot(tx, booking, await findItem(tx, how.id), now);
    if (reason || !due) throw conflict(reason ?? "Nothing is due for this booking now.");
    const artist = await artistOfBooking(tx, booking);
    await contractFor(tx, booking, artist);
    const want = {
      bookingId: booking.id,
      ...due,
      currency: booking.currency,
      title: `${due.kind === "deposit" ? "Deposit" : "Balance"} for ${artist.name}`,
      payerEmail: booking.promoter_email,
      payerName: booking.promoter_name,
      now,
    };
    await applyFoundMoney(tx, { found, want, how });
    const message = `An admin applied a payment of ${formatMoneyExact(amount, currency)} to ${booking.number} as its ${due.kind}: ${how.reason}`;
    const meta = { provider_payment: providerPayment, by: how.by, amount, currency };
    await recordActivity(tx, { type: "payment", refId: booking.id, message, meta });
    await broadcastBookingChange(tx, booking.id);
  });
  services.wake();
}

export async function returnItem(services: Payments, how: Given): Promise<void> {
  const found = await fetchFoundMoney(services, how.id);
  const { amount, currency, providerPayment } = found.money;
  await services.database.transaction(async (tx) => {
    await returnFoundMoney(tx, { found, how });
    const message = `An admin refunded a payment of ${formatMoneyExact(amount, currency)}: ${how.reason}`;
    const meta = { provider_payment: providerPayment, by: how.by, amount, currency };
    await recordActivity(tx, { type: "payment", refId: null, message, meta });
  });
  services.wake();
}
