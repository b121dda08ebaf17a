import { recordActivity } from "#activity/index.ts";
import { holdableAgainFrom } from "#calendar/checkout-hold.rules.ts";
import { holdsOfBooking } from "#calendar/holds/index.ts";
import { disputedOf, waitingRefundOf } from "#disputes/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { positionOf } from "#ledger/index.ts";
import { returnedOf } from "#ledger/rules.ts";
import type { CanceledBy } from "#notifications/index.ts";
import { splitCommission } from "#payments/rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { artistSettings, promoterSettings } from "#settings/index.ts";
import { openBalanceOf } from "../balance/balance-emails.ts";
import { dateHeldUntil } from "../checkout/pay-link.views.ts";
import { notifyContractSent } from "../contract/contract-emails.ts";
import { alertOfReturnedDeposit, alertOfUnreachableArtist } from "../emails/admin-alerts.ts";
import {
  type EmailContext,
  emailContextOf,
  paymentLinks,
  eventSummary,
  documentsLink,
  moneyOrNull,
} from "../emails/email-context.ts";
import { notifyParties, notifyParty } from "../emails/notify-party.ts";
import { endedHoldsOf } from "../page/timeline.views.ts";
import { travelOf } from "../request/date-check.ts";
import { isAwaitingResponse } from "../rules/acceptance.rules.ts";
import { cancelReasonTo } from "../rules/cancel-reasons.rules.ts";
import {
  cancellationFee,
  feePayableFrom,
  termsTimeOf,
  type Division,
} from "../rules/cancellation/cancellation.rules.ts";
import {
  blockingCancelCode,
  type BookingHoldReleased,
  type BookingRequested,
  type BookingStatusChanged,
  bookingStatusLabel,
  type CancelCode,
} from "../rules/flow.rules.ts";
import { isAnsweredByEmail } from "../rules/permissions.rules.ts";
import { decideBookingDate } from "../views.ts";
import { notifyPayoutAwaitsRefund } from "./payout-emails.ts";

export async function notifyRequested(tx: Tx, services: Payments, event: BookingRequested): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  const { booking } = context;
  if (event.confirmed) {
    const message = `${booking.promoter_name} confirmed the request for ${eventSummary(context)}`;
    await recordActivity(tx, { type: "booking", refId: booking.id, message });
    if (isAwaitingResponse(booking, services.clock.now())) await notifyArtistOfRequest(tx, context, "confirmed");
    return;
  }
  const byArtist = event.hold?.by === "artist";
  const message = byArtist
    ? `The artist turned the hold of ${booking.promoter_name} into a request for ${eventSummary(context)}`
    : `${booking.promoter_name} requests ${eventSummary(context)}`;
  const { status, fee_cents, currency, event_type } = booking;
  const meta = { status, fee_cents, currency, event_type };
  await recordActivity(tx, { type: "booking", refId: booking.id, message, meta });
  if (byArtist) {
    // Otherwise the hold email has the payment link and the details (`hold-emails.ts`).
    if (booking.needs_confirmation || booking.answer_due_at)
      await notifyParty(tx, context, "promoter", {
        template: "request_received",
        key: "requested",
        params: { page: null, needsConfirmation: true, byArtist: booking.promoter_user_id ? "account" : "guest" },
      });
    return;
  }
  const pays = booking.deposit_cents > 0 && services.gateway !== null && !booking.needs_confirmation;
  const heldUntil = event.hold
    ? new Date(event.hold.until)
    : pays
      ? await dateHeldUntil(tx, booking, services.clock.now())
      : null;
  const holdUntil = heldUntil && formatInstant(heldUntil, booking.time_zone);
  const price = moneyOrNull(context, booking.fee_cents);
  const answerBy = answerByOf(booking);
  const isUnverified = booking.promoter_user_id === null && booking.email_proven_at === null;
  await notifyParty(tx, context, "promoter", {
    template: "request_received",
    key: "requested",
    params: async () => ({
      ...(pays ? await paymentLinks(tx, context, "deposit") : { page: null }),
      price,
      deposit: pays ? moneyOrNull(context, booking.deposit_cents) : null,
      answerBy,
      needsConfirmation: booking.needs_confirmation,
      holdUntil,
      canBeHeld: isUnverified && (await artistSettings(tx, context.artist.id)).holdsEnabled,
    }),
  });
  await notifyArtistOfRequest(tx, context, "requested");
}

