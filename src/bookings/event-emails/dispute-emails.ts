import { recordActivity } from "#activity/index.ts";
import { disputesOf, openRefundsOf } from "#disputes/index.ts";
import { disputeReason } from "#disputes/reasons.rules.ts";
import { type DisputeChanged, disputeStateOf } from "#disputes/rules.ts";
import type { Payments } from "#gateway/gateway.ts";
import { leftOfRelease, positionOf } from "#ledger/index.ts";
import { payoutsOf } from "#payouts/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { formatMoneyExact, splitByLargestRemainder } from "#platform/money.rules.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { platformSettings } from "#settings/index.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { isDisputeByOther } from "../disputes/payers.views.ts";
import { alertAdmins, alertOfLostDispute } from "../emails/admin-alerts.ts";
import { type EmailContext, emailContextOf, eventSummary, moneyOrNull } from "../emails/email-context.ts";
import { notifyParties, notifyParty } from "../emails/notify-party.ts";
import { sharesOf } from "../rules/money/shares.rules.ts";
import { notifyPayoutAwaitsRefund } from "./payout-emails.ts";
import { isPaidOutside, isTakenFromUnsent } from "./unsent-payouts.views.ts";

function messageOf(event: DisputeChanged, about: string): string {
  const money = formatMoneyExact(event.amount, event.currency);
  const sum = (cents: number) => formatMoneyExact(cents, event.currency);
  if (event.step === "opened")
    return disputeStateOf(event.status) === "inquiry"
      ? `The payer's bank inquires about ${money} of ${about}: ${disputeReason(event.reason)}`
      : `The payer disputes ${money} of ${about}: ${disputeReason(event.reason)}`;
  if (event.step === "escalated") return `The bank's question about ${money} of ${about} has become a dispute`;
  if (event.step === "withdrawn") return `The payer's bank took ${sum(event.moved)} of ${about}`;
  if (event.step === "reinstated") return `The payer's bank returned ${sum(event.moved)} of ${about}`;
  if (event.step === "refunds_reopened" && event.reopened === 0)
    return `${sum(event.rest ?? 0)} of ${about} came back after the appeal. It is only a part of the refund that the lost dispute had completed`;
  if (event.step === "refunds_reopened")
    return `${sum(event.reopened)} of ${about} is owed to the payer again, because the payer's bank returned the money after the appeal`;
  if (event.step === "evidence_sent") return `The evidence against the dispute of ${about} was sent to the bank`;
  if (event.step === "evidence_refused")
    return `The evidence against the dispute of ${about} was refused by the payment provider: ${event.error}`;
  if (event.step === "share_returned")
    return `${sum(event.artist)} of ${about} is returned to the artist after the lost dispute`;
  return `The dispute of ${money} of ${about} ${endings[disputeStateOf(event.status)] ?? "has ended"}`;
}

const endings: Readonly<Record<string, string>> = { won: "was won", lost: "was lost", closed: "was closed" };

