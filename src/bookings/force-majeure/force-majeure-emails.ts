import { recordActivity } from "#activity/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { plannedChargeForEmail } from "../balance/automatic-payment.ts";
import { emailContextOf, eventSummary } from "../emails/email-context.ts";
import { notifyParties } from "../emails/notify-party.ts";
import { agreedDivision, type ForceMajeureChanged } from "../rules/force-majeure.rules.ts";
import { findConsent } from "../stores/consent.store.ts";
import { proposalsOf } from "../stores/force-majeure.store.ts";

const messages: Readonly<Record<ForceMajeureChanged["step"], string>> = {
  proposed: "it is proposed to end the booking because of force majeure",
  accepted: "the booking is ended by agreement because of force majeure",
  refused: "the proposal to end the booking because of force majeure was refused",
  withdrawn: "the proposal to end the booking because of force majeure was withdrawn",
  expired: "the proposal to end the booking because of force majeure was not answered in time",
};

/** Records the step and notifies both parties. An acceptance has no separate email, because the cancellation email contains the amounts. */
export async function notifyForceMajeure(tx: Tx, services: Payments, event: ForceMajeureChanged): Promise<void> {
  const { bookingId, proposalId, step } = event;
  const context = await emailContextOf(tx, services, bookingId);
  const proposal = (await proposalsOf(tx, bookingId)).find(({ id }) => id === proposalId);
  if (!proposal) throw new Error(`there is no proposal ${proposalId} to notify about`);
  const { reason, refund_cents, paid_cents, proposed_by: by } = proposal;
  const { currency, commission_bps: bps, time_zone: timeZone } = context.booking;
  const message = `${eventSummary(context)}: ${messages[step]}`;
  const meta = { by, refund_cents, paid_cents, currency, reason };
  await recordActivity(tx, { type: "booking", refId: bookingId, message, meta });
  if (step === "accepted") return;
  const { refund, artist, commission } = agreedDivision(paid_cents, refund_cents, bps);
  const money = (amount: number) => ({ amount, currency });
  const shared = { step, reason, refund: money(refund), until: { at: proposal.expires_at, timeZone } };
  const isStopped = step === "proposed" && (await findConsent(tx, bookingId))?.charge_id === null;
  const charge = isStopped
    ? ("stopped" as const)
    : await plannedChargeForEmail(tx, context.booking, services.clock.now());
  const figures = {
    promoter: { kept: money(artist + commission), commission: null, charge },
    artist: { kept: money(artist), commission: money(commission), charge: null },
  };
  await notifyParties(tx, context, {
    template: "force_majeure",
    key: `force majeure ${proposalId} ${step}`,
    params: (side) => ({ ...shared, own: by === side, ...figures[side] }),
  });
}