async function notifyArtistOfRequest(tx: Tx, context: EmailContext, key: "requested" | "confirmed"): Promise<void> {
  const { booking } = context;
  const { commission, artist: net } = splitCommission(booking.fee_cents, booking.commission_bps);
  const answerBy = answerByOf(booking);
  const { promoter_email: email, promoter_phone: phone } = booking;
  const contact = isAnsweredByEmail(booking, context.services.gateway !== null) ? { email, phone } : null;
  const { event_type: eventType, guest_count: guestCount, duration, special_requests: specialRequests } = booking;
  await notifyParty(tx, context, "artist", {
    template: "new_request",
    key,
    params: async () => ({
      eventType,
      guestCount,
      duration,
      specialRequests,
      price: moneyOrNull(context, booking.fee_cents),
      ...(answerBy ? { answerBy, commission: moneyOrNull(context, commission), net: moneyOrNull(context, net) } : {}),
      contact,
      promoter: await promoterProfile(tx, context),
      travel: await travelTo(tx, context),
    }),
  });
  if (answerBy || contact) await alertOfUnreachableArtist(tx, context, "request");
}

const answerByOf = ({ answer_due_at: at, time_zone: timeZone }: EmailContext["booking"]) => at && { at, timeZone };

const travelTo = async (tx: Tx, { booking, artist }: EmailContext) =>
  travelOf(booking.venue_address, artist, (await artistSettings(tx, artist.id)).travelRadius);

async function promoterProfile(tx: Tx, { booking }: EmailContext) {
  if (!booking.promoter_user_id || booking.needs_confirmation) return null;
  const settings = await promoterSettings(tx, booking.promoter_user_id);
  const { organizationName, website, description, preferredContactMethod } = settings;
  return { organizationName, website, description, preferredContactMethod };
}

export async function notifyStatusChanged(tx: Tx, services: Payments, event: BookingStatusChanged): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  const { bookingId: refId, from, to, by, cause } = event;
  const message = `${eventSummary(context)}: ${bookingStatusLabel(from)} → ${bookingStatusLabel(to)}`;
  await recordActivity(tx, { type: "booking", refId, message, meta: { from, to, by, cause } });
  if (to === "deposit_paid") await notifyBooked(tx, context);
  if (to === "contract_sent") await notifyContractSent(tx, context);
  if (to === "completed") await notifyPayoutAwaitsRefund(tx, services, context);
  if (to !== "canceled") return;
  // A lost date is notified with its cause. A request that its own promoter replaced needs no email.
  // A request that ends was never in a calendar.
  const wasShow = from !== "initiated";
  if (cause !== "replaced" && cause !== "date_lost")
    await notifyCanceled(tx, context, { calendar: wasShow, division: event.division });
  if (by === "system" && cause === "money_returned") await alertOfReturnedDeposit(tx, services, context.booking);
}

async function notifyBooked(tx: Tx, context: EmailContext): Promise<void> {
  const { booking } = context;
  const balance = await openBalanceOf(tx, context);
  const price = moneyOrNull(context, booking.fee_cents);
  const paid = { amount: booking.deposit_cents, currency: booking.currency };
  await notifyParties(tx, context, {
    template: "booking_confirmation",
    key: "booked",
    calendar: true,
    params: (side) => ({ ...balance[side], price }),
  });
  await alertOfUnreachableArtist(tx, context, "booking");
  if (booking.deposit_payment_id === null) return;
  await notifyParties(tx, context, {
    template: "deposit_received",
    key: "deposit",
    params: (side) => ({ ...balance[side], ...documentsLink(context, side), paid }),
  });
}

const actionOfCode: Readonly<Partial<Record<CancelCode, CanceledBy["action"]>>> = {
  contract_declined: "declined_contract",
  request_declined: "declined_request",
};

