/** Opens a checkout: drafts the contract, holds the date and reserves the payment in one transaction, then calls the provider. */

import { posterUrl } from "#artists/rules.ts";
import { heldUntil } from "#calendar/checkout-hold.rules.ts";
import { refreshBeforeCommitment } from "#calendar/import/index.ts";
import { type DateReservation, prolongHold } from "#calendar/index.ts";
import { draftContract } from "#contracts/index.ts";
import { type Payments } from "#gateway/gateway.ts";
import { openCheckout, reservePayment } from "#payments/index.ts";
import { checkoutMinutes, type Payer, type PaymentKind } from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { Problem, conflict } from "#platform/errors.ts";
import { formatMoney, formatPercent } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { dayIn, describeDay } from "#platform/time/calendar.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { contractTerms } from "../contract/contract-terms.ts";
import { attemptsOf, holdDate } from "../lifecycle/checkout-holds.ts";
import { isPayLink } from "../links/pay-links.ts";
import { authorize, type Caller, mayPay, provenEmailOf } from "../policy.ts";
import { describeFeeSteps, feeSteps } from "../rules/cancellation/fee-steps.rules.ts";
import { coolingOffStart } from "../rules/cancellation/policy-text.rules.ts";
import { balanceDueDay } from "../rules/money/due-day.rules.ts";
import { cardCanPay } from "../rules/permissions.rules.ts";
import { type Booking, findBooking, requireLockedBooking } from "../store.ts";
import { findConsent } from "../stores/consent.store.ts";
import { artistOfBooking, type BookedArtist } from "../views.ts";
import { amountOf, whyNotDue } from "./due-payment.ts";

/** The maximum age of a hold that still leaves the provider's minimum checkout time. A hold without a requested checkout restarts after it. */
const freshMs = (checkoutMinutes.expires - checkoutMinutes.shown) * minuteMs - 20_000;

export type CheckoutRequest = Readonly<{
  bookingId: string;
  kind: PaymentKind;
  caller: Caller;
  /** Fingerprints of browser and address for the limits on holds, next to the booking's mailbox. Null if unknown. */
  heldBy: Readonly<{ browser: string | null; address: string | null }>;
  origin: string;
  /** The secret of a payment link. It opens this checkout and nothing else. */
  payLink?:
    | Readonly<{
        secret: string;
        /** Gets the provider session if the link, and not the caller, may pay. */
        onPayer(session: string): void;
        payer: Payer | null;
      }>
    | undefined;
}>;

type NoCheckout = "on_request" | "no_deposit" | "payments_not_set_up";
export type Opened = { url: string; session_id: string; held_until: Date | null; contract: ContractPart };
type ContractPart = { id: string; signed_status: string } | null;

export async function contractFor(
  tx: Tx,
  booking: Booking,
  artist: Pick<BookedArtist, "id" | "name" | "user_id">,
): Promise<ContractPart> {
  if (booking.fee_cents === 0) return null;
  return draftContract(tx, { bookingId: booking.id, terms: await contractTerms(tx, booking, artist) });
}

type Reserved = {
  booking: Booking;
  artist: BookedArtist;
  contract: ContractPart;
  reservation: DateReservation | undefined;
  paymentId: string;
  byLink: boolean;
};
type NothingToPay = { reason: NoCheckout; contract: ContractPart };

/** Opens the checkout of a deposit or balance, or returns the open one. Throws not found (404) if the caller may not pay, a conflict (409) if nothing is due. */
export async function startCheckout(services: Payments, request: CheckoutRequest): Promise<Opened> {
  const opened = await openOrEnd(services, request, false);
  if ("reason" in opened) throw new Error("a checkout without a payment was not requested");
  return opened;
}

/** Drafts the contract and opens the deposit's checkout. Returns a reason instead if there is nothing to pay by card. */
export const startContractAndCheckout = (
  services: Payments,
  request: Omit<CheckoutRequest, "kind">,
): Promise<Opened | NothingToPay> => openOrEnd(services, { ...request, kind: "deposit" }, true);

/** Refreshes the artist's external calendars. Must run outside a transaction, because it may take 2 s. */
async function refreshCalendarsFor(services: Payments, bookingId: string): Promise<void> {
  const booking = await findBooking(services.database.db, bookingId);
  if (booking) await refreshBeforeCommitment(services, booking.artist_id);
}

async function openOrEnd(
  services: Payments,
  request: CheckoutRequest,
  mayEnd: boolean,
): Promise<Opened | NothingToPay> {
  if (request.kind === "deposit") await refreshCalendarsFor(services, request.bookingId);
  for (let again = 0; ; again++) {
    const reserved = await services.database.transaction((tx) => reserve(tx, services, request, mayEnd));
    services.wake();
    if ("reason" in reserved) return reserved;
    const { reservation, contract } = reserved;
    const expiresAt =
      reservation?.expires_at ?? new Date(services.clock.now().getTime() + checkoutMinutes.expires * minuteMs);
    try {
      const { url, ref } = await openCheckout(services, reserved.paymentId, {
        successUrl: `${request.origin}${paths.bookingSuccess}?session_id={CHECKOUT_SESSION_ID}`,
        cancelUrl: `${request.origin}${wayBack(request, reserved)}`,
        contractUrl:
          request.kind === "deposit" && !reserved.byLink
            ? `${request.origin}${paths.guestBooking(reserved.booking.id)}#contract`
            : undefined,
        bookingNumber: reserved.booking.number,
        expiresAt,
      });
      if (reserved.byLink) request.payLink?.onPayer(ref);
      const until = reservation?.expires_at ? heldUntil(reservation.expires_at) : null;
      return { url, session_id: ref, held_until: until, contract };
    } catch (error) {
      // The open page has expired: retries once with a new payment.
      if (!(error instanceof Problem) || error.kind !== "gone" || again > 0) throw error;
    }
  }
}

