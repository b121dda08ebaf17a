import { recordActivity } from "#activity/index.ts";
import { hasFailedRefund } from "#disputes/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { positionOf } from "#ledger/index.ts";
import { enqueueMessage } from "#notifications/index.ts";
import type { BankPayoutFailed, PayoutAccountChanged, PayoutAccountEnded } from "#payouts/accounts.rules.ts";
import { payoutsOf } from "#payouts/index.ts";
import type { PayoutAwaitsAccount, PayoutFailed, PayoutPaid, PayoutReversed } from "#payouts/payouts.rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { formatMoneyExact } from "#platform/money.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { verifiedMailbox } from "#users/index.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { alertAdmins } from "../emails/admin-alerts.ts";
import { type EmailContext, emailContextOf, eventSummary } from "../emails/email-context.ts";
import { notifyParty } from "../emails/notify-party.ts";
import { sharesOf } from "../rules/money/shares.rules.ts";
import { artistOfBooking } from "../views.ts";
import { isTakenFromUnsent } from "./unsent-payouts.views.ts";

const payoutsPage = ({ config }: Payments) => `${config.publicUrl}${paths.artistArea.payouts}`;

const states: Record<PayoutAccountChanged["to"], string> = {
  not_started: "not set up",
  pending: "not complete",
  completed: "complete",
  restricted: "restricted by the payment provider",
};

/** Records a new state or bank account in the log. A restriction and a bank change also email the artist, the latter because another user may have made it. No preference turns these emails off. */
export async function notifyPayoutAccountChanged(
  tx: Tx,
  services: Payments,
  event: PayoutAccountChanged,
  eventId: number,
) {
  const artist = await artistOfBooking(tx, { artist_id: event.artistId });
  const until = event.frozenUntil === null ? null : new Date(event.frozenUntil);
  const text = until
    ? `The bank account of ${artist.name}'s payouts was changed; payouts are on hold until ${formatInstant(until, "UTC")}`
    : `The payment account of ${artist.name} is ${states[event.to]}`;
  await recordActivity(tx, { type: "payment", refId: event.artistId, message: text, meta: event });
  const isRestricted = event.to === "restricted" && event.from !== "restricted";
  if (!isRestricted && !until) return;
  const to = event.userId ? await verifiedMailbox(tx, event.userId) : null;
  if (!to) return;
  const link = payoutsPage(services);
  const message = { channel: "email", to, refId: event.artistId } as const;
  if (isRestricted)
    await enqueueMessage(tx, {
      ...message,
      template: "payout_account_restricted",
      params: { artistName: artist.name, link },
      dedupeKey: `restricted ${event.artistId} ${eventId}`,
    });
  if (until)
    await enqueueMessage(tx, {
      ...message,
      template: "payout_bank_changed",
      params: { artistName: artist.name, until, timeZone: artist.time_zone, link },
      dedupeKey: `bank ${event.artistId} ${event.frozenUntil}`,
    });
}

const ends: Record<PayoutAccountEnded["why"], string> = {
  gone: "no longer exists at the payment provider",
  rejected: "was rejected by the payment provider",
  other_owner: "belongs to a former owner of the profile",
};

export async function notifyPayoutAccountEnded(tx: Tx, services: Payments, event: PayoutAccountEnded): Promise<void> {
  const artist = await artistOfBooking(tx, { artist_id: event.artistId });
  const message = `The payment account of ${artist.name} ${ends[event.why]}. We no longer send money there`;
  await recordActivity(tx, { type: "payment", refId: event.artistId, message, meta: event });
  if (event.why === "rejected")
    await alertAdmins(tx, services, {
      message: `${message}.`,
      key: `account ended ${event.account}`,
      bookingId: null,
      about: "artist",
    });
  const to = event.userId ? await verifiedMailbox(tx, event.userId) : null;
  if (!to) return;
  await enqueueMessage(tx, {
    template: "payout_account_ended",
    channel: "email",
    to,
    params: { artistName: artist.name, reason: ends[event.why], link: payoutsPage(services) },
    refId: event.artistId,
    dedupeKey: `account ended ${event.account}`,
  });
}