/** `eventId`: of the event outbox. A step that can be repeated has it in the keys of its emails. */
export async function notifyDispute(tx: Tx, services: Payments, event: DisputeChanged, eventId: number): Promise<void> {
  const { bookingId, disputeId, step } = event;
  const context = bookingId ? await emailContextOf(tx, services, bookingId) : undefined;
  const message = messageOf(event, context ? eventSummary(context) : "a payment that belongs to no booking");
  await recordActivity(tx, { type: "payment", refId: bookingId, message, meta: event });
  const key = `dispute ${disputeId} ${step}`;
  if (step === "opened" || step === "escalated" || step === "evidence_refused") {
    const until = event.dueAt ? ` Evidence can be sent until ${formatInstant(new Date(event.dueAt), "UTC")}.` : "";
    const repeat = step === "evidence_refused" ? ` ${eventId}` : "";
    await alertAdmins(tx, services, { message: `${message}.${until}`, key: `${key}${repeat}`, bookingId });
  }
  if (step === "closed" && isAppeal(event)) {
    // A bank that has not returned the money, or only a part of it, leaves the refund completed.
    const isListed = (await openRefundsOf(tx, disputeId)).open > 0;
    await alertAdmins(tx, services, {
      message: `${message} on appeal, after its loss had been divided. The platform holds what the bank returns. ${await describeReturn(tx, event)}${
        event.refunded > 0
          ? ` ${formatMoneyExact(event.refunded, event.currency)} of it had completed a refund and is owed to the payer again. ${isListed ? "Send it, or pay it in another way, under Payments." : "The bank has not returned all of its money yet. The refund is listed under Payments when it has, and we email you then. Do not pay it before."}`
          : ""
      }`,
      key: `${key} won`,
      bookingId,
    });
  }
  if (step === "refunds_reopened")
    await alertAdmins(tx, services, {
      message: `${message}. ${
        event.reopened > 0
          ? "Send it, or pay it in another way, under Payments."
          : "If the rest arrives, the refund is listed under Payments and we email you. Pay a part yourself only when the bank has confirmed that nothing more comes."
      }`,
      key: `${key} ${eventId}`,
      bookingId,
    });
  if (!context) return;
  await emailParties(tx, context, event, eventId);
  if (event.step === "closed" && disputeStateOf(event.status) === "lost")
    await alertOfLostDispute(tx, services, context.booking, { disputeId, message });
  await broadcastBookingChange(tx, context.booking.id);
}

async function emailParties(tx: Tx, context: EmailContext, event: DisputeChanged, eventId: number): Promise<void> {
  const { currency, disputeId } = event;
  const disputed = { amount: event.amount, currency };
  const { id: bookingId } = context.booking;
  const payout = (await payoutsOf(tx, [bookingId], context.services.clock.now())).get(bookingId);
  const left = await leftOfRelease(tx, bookingId, currency);
  const refunds = await openRefundsOf(tx, disputeId);
  const payment = {
    byOther: await isDisputeByOther(tx, disputeId),
    isPaidOut: Boolean(payout?.paidAt) && !(await isTakenFromUnsent(tx, `dispute:${disputeId}:lost`)),
    isPaidOutside: await isPaidOutside(tx, bookingId),
    hasShare:
      context.booking.status !== "canceled" ||
      left.artist > 0 ||
      (event.step === "closed" && (event.artist > 0 || (isAppeal(event) && event.held > 0))) ||
      isLaterPart(event),
  };
  if (event.step === "opened" || event.step === "escalated") {
    const stage = event.step === "opened" && disputeStateOf(event.status) === "inquiry" ? "inquiry" : event.step;
    const { supportEmail } = await platformSettings(tx);
    // As `deductFromRelease` divides a loss.
    const parts = [Math.max(0, left.artist), Math.max(0, left.platform)] as const;
    const [share = 0] = splitByLargestRemainder(Math.min(event.amount, parts[0] + parts[1]), parts);
    const about = {
      ...payment,
      deductible: { amount: share, currency },
      disputed,
      reason: disputeReason(event.reason),
      stage,
      supportEmail,
      waiting: moneyOrNull(context, refunds.waiting),
    } as const;
    await notifyParties(tx, context, {
      template: "dispute_opened",
      key: `dispute ${disputeId}${event.step === "escalated" ? " escalated" : ""}`,
      params: about,
    });
  }
  if (event.step === "share_returned")
    await notifyParty(tx, context, "artist", {
      template: "dispute_share_returned",
      key: `dispute ${disputeId} returned`,
      params: {
        disputed,
        share: { amount: event.artist, currency },
        untaken: { amount: event.untaken ?? 0, currency },
      },
    });
  if (event.step !== "closed" && !isLaterPart(event)) return;
  if (event.step === "closed") await notifyPayoutAwaitsRefund(tx, context.services, context);
  const dispute = await disputeOf(tx, event);
  const taken = event.step === "closed" ? event : { artist: 0, held: 0, refunded: 0, ...dispute?.borne };
  const [moved, key] = event.step === "closed" ? [0, event.status] : [event.moved, `returned ${event.ref ?? eventId}`];
  const ended = {
    ...payment,
    disputed,
    outcome: event.step === "closed" ? outcomeOf(event) : "appeal_won",
    moved: moneyOrNull(context, moved),
    missing: moneyOrNull(context, event.missing ?? dispute?.unreturned_cents ?? 0),
    isCanceled: context.booking.status === "canceled",
    answered: event.step !== "closed" || (event.answered ?? true),
    continues: isAhead(context),
    share: { amount: taken.artist, currency },
    held: { amount: taken.held, currency },
    heldAgain: moneyOrNull(context, event.heldAgain ?? dispute?.returned_held ?? 0),
    rest: await shareOfRest(tx, context),
    refundDue: moneyOrNull(context, isLaterPart(event) || isAppeal(event) ? taken.refunded : refunds.open),
  } as const;
  await notifyParties(tx, context, { template: "dispute_closed", key: `dispute ${disputeId} ${key}`, params: ended });
}

