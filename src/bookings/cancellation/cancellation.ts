import { blockNightOf, checkoutsOfNight, lockQueues } from "#calendar/holds/index.ts";
import { dayStart } from "#calendar/time.rules.ts";
import { waitingShareOf } from "#disputes/index.ts";
import { type Payments } from "#gateway/gateway.ts";
import { heldFor } from "#ledger/index.ts";
import { divideHeld, expireCheckout, livePayment, lockPayments } from "#payments/index.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { conflict, invalid } from "#platform/errors.ts";
import { addDays } from "#platform/time/calendar.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { completionBlockOf, promoterObjects } from "../conditions/completion.views.ts";
import { endExpiredHolds, endCheckoutAndHold } from "../lifecycle/checkout-holds.ts";
import { cancel } from "../lifecycle/transitions.ts";
import {
  type CancelFault,
  type Division,
  divisionOf,
  feePayableFrom,
  termsTimeOf,
  unsignedBalance,
} from "../rules/cancellation/cancellation.rules.ts";
import { completionBlockText } from "../rules/completion.rules.ts";
import {
  blockingCancelCode,
  type CancelCode,
  type Canceler,
  cancelCodeText,
  isChosenCode,
  mayCancel,
  mayTakeStep,
} from "../rules/flow.rules.ts";
import type { Booking } from "../store.ts";
import type { CancellationPreview } from "./cancellation.api.ts";

const faultOf = (by: Canceler): CancelFault => (by === "promoter" || by === "artist" ? by : "nobody");

function divisionAt(booking: Booking, held: number, fault: CancelFault, at: Date): Division {
  const returned = unsignedBalance(booking, held);
  const division = divisionOf({ ...booking, held: held - returned }, fault, termsTimeOf(booking, at));
  return { ...division, refund: division.refund + returned };
}

/** Returns the times after `now` until the show at which the division can change, in order: the end of the cooling-off period and local midnights. */
function changesAfter(booking: Booking, now: Date): Date[] {
  const { coolingOff, steps } = booking.policy;
  const zone = booking.time_zone;
  const lastDays = [...steps.map((step) => step.daysBeforeAtLeast), coolingOff.unlessDaysBeforeBelow];
  const midnights = lastDays.map((minDays) => dayStart(zone, addDays(booking.event_date, 1 - minDays)));
  const cooled = booking.deposit_paid_at
    ? [new Date(booking.deposit_paid_at.getTime() + coolingOff.hours * hourMs)]
    : [];
  return [...midnights, ...cooled, booking.starts_at]
    .filter((at) => at > now && at <= booking.starts_at)
    .sort((a, b) => a.getTime() - b.getTime());
}

const sameDivision = (a: Division, b: Division) => a.refund === b.refund && a.artist === b.artist;

/** Returns the divisions ahead, each valid until its `until`. The last `until` is the start of the show. */
function divisionsAhead(booking: Booking, held: number, fault: CancelFault, now: Date) {
  const ahead: { division: Division; until: Date }[] = [];
  let division = divisionAt(booking, held, fault, now);
  for (const until of changesAfter(booking, now)) {
    const next = divisionAt(booking, held, fault, until);
    const last = until >= booking.starts_at;
    if (!last && sameDivision(division, next)) continue;
    ahead.push({ division, until });
    division = next;
  }
  return ahead;
}

/** The promoter sees the artist's part before the commission. Only the artist and admins see the commission. */
const figuresFor = (by: Canceler, { refund, artist, commission }: Division) =>
  by === "promoter"
    ? { refund_cents: refund, artist_keeps_cents: artist + commission, commission_cents: 0 }
    : { refund_cents: refund, artist_keeps_cents: artist, commission_cents: commission };

function requireCancelable(booking: Booking, by: Canceler, now: Date): void {
  if (booking.status === "canceled")
    throw conflict("This booking is already canceled.", { data: { status: "canceled" } });
  if (!mayTakeStep("cancel", booking.status, by))
    throw conflict("The show is over. You can no longer cancel this booking.");
  if (mayCancel(booking, by, now)) return;
  throw conflict(
    by === "promoter"
      ? "The show has begun. Report a no-show instead."
      : "The show has begun. You can no longer cancel this booking.",
  );
}

/** Returns the amounts of canceling now and until the show, in cents. `fault` is the side in breach. Throws a conflict (409) if canceling is over, and for the promoter's fault while an objection is open: the terms may not bind. Only their own objection stops a promoter who cancels. */
export async function previewCancellation(
  reader: Reader,
  booking: Booking,
  { by, fault = faultOf(by), now }: { by: Canceler; fault?: CancelFault; now: Date },
): Promise<CancellationPreview> {
  requireCancelable(booking, by, now);
  const isStopped =
    by === "promoter"
      ? await promoterObjects(reader, booking.id)
      : fault === "promoter" && (await completionBlockOf(reader, booking.id)) === "objection";
  if (isStopped) throw conflict(completionBlockText.objection);
  const held = await heldFor(reader, booking.id, booking.currency);
  const ahead = divisionsAhead(booking, held, fault, now);
  const division = divisionAt(booking, held, fault, now);
  return {
    ...figuresFor(by, division),
    waiting_cents: division.refund > 0 ? await waitingShareOf(reader, booking.id, division.refund) : 0,
    currency: booking.currency,
    valid_until: ahead[0]?.until ?? null,
    steps: ahead.map(({ division, until }) => {
      const { refund_cents, artist_keeps_cents } = figuresFor(by, division);
      return { until, refund_cents, artist_keeps_cents };
    }),
  };
}

