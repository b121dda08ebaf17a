/** Reads one booking whole: facts, money, contract, history and what the reader may do. */
import { contractOf } from "#contracts/index.ts";
import { paymentsOf } from "#payments/index.ts";
import { splitCommission } from "#payments/rules.ts";
import type { Reader } from "#platform/db/index.ts";
import { type Asking, availabilityOf, spanOf } from "./availability/availability.ts";
import { balanceDue } from "./availability/check.ts";
import type { BookingPage } from "./api.ts";
import { bookingStatuses, cancelCodeText, type CancelCode, heldUntil } from "./rules.ts";
import type { Booking } from "./store.ts";
import { type artistOfBooking, contactsForArtist, liveHold, presentBooking, type Reading } from "./views.ts";

type Money = BookingPage["money"];
type Line = BookingPage["timeline"][number];

/** Reads the page of a booking for a reader who may see it. `hasAccount`: they are signed in as its owner. */
export async function readBookingPage(
  reader: Reader,
  booking: Booking,
  artist: Awaited<ReturnType<typeof artistOfBooking>>,
  reading: Reading & { isOwner: boolean; asking: Asking },
): Promise<BookingPage> {
  const { relation, now } = reading;
  const [contract, paid, hold] = await Promise.all([
    contractOf(reader, booking.id),
    paymentsOf(reader, [booking.id]),
    liveHold(reader, booking.id, now),
  ]);
  const shown = presentBooking(
    booking,
    { artist_active: artist.is_active, contract_status: contract?.status ?? null, held: hold !== undefined },
    reading,
  );
  const date =
    shown.can.pay === "deposit" && relation.promoter ? await dateOf(reader, booking, artist, reading.asking) : null;
  const canBeHeld = date === null || hold !== undefined || date.state === "free";
  const onlyArtist = relation.artist && !relation.promoter && !relation.admin;
  return {
    ...shown,
    can: canBeHeld ? shown.can : { ...shown.can, pay: null },
    ...(onlyArtist ? contactsForArtist(booking) : {}),
    viewer: relation.admin ? "admin" : onlyArtist ? "artist" : reading.isOwner ? "promoter" : "guest",
    has_account: booking.promoter_user_id !== null,
    artist,
    money: moneyOf(booking, paid, { ...reading, showCommission: relation.artist || relation.admin }),
    contract: contract && {
      id: contract.id,
      status: contract.status,
      sent_at: contract.sentAt,
      signed_at: contract.signedAt,
    },
    date: hold === undefined ? date : null,
    hold: hold?.expires_at ? { expires_at: heldUntil(hold.expires_at) } : null,
    timeline: timelineOf(booking, contract),
  };
}

async function dateOf(reader: Reader, booking: Booking, artist: { id: string; name: string }, asking: Asking) {
  const { event_date: day, time_zone: zone } = booking;
  const { decision } = await availabilityOf(
    reader,
    { artist, day, zone, limits: null, span: spanOf(booking), except: booking.id },
    asking,
  );
  const { state, message, from } = decision;
  return { state, message, from };
}

type Payments = Awaited<ReturnType<typeof paymentsOf>>;

function moneyOf(booking: Booking, paid: Payments, at: { now: Date; showCommission: boolean }): Money {
  const arrived = paid.filter((payment) => payment.payment_date !== null);
  const paid_cents = arrived.reduce((sum, payment) => sum + payment.amount, 0);
  const refunded_cents = arrived.reduce((sum, payment) => sum + payment.amount_refunded, 0);
  const depositOwed = booking.deposit_paid_at === null ? booking.deposit_cents : 0;
  const balanceOwed = booking.balance_paid_at === null ? booking.balance_cents : 0;
  return {
    fee_cents: booking.fee_cents,
    deposit_cents: booking.deposit_cents,
    balance_cents: booking.balance_cents,
    paid_cents,
    refunded_cents,
    outstanding_cents: booking.status === "canceled" ? 0 : depositOwed + balanceOwed,
    balance_due: balanceDue(booking.event_date, booking.time_zone, at.now),
    commission_cents: at.showCommission ? splitCommission(booking.fee_cents, booking.commission_bps).commission : null,
    payments: paid.map(({ id, kind, amount, currency, status, payment_date, amount_refunded }) => ({
      id,
      kind,
      amount,
      currency,
      status,
      payment_date,
      refunded_cents: amount_refunded,
    })),
  };
}

function timelineOf(booking: Booking, contract: Awaited<ReturnType<typeof contractOf>>): Line[] {
  const line = (at: Date | null, kind: Line["kind"], text: string): Line[] => (at ? [{ at, kind, text }] : []);
  const label = (status: keyof typeof bookingStatuses) => bookingStatuses[status].label;
  const code = booking.cancel_code as CancelCode | null;
  const why = code === "other" && booking.cancel_note ? booking.cancel_note : code ? cancelCodeText[code] : "";
  return [
    ...line(booking.created_at, "requested", "Requested"),
    ...line(booking.deposit_paid_at, "deposit_paid", label("deposit_paid")),
    ...line(contract?.sentAt ?? null, "contract_sent", label("contract_sent")),
    ...line(contract?.signedAt ?? null, "contract_signed", label("contract_signed")),
    ...line(booking.balance_paid_at, "balance_paid", "Balance paid"),
    ...line(booking.completed_at, "completed", label("completed")),
    ...line(booking.canceled_at, "canceled", why ? `${label("canceled")}: ${why}` : label("canceled")),
  ].sort((one, other) => one.at.getTime() - other.at.getTime());
}