/** Notifies both parties of a cancellation, but the artist of no request that ended because the date was booked or blocked. */
export async function notifyCanceled(
  tx: Tx,
  context: EmailContext,
  { calendar, division }: { calendar: boolean; division?: Division | undefined } = { calendar: false },
): Promise<void> {
  const { cancel_code: code, cancel_note: note, canceled_at: canceledAt } = context.booking;
  const { id, currency, balance_payment_id: balanceId, balance_cents: balance } = context.booking;
  // The action already names the reason, or the note contains it.
  const isNamed = code === null || code === "other" || code in actionOfCode;
  const reasonTo = (side: "promoter" | "artist") => (isNamed ? null : cancelReasonTo(side, code));
  const canceled = {
    by: context.booking.canceled_by ?? "system",
    action: actionOfCode[code ?? "other"] ?? "canceled",
    wasRequest: !calendar,
    note,
    isFree: await isFree(tx, context),
  } as const;
  const message = { template: "booking_canceled", key: "canceled", calendar } as const;
  const amount = (cents = 0) => (cents > 0 ? moneyOrNull(context, cents) : null);
  const agreed = code === "force_majeure";
  const waiting = amount(await waitingRefundOf(tx, id));
  const returned = division?.refund === 0 ? returnedOf(await positionOf(tx, id, currency)) : 0;
  const fee = (division?.artist ?? 0) + (division?.commission ?? 0);
  const terms = termsTimeOf(context.booking, canceledAt ?? context.services.clock.now());
  const fullFee = cancellationFee(context.booking.policy, { ...context.booking, paid: fee + returned }, terms);
  const returnedBefore = fullFee > fee ? amount(returned) : null;
  await notifyParty(tx, context, "promoter", {
    ...message,
    params: {
      side: "promoter",
      ...canceled,
      reason: reasonTo("promoter"),
      refund: amount(division?.refund),
      inTwo: balanceId !== null && (division?.refund ?? 0) > balance,
      waiting,
      cancellationFee: amount(fee),
      returnedBefore,
      agreed,
    },
  });
  if (code === "date_lost") return;
  const { open } = await disputedOf(tx, context.booking);
  await notifyParty(tx, context, "artist", {
    ...message,
    params: {
      side: "artist",
      ...canceled,
      reason: reasonTo("artist"),
      refund: amount(division?.refund),
      waiting,
      cancellationFee: amount(division?.artist),
      returnedBefore,
      blocksNight: code === blockingCancelCode,
      ...(canceledAt
        ? { payable: { from: feePayableFrom(canceledAt), timeZone: context.booking.time_zone, disputed: open > 0 } }
        : {}),
      agreed,
    },
  });
}

async function isFree(tx: Tx, { booking, artist, services }: EmailContext): Promise<boolean> {
  const anyone = { isOwn: () => false, promoterUserId: null, heldBy: null, now: services.clock.now() };
  return (await decideBookingDate(tx, booking, artist, anyone)).state === "free";
}

const holdEnds = {
  checkout: "expired",
  clock: "expired",
  promoter: "released_by_promoter",
  artist: "released_by_artist",
} as const satisfies Record<BookingHoldReleased["by"], string>;

export async function notifyHoldReleased(
  tx: Tx,
  services: Payments,
  event: BookingHoldReleased,
  eventId: number,
): Promise<void> {
  const context = await emailContextOf(tx, services, event.bookingId);
  const { booking } = context;
  const now = services.clock.now();
  const message = `${eventSummary(context)}: the hold of the checkout has ended`;
  await recordActivity(tx, { type: "booking", refId: booking.id, message, meta: { by: event.by } });
  if (booking.status !== "initiated" || booking.starts_at <= now) return;
  const endedAt = event.endedAt ? new Date(event.endedAt) : now;
  const from = holdableAgainFrom(endedAt);
  const night = (await holdsOfBooking(tx, booking))?.from;
  const isUnconfirmed = (await endedHoldsOf(tx, booking.id)).findLast((hold) => hold.ended_at <= endedAt)?.mayBePaid;
  await notifyParty(tx, context, "promoter", {
    template: "hold_ended",
    key: `hold ${eventId}`,
    params: {
      ended: isUnconfirmed ? "unconfirmed" : holdEnds[event.by],
      again: !isUnconfirmed && from < booking.starts_at ? { from, timeZone: booking.time_zone } : null,
      nightHeld: night?.state === "active" ? { until: night.until, timeZone: booking.time_zone } : null,
    },
  });
}
