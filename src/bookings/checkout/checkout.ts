/** From a stored request to the provider's page: draft the contract, hold the date, reserve the payment, commit, then ask. */
import { draftContract } from "#contracts/index.ts";
import { openCheckout, type Payments, reservePayment } from "#payments/index.ts";
import { chargeable, checkoutMinutes, isCurrency, type PaymentKind } from "#payments/rules.ts";
import { artistsPicture } from "./poster-image.ts";
import type { Tx } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import type { Context } from "#platform/http/context.ts";
import { addressBlock } from "#platform/limits.ts";
import { grantKey, bookingKey, usePayLink } from "../request/access.ts";
import { contractTerms } from "./contract-terms.ts";
import { holdDate } from "../availability/holds.ts";
import { originOf } from "./origin.ts";
import { authorize, bookingMissing, hasAskedFor, mayPay } from "../policy.ts";
import { bookingStatusLabel, payableNow } from "../rules.ts";
import { signalBooking } from "../signals.ts";
import { type Booking, type DateReservation, heldUntil, type HeldBy, lockBooking, prolongHold } from "../store.ts";
import { describeDay } from "#platform/calendar.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { artistOfBooking, attemptsUnder } from "../views.ts";

type Caller = Context<Payments>;
type Artist = Awaited<ReturnType<typeof artistOfBooking>>;
const minuteMs = 60_000;
/** A hold that is older than this no longer leaves the provider's least time; an unopened one starts anew. */
const freshMs = (checkoutMinutes.expires - checkoutMinutes.shown) * minuteMs - 20_000;

/** Why there is nothing to pay on a page now. */
export type NoCheckout = "on_request" | "payments_not_set_up";
export type Opened = { url: string; session_id: string; held_until: Date | null; contract: ContractPart };
type ContractPart = { id: string; signed_status: string } | null;

/** Drafts the contract from the snapshot. A price that is still to be agreed has no terms yet. */
async function contractFor(tx: Tx, booking: Booking, artist: Pick<Artist, "id" | "name">): Promise<ContractPart> {
  if (booking.fee_cents === 0) return null;
  const { id, status } = await draftContract(tx, {
    bookingId: booking.id,
    provider: "embedded",
    terms: contractTerms(booking, artist),
  });
  return { id, signed_status: status };
}

/**
 * Rate 0, or payments not set up: the contract is drafted when there is a price, and that is all for now. Null: a
 * checkout can be opened.
 */
export async function endWithoutCheckout(
  tx: Tx,
  caller: Caller,
  bookingId: string,
): Promise<{ reason: NoCheckout; contract: ContractPart } | null> {
  const booking = await lockBooking(tx, bookingId);
  if (!booking) throw bookingMissing();
  authorize(mayPay(caller, booking));
  const reason = !cardCanPay(booking, booking.fee_cents)
    ? "on_request"
    : caller.services.gateway
      ? null
      : "payments_not_set_up";
  if (!reason || booking.status !== "initiated") return null;
  return { reason, contract: await contractFor(tx, booking, await artistOfBooking(tx, booking)) };
}

/**
 * Opens the checkout of a deposit or balance, or answers the one that is open. Refuses with the 404 of a missing booking
 * whoever may not pay; with 409 and words when nothing is due or the date is not free.
 */
export async function startCheckout(
  caller: Caller,
  wish: { bookingId: string; kind: PaymentKind; link?: string | undefined },
): Promise<Opened> {
  for (let again = 0; ; again++) {
    const reserved = await caller.transaction((tx) => reserve(tx, caller, wish, again > 0));
    if (wish.link)
      grantKey(caller.reply, caller.request.cookies, bookingKey(caller.services.keys, reserved.booking.id));
    const addresses = addressesFor(caller, reserved.booking, reserved.artist);
    try {
      const { url, ref } = await openCheckout(caller.services, reserved.paymentId, {
        ...addresses,
        expiresAt:
          reserved.reservation?.expires_at ??
          new Date(caller.services.clock.now().getTime() + checkoutMinutes.expires * minuteMs),
      });
      return {
        url,
        session_id: ref,
        held_until: reserved.reservation?.expires_at ? heldUntil(reserved.reservation.expires_at) : null,
        contract: reserved.contract,
      };
    } catch (error) {
      // The page that was open has ended meanwhile: one fresh start, not more.
      if (!(error instanceof Problem) || error.kind !== "gone" || again > 0) throw error;
    }
  }
}