const disputeOf = async (tx: Tx, { bookingId, disputeId }: DisputeChanged) =>
  bookingId === null ? undefined : (await disputesOf(tx, bookingId)).find(({ id }) => id === disputeId);

/** Returns the text to an admin about the money of a dispute that an appeal won. */
async function describeReturn(tx: Tx, event: Closed): Promise<string> {
  const dispute = await disputeOf(tx, event);
  const again = dispute?.returned_held ?? 0;
  const texts = [
    again > 0 ? `${formatMoneyExact(again, event.currency)} is held for the booking again.` : "",
    dispute && dispute.payer_due_cents > 0
      ? `By the terms of the cancellation, ${formatMoneyExact(dispute.payer_due_cents, event.currency)} of it is due to the payer. Refund it in the provider's dashboard.`
      : "",
    event.artist > 0 || dispute?.returnable
      ? "Return the artist's share on the booking page. To return the money to the payer instead, refund the payment in the provider's dashboard."
      : event.held > again && !dispute?.payer_due_cents
        ? "What was taken from the money held for the booking is held again, or listed for your decision, when the bank has returned it."
        : again === 0 && !dispute?.payer_due_cents
          ? "Nothing was deducted from the artist's share."
          : "",
  ];
  return texts.filter(Boolean).join(" ");
}

/** Returns the artist's share of the price that refunds and lost disputes have left. Null once the booking has ended. */
async function shareOfRest(tx: Tx, { booking }: EmailContext) {
  const { id, status, currency } = booking;
  if (status === "canceled" || status === "completed") return null;
  return { amount: sharesOf(booking, await positionOf(tx, id, currency)).artist, currency };
}

const isAhead = ({ booking, services }: EmailContext): boolean =>
  booking.status !== "canceled" && booking.starts_at > services.clock.now();

type LaterPart = Extract<DisputeChanged, { step: "withdrawn" | "reinstated" }>;

const isLaterPart = (event: DisputeChanged): event is LaterPart =>
  event.step === "reinstated" && event.afterAppeal === true;

type Closed = Extract<DisputeChanged, { step: "closed" }>;

/** Returns true for a dispute that is won after its loss was divided. The returned money is not divided automatically. */
const isAppeal = ({ status, artist, held, refunded, platform }: Closed): boolean =>
  disputeStateOf(status) === "won" && artist + held + refunded + platform > 0;

function outcomeOf(event: Closed): "won" | "lost" | "closed" | "appeal_won" {
  const state = disputeStateOf(event.status);
  if (state === "won") return isAppeal(event) ? "appeal_won" : "won";
  return state === "lost" ? "lost" : "closed";
}
