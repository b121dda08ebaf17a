import { recordActivity } from "#activity/index.ts";
import { waitingRefundOf } from "#disputes/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { bpsHalfUp } from "#platform/money.rules.ts";
import { platformSettings } from "#settings/index.ts";
import { alertAdmins } from "../emails/admin-alerts.ts";
import { emailContextOf, eventSummary, moneyOrNull } from "../emails/email-context.ts";
import { notifyParties, notifyParty } from "../emails/notify-party.ts";
import type { NoShowDecided, NoShowReported } from "../rules/no-show.rules.ts";
import { isBalanceSettled } from "../rules/permissions.rules.ts";

export async function notifyNoShowReported(tx: Tx, services: Payments, event: NoShowReported): Promise<void> {
  const { bookingId, note } = event;
  const context = await emailContextOf(tx, services, bookingId);
  const message = `${context.booking.promoter_name} reports that the artist did not appear: ${eventSummary(context)}`;
  await recordActivity(tx, { type: "booking", refId: bookingId, message, meta: { note } });
  await alertAdmins(tx, services, {
    message: `${message}. Nothing is paid out until you have decided. They wrote: ${note}`,
    key: `no-show ${bookingId}`,
    about: "no-show",
    bookingId,
  });
  const { supportEmail } = await platformSettings(tx);
  await notifyParty(tx, context, "artist", {
    template: "no_show_reported",
    key: "no-show",
    params: { note, supportEmail },
  });
}

export async function notifyNoShowStated(
  tx: Tx,
  services: Payments,
  { bookingId, statement, by }: { bookingId: string; statement: string; by: string },
): Promise<void> {
  const context = await emailContextOf(tx, services, bookingId);
  const message = `${context.artist.name} states their side of the reported no-show: ${eventSummary(context)}`;
  await recordActivity(tx, { type: "booking", refId: bookingId, message, meta: { statement }, actorId: by });
  await alertAdmins(tx, services, {
    message: `${message}. They wrote: ${statement}`,
    key: `no-show statement ${bookingId}`,
    about: "no-show",
    bookingId,
  });
  await notifyParty(tx, context, "promoter", {
    template: "no_show_stated",
    key: "no-show statement",
    params: { statement },
  });
}

export async function notifyNoShowDecided(tx: Tx, services: Payments, event: NoShowDecided): Promise<void> {
  const { bookingId, released, refunded, decision, settled = true } = event;
  const context = await emailContextOf(tx, services, bookingId);
  const { currency, commission_bps: commissionBps } = context.booking;
  const net = { amount: released - bpsHalfUp(released, commissionBps), currency };
  const message = `The reported no-show was decided: ${eventSummary(context)}`;
  const meta = { released, refunded, currency, settled };
  await recordActivity(tx, { type: "booking", refId: bookingId, message, meta });
  // The email about the cancellation states this decision.
  if (released === 0 && context.booking.cancel_code === "no_show") return;
  const heldUntil = settled ? null : isBalanceSettled(context.booking) ? ("show" as const) : ("balance" as const);
  const waiting = moneyOrNull(context, Math.min(await waitingRefundOf(tx, bookingId), refunded));
  const money = { waiting, released: { amount: released, currency }, refunded: { amount: refunded, currency } };
  await notifyParties(tx, context, {
    template: "no_show_decided",
    key: "no-show decided",
    params: (side) => ({ ...money, decision, heldUntil, ...(side === "artist" ? { net } : {}) }),
  });
}