async function reserve(
  tx: Tx,
  caller: Caller,
  wish: { bookingId: string; kind: PaymentKind; link?: string | undefined },
  known: boolean,
) {
  const now = caller.services.clock.now();
  const booking = await lockBooking(tx, wish.bookingId);
  if (!booking) throw bookingMissing();
  // A link that was used a moment ago is used up; whoever starts afresh is known already.
  const allowed = known || mayPay(caller, booking);
  authorize(
    allowed || (wish.link !== undefined && (await usePayLink(tx, { secret: wish.link, bookingId: booking.id, now }))),
  );
  refuseUnlessDue(booking, wish.kind, now);
  if (!caller.services.gateway) throw new Problem("unavailable", "Payments are not set up yet.");
  const artist = await artistOfBooking(tx, booking);
  if (wish.kind === "deposit" && !artist.is_active)
    throw new Problem("conflict", `${artist.name} takes no bookings at the moment.`);
  const contract = await contractFor(tx, booking, artist);
  const reservation =
    wish.kind === "deposit"
      ? await holdDate(tx, booking, {
          heldBy: heldByOf(caller, booking),
          isOwn: (other) => hasAskedFor(caller, other),
          now,
          limits: caller.services.config.rateLimits,
        })
      : undefined;
  const payment = await reservePayment(tx, {
    bookingId: booking.id,
    kind: wish.kind,
    amount: amountOf(booking, wish.kind),
    currency: booking.currency,
    title: `${wish.kind === "deposit" ? "Deposit" : "Balance"} for ${artist.name}`,
    description: `${describeDay(booking.event_date)}, ${booking.event_time}, ${booking.venue_name}`.slice(0, 400),
    imageUrl: artistsPicture(caller, artist),
    payerEmail: booking.promoter_email,
    payerName: booking.promoter_name,
    now,
  });
  if (reservation) await refresh(tx, reservation, now);
  await signalBooking(tx, booking.id);
  return { booking, artist, reservation, contract, paymentId: payment.id };
}

/**
 * The provider wants half an hour from the moment it is asked: a hold that waited longer for its first call starts anew.
 * Once it was asked under this hold, the half hour runs and nothing prolongs it.
 */
async function refresh(tx: Tx, reservation: DateReservation, now: Date): Promise<void> {
  if ((await attemptsUnder(tx, reservation)).some((attempt) => attempt.asked_at !== null)) return;
  const left = (reservation.expires_at?.getTime() ?? 0) - now.getTime();
  if (left > checkoutMinutes.expires * minuteMs - freshMs) return;
  reservation.expires_at = new Date(now.getTime() + checkoutMinutes.expires * minuteMs);
  await prolongHold(tx, reservation.id, reservation.expires_at);
}

/** Nothing is asked of a provider that it would refuse: it would answer with an error while the date is held. */
const cardCanPay = ({ currency }: Booking, amount: number): boolean =>
  isCurrency(currency) && chargeable(amount, currency) > 0;

function refuseUnlessDue(booking: Booking, kind: PaymentKind, now: Date): void {
  const due = payableNow({ ...booking, balance_paid: booking.balance_paid_at !== null });
  const isDue = due === kind && !(kind === "deposit" && booking.starts_at <= now);
  if (isDue && cardCanPay(booking, amountOf(booking, kind))) return;
  const sentence = isDue
    ? "This amount is too small for a card payment. Please settle it with each other."
    : notDueSentence(booking, kind);
  throw new Problem("conflict", sentence, { data: { status: booking.status, version: booking.version } });
}

const amountOf = (booking: Booking, kind: PaymentKind): number =>
  kind === "deposit" ? booking.deposit_cents : booking.balance_cents;

function notDueSentence(booking: Booking, kind: PaymentKind): string {
  if (booking.status === "canceled") return "This booking is canceled; nothing is to be paid.";
  if (kind === "deposit" && booking.deposit_paid_at) return "The deposit is already paid.";
  if (kind === "balance" && booking.balance_paid_at) return "The balance is already paid.";
  if (booking.fee_cents === 0) return "The price is on request; there is nothing to pay yet.";
  if (kind === "deposit") return "The event has begun; this request can no longer be paid.";
  if (booking.balance_cents === 0) return "Everything is paid with the deposit; there is no balance.";
  return `The balance can be paid once the contract is signed. This booking is at "${bookingStatusLabel(booking.status)}".`;
}

/** The three keys that limits count. Loopback stands for everybody behind a proxy that was not listed, so it counts for nobody. */
function heldByOf(caller: Caller, booking: Booking): HeldBy {
  const { browserKey, ip } = caller.request;
  const block = ip === "" ? null : addressBlock(ip);
  const local = block === null || block.startsWith("127.") || block === "0:0:0:0::/64";
  return {
    browser: browserKey === "" ? null : browserKey,
    address: local ? null : caller.services.keys.hmac("hold address", block).toString("base64url"),
    email: booking.promoter_email.toLowerCase(),
  };
}

function addressesFor(caller: Caller, booking: Booking, artist: Pick<Artist, "slug">) {
  const origin = originOf(caller);
  const owner = caller.actor !== null && caller.actor.userId === booking.promoter_user_id;
  return {
    successUrl: `${origin}${paths.bookingSuccess}?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${origin}${owner ? paths.promoterArea.bookings : paths.book(artist.slug)}`,
  };
}