/** Emails the artist that money waits in the payment account, because the bank did not accept it. No preference turns it off. */
export async function notifyBankPayoutFailed(tx: Tx, services: Payments, event: BankPayoutFailed): Promise<void> {
  const artist = await artistOfBooking(tx, { artist_id: event.artistId });
  const { amount, currency, reason } = event;
  const sum = amount ? formatMoneyExact(amount, currency) : "money";
  const message = `The bank of ${artist.name} did not accept ${sum} from the payment account`;
  await recordActivity(tx, { type: "payment", refId: event.artistId, message, meta: event });
  const to = event.userId ? await verifiedMailbox(tx, event.userId) : null;
  if (!to) return;
  await enqueueMessage(tx, {
    template: "payout_bank_failed",
    channel: "email",
    to,
    params: { artistName: artist.name, sum, reason: reason ?? null, link: payoutsPage(services) },
    refId: event.artistId,
    dedupeKey: `bank failed ${event.payout}`,
  });
}

/** Returns the context with this user as the recipient of the artist's messages. */
const writingTo = (context: EmailContext, userId?: string | null): EmailContext =>
  userId === undefined ? context : { ...context, artist: { ...context.artist, user_id: userId } };

export async function notifyPaidOut(tx: Tx, services: Payments, event: PayoutPaid): Promise<void> {
  const { bookingId, payoutId, amount, currency, sent, disputeId = null, reversalId = null, paidOutside } = event;
  const context = await emailContextOf(tx, services, bookingId);
  const again = paidOutside ? `outside ${paidOutside.id}` : (reversalId ?? disputeId);
  const what =
    reversalId !== null
      ? "A part of the payout that had been reversed"
      : disputeId === null
        ? "The payout"
        : "The share that was returned after a dispute";
  const paid = { amount, currency };
  const message = paidOutside
    ? `${formatMoneyExact(amount, currency)} of the payout for ${eventSummary(context)} was paid outside the payment provider: ${paidOutside.how}`
    : `${what} for ${eventSummary(context)} was sent`;
  const meta = { payout_id: payoutId, ...paid, ...(paidOutside && { by: paidOutside.by }) };
  await recordActivity(tx, { type: "payment", refId: bookingId, message, meta });
  await notifyParty(tx, writingTo(context, paidOutside?.earnerId), "artist", {
    template: "paid_out",
    key: again === null ? `payout ${payoutId}` : `payout ${payoutId} ${again}`,
    params: { paid, paidOutside: paidOutside?.how, ...(sent ? { sent } : {}) },
  });
  await broadcastBookingChange(tx, bookingId);
}

/** Emails the artist that a due payout or a returned share waits for the payment account. No preference turns it off. */
export async function notifyPayoutAwaitsAccount(tx: Tx, services: Payments, event: PayoutAwaitsAccount): Promise<void> {
  const { bookingId, payoutId, amount, currency, account, disputeId = null } = event;
  const context = await emailContextOf(tx, services, bookingId);
  const what = disputeId === null ? "payout" : "share that was returned after a dispute";
  const message = `The ${what} for ${eventSummary(context)} is due. The payment account of ${context.artist.name} is ${states[account]}`;
  const due = { amount, currency };
  await recordActivity(tx, { type: "payment", refId: bookingId, message, meta: { payout_id: payoutId, ...due } });
  await notifyParty(tx, context, "artist", {
    template: "payout_awaits_account",
    key: `payout awaits account ${payoutId}${disputeId === null ? "" : ` ${disputeId}`}`,
    params: { due, account, isReturned: disputeId !== null, link: payoutsPage(services) },
  });
}

/** Emails the artist once that the payout waits, if a refund of the booking failed, before or after the release. No preference turns it off. */
export async function notifyPayoutAwaitsRefund(tx: Tx, services: Payments, context: EmailContext): Promise<void> {
  const { id, currency } = context.booking;
  const payout = (await payoutsOf(tx, [id], services.clock.now())).get(id);
  if (payout?.waits !== "refund" || !(await hasFailedRefund(tx, id))) return;
  await notifyParty(tx, context, "artist", {
    template: "payout_awaits_refund",
    key: "payout awaits refund",
    params: { due: { amount: payout.amount, currency }, link: payoutsPage(services) },
  });
}