/** Throws a conflict (409) if not `shown` cents are held any more: a payment or a refund has arrived since an admin divided them. */
export function requireHeld(held: number, shown: number | undefined): void {
  if (shown !== undefined && shown !== held)
    throw conflict("The amounts have changed. Reload the booking, and decide again.", { data: { held_cents: held } });
}

/** Returns true if the provider has the balance of a locked booking, and the payment event is not yet applied. */
export const isBalanceArriving = async (reader: Reader, booking: Booking): Promise<boolean> =>
  booking.balance_paid_at === null && (await livePayment(reader, booking.id, "balance"))?.checkoutState === "paid";

/** Ends a locked booking and divides its money in the same transaction. `fault` decides whether the promoter's policy applies. */
export async function endBooking(
  tx: Tx,
  booking: Booking,
  end: { by: Canceler; code: CancelCode; fault: CancelFault; note?: string | null; now: Date },
): Promise<Division> {
  await lockPayments(tx, booking.id);
  const held = await heldFor(tx, booking.id, booking.currency);
  const division = divisionAt(booking, held, end.fault, end.now);
  // Of the price, also if a bank has taken a part of it.
  const { artist, commission } = divisionAt(booking, booking.fee_cents, end.fault, end.now);
  await endWithDivision(tx, booking, { ...end, division, held, fee: artist + commission });
  return division;
}

/** Ends a locked booking and divides its `held` money (cents) as given. `fee`: what the terms retain of the price at most. */
export async function endWithDivision(
  tx: Tx,
  booking: Booking,
  end: {
    by: Canceler;
    code: CancelCode;
    note?: string | null;
    now: Date;
    division: Division;
    held: number;
    fee?: number;
  },
): Promise<void> {
  const { division, fee = division.artist + division.commission } = end;
  await cancel(tx, booking, { ...end, fee });
  if (end.held > 0)
    await divideHeld(tx, {
      bookingId: booking.id,
      artistId: booking.artist_id,
      currency: booking.currency,
      refund: division.refund,
      keep: division.artist + division.commission,
      commissionBps: booking.commission_bps,
      reason: end.code === "other" ? "The booking was canceled." : cancelCodeText[end.code],
      now: end.now,
      dueAt: feePayableFrom(end.now),
    });
}

type CancelRequest = Readonly<{ by: Canceler; code: CancelCode; expectedRefund: number; now: Date }>;

/** Throws invalid (400) if the side cannot choose this reason, and a conflict (409) if it cannot cancel, or the refund is not `expectedRefund` (cents). */
export async function requireCancelRequest(reader: Reader, booking: Booking, request: CancelRequest): Promise<void> {
  const { by, code, expectedRefund, now } = request;
  if (!isChosenCode(by, code)) throw invalid("Choose a reason from the list.");
  const preview = await previewCancellation(reader, booking, { by, now });
  if (preview.refund_cents !== expectedRefund)
    throw conflict("The amounts have changed. Review them again.", { data: preview });
}

/** Cancels a locked booking, and blocks the night if the artist cannot perform. Throws like `requireCancelRequest`. */
export async function cancelBooking(
  tx: Tx,
  booking: Booking,
  request: CancelRequest & { note: string | null },
): Promise<void> {
  const { by, code, note, now } = request;
  await lockPayments(tx, booking.id);
  await requireCancelRequest(tx, booking, request);
  const isBlocking = code === blockingCancelCode;
  if (isBlocking) {
    await lockQueues(tx, booking.artist_id);
    await endExpiredHolds(tx, booking.artist_id, now);
  }
  await endBooking(tx, booking, { by, code, note, fault: faultOf(by), now });
  if (isBlocking) await blockNightOf(tx, booking, `Canceled ${booking.number}`, now);
}

/** Ends the checkouts of a booking before its cancellation. Must run outside a transaction. Throws a conflict (409) if a payment just arrived. */
export async function endCheckouts(services: Payments, booking: Booking, by: "promoter" | "artist" | "admin") {
  const kind = booking.status === "initiated" ? "deposit" : "balance";
  const payment = await livePayment(services.database.db, booking.id, kind);
  if (!payment || (payment.checkoutState === "paid" && kind === "balance")) return;
  const ended =
    kind === "deposit"
      ? await endCheckoutAndHold(services, booking.id, by === "artist" ? "artist" : "promoter")
      : await expireCheckout(services, payment.id);
  if (ended === "already_paid") throw conflict("A payment has just arrived. Review the amounts, then try again.");
}

/** Ends what the cancellation would leave at the checkout: the booking itself, and all of its night if the artist cannot perform. */
export async function endCheckoutsBefore(
  services: Payments,
  booking: Booking,
  { by, code }: { by: "promoter" | "artist" | "admin"; code: CancelCode },
): Promise<void> {
  await endCheckouts(services, booking, by);
  if (by !== "artist" || code !== blockingCancelCode) return;
  for (const id of await checkoutsOfNight(services.database.db, booking))
    await endCheckoutAndHold(services, id, "artist");
}