/** Returns the page for a payer who leaves the checkout. A payer with a link may not see the booking. */
function wayBack({ caller, kind }: CheckoutRequest, { booking, artist, byLink }: Reserved): string {
  if (caller.userId !== null && caller.userId === booking.promoter_user_id) return paths.promoterArea.bookings;
  if (byLink) return `${paths.pay(booking.id, kind)}?problem=canceled`;
  return kind === "deposit" ? paths.book(artist.slug) : paths.guestBooking(booking.id);
}

async function reserve(
  tx: Tx,
  services: Payments,
  request: CheckoutRequest,
  mayEnd: boolean,
): Promise<Reserved | NothingToPay> {
  const { kind, caller, payLink } = request;
  const now = services.clock.now();
  const booking = await requireLockedBooking(tx, request.bookingId);
  const allowed = mayPay(caller, booking);
  const byLink =
    !allowed && payLink !== undefined && (await isPayLink(tx, { secret: payLink.secret, bookingId: booking.id, kind }));
  authorize(allowed || byLink);
  const payer = payLink?.payer ?? null;
  requireConfirmed(booking);
  const ended = mayEnd && booking.status === "initiated" ? whyNoCheckout(services, booking) : null;
  if (ended) return { reason: ended, contract: await contractFor(tx, booking, await artistOfBooking(tx, booking)) };
  const notDue = await whyNotDue(tx, booking, kind, now);
  if (notDue) throw conflict(notDue, { data: { status: booking.status, version: booking.version } });
  if (!services.gateway) throw new Problem("unavailable", "Payments are not set up yet.");
  const artist = await artistOfBooking(tx, booking);
  if (kind === "deposit" && !artist.is_active) throw conflict(`${artist.name} accepts no bookings at the moment.`);
  const contract = await contractFor(tx, booking, artist);
  const reservation =
    kind === "deposit"
      ? await holdDate(tx, booking, artist, {
          heldBy: { ...request.heldBy, email: provenEmailOf(booking)?.toLowerCase() ?? null },
          caller,
          now,
          limits: services.config.rateLimits,
        })
      : undefined;
  const payment = await reservePayment(tx, {
    bookingId: booking.id,
    kind,
    amount: amountOf(booking, kind),
    currency: booking.currency,
    title: `${kind === "deposit" ? "Deposit" : "Balance"} for ${artist.name}`,
    details: [
      `${describeDay(booking.event_date)}, ${booking.event_time}`,
      booking.venue_name,
      ...balanceLine(booking, kind, now),
      cancellationLine(booking, kind, now),
    ],
    // An external provider cannot fetch an image from loopback. The demo's provider can.
    imageUrl:
      request.origin.startsWith("https:") || services.config.demo ? `${request.origin}${posterUrl(artist)}` : null,
    payerEmail: payer?.email ?? booking.promoter_email,
    payerName: payer?.name ?? booking.promoter_name,
    payer,
    // The promoter's consent is no consent of another payer, whose card is not saved.
    saveCardNotice: kind === "deposit" && !byLink ? ((await findConsent(tx, booking.id))?.text ?? null) : null,
    now,
  });
  if (reservation) await refreshHold(tx, reservation, now);
  await broadcastBookingChange(tx, booking.id);
  return { booking, artist, reservation, contract, paymentId: payment.id, byLink };
}

function balanceLine(booking: Booking, kind: PaymentKind, now: Date): string[] {
  if (kind !== "deposit" || booking.balance_cents === 0) return [];
  const due = balanceDueDay(booking.event_date, booking.time_zone, now);
  const amount = formatMoney(booking.balance_cents, booking.currency);
  return [
    `${formatPercent(booking.deposit_percent)} of ${formatMoney(booking.fee_cents, booking.currency)}`,
    `Balance ${amount}, ${due ? `due ${describeDay(due)}` : "due once both have signed"}`,
  ];
}

/** The cooling-off period runs from the deposit, so the balance does not mention it. */
function cancellationLine(booking: Booking, kind: PaymentKind, now: Date): string {
  const { policy } = booking;
  const price = { fee: booking.fee_cents, deposit: booking.deposit_cents, balance: booking.balance_cents };
  const steps = feeSteps(policy, price, { date: booking.event_date, today: dayIn(booking.time_zone, now) });
  const coolingOffFrom = kind === "deposit" ? coolingOffStart(booking.deposit_cents > 0) : undefined;
  return describeFeeSteps(policy, steps, (cents) => formatMoney(cents, booking.currency), coolingOffFrom);
}

/** Throws a conflict (409) if the account has not confirmed a request that another browser sent in its name. */
function requireConfirmed(booking: Booking): void {
  if (booking.needs_confirmation)
    throw conflict("Confirm first that you sent this request. Sign in and open the booking.");
}

const whyNoCheckout = (services: Payments, booking: Booking): NoCheckout | null => {
  if (!cardCanPay(booking.currency, booking.fee_cents)) return "on_request";
  if (!services.gateway) return "payments_not_set_up";
  return booking.answer_due_at === null ? null : "no_deposit";
};

/** Restarts a hold without a requested checkout, because the provider needs 30 minutes. After the request the hold is never extended. */
async function refreshHold(tx: Tx, reservation: DateReservation, now: Date): Promise<void> {
  if ((await attemptsOf(tx, reservation)).some((attempt) => attempt.requested)) return;
  const left = (reservation.expires_at?.getTime() ?? 0) - now.getTime();
  if (left > checkoutMinutes.expires * minuteMs - freshMs) return;
  reservation.expires_at = new Date(now.getTime() + checkoutMinutes.expires * minuteMs);
  await prolongHold(tx, reservation.id, reservation.expires_at);
}