/** Emails the artist that a refund from the provider's dashboard reduces the share. The email of the reversal notifies of what was sent already. `regained`: what of it an appeal had won back, of which the artist gets nothing. No preference turns it off. */
export async function notifyShareReduced(
  tx: Tx,
  context: EmailContext,
  { id: refundId, regained, ...refund }: { id: string; regained: number; amount: number; currency: string },
): Promise<void> {
  const { id, status, currency } = context.booking;
  if (regained > 0)
    await notifyParty(tx, context, "artist", {
      template: "refund_reduces_share",
      key: `refund ${refundId} of regained money`,
      params: { refund: { amount: regained, currency }, share: null },
    });
  const position = await positionOf(tx, id, currency);
  const isReversed = position.sent.cents > 0 && !(await isTakenFromUnsent(tx, `refund:${refundId}:planned`));
  if (regained === refund.amount || isReversed || (status === "canceled" && !position.releasedAt)) return;
  const share = sharesOf(context.booking, position).artist;
  await notifyParty(tx, context, "artist", {
    template: "refund_reduces_share",
    key: `refund ${refundId} reduces share`,
    params: { refund, share: { amount: share, currency } },
  });
}

export async function notifyPayoutFailed(
  tx: Tx,
  services: Payments,
  event: PayoutFailed,
  eventId: number,
): Promise<void> {
  const { what, bookingId, amount, currency, reason, owed, refused } = event;
  const context = await emailContextOf(tx, services, bookingId);
  const money = formatMoneyExact(amount, currency);
  const message =
    what === "transfer"
      ? `A payout of ${money} for ${eventSummary(context)} was refused by the payment provider: ${reason}`
      : `${money} of the payout for ${eventSummary(context)} could not be reversed: ${reason}`;
  await recordActivity(tx, { type: "payment", refId: bookingId, message, meta: { amount, currency, reason } });
  const otherwise =
    what === "transfer" ? "pay it in another way, and record how" : "record how the artist paid it back";
  await alertAdmins(tx, services, {
    message: owed
      ? message
      : `${message.replace(/\.$/, "")}. Send it again on the booking page, or ${otherwise} there.`,
    key: `payout failed ${eventId}`,
    bookingId,
  });
  if (owed)
    await notifyParty(tx, writingTo(context, owed.earnerId), "artist", {
      template: "payout_taken_back",
      key: `owed ${eventId}`,
      params: { back: { amount, currency }, cause: owed.cause, isOwed: true },
    });
  if (refused)
    await notifyParty(tx, writingTo(context, refused.earnerId), "artist", {
      template: "payout_taken_back",
      key: `refused ${refused.id}`,
      params: { back: { amount, currency }, cause: refused.cause, isRefused: true },
    });
  await broadcastBookingChange(tx, bookingId);
}

/** Records a reversed part of a payout. An unplanned part is owed to the artist again, and admins are alarmed. */
export async function notifyPayoutReversed(tx: Tx, services: Payments, event: PayoutReversed): Promise<void> {
  const { reversalId, bookingId, amount, currency, planned, cause = "refund", paidOutside, earnerId } = event;
  const context = await emailContextOf(tx, services, bookingId);
  const money = formatMoneyExact(amount, currency);
  const message = paidOutside
    ? `${money} of the payout for ${eventSummary(context)} was paid back by the artist outside the payment provider: ${paidOutside.how}`
    : planned
      ? `${money} of the payout for ${eventSummary(context)} was reversed, because ${cause === "dispute" ? "a dispute of the payment was lost" : "the payment was refunded"}`
      : `${money} of the payout for ${eventSummary(context)} was reversed in the provider's dashboard and is owed to the artist again. Send it again on the booking page`;
  const back = { amount, currency };
  const meta = { reversal_id: reversalId, ...back, ...(paidOutside && { by: paidOutside.by }) };
  await recordActivity(tx, { type: "payment", refId: bookingId, message, meta });
  if (planned)
    await notifyParty(tx, writingTo(context, earnerId), "artist", {
      template: "payout_taken_back",
      key: `reversal ${reversalId}`,
      params: { back, cause, paidOutside: paidOutside?.how },
    });
  else await alertAdmins(tx, services, { message, key: `reversal ${reversalId}`, bookingId });
  await broadcastBookingChange(tx, bookingId);
}
