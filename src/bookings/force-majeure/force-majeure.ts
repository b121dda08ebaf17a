/** Ends a booking by agreement: one party proposes, and the other accepts, refuses or does not answer. Callers lock the booking first. */

import type { Payments } from "#gateway/gateway.ts";
import { heldFor } from "#ledger/index.ts";
import { lockPayments } from "#payments/index.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { conflict, invalidField } from "#platform/errors.ts";
import { publish } from "#platform/event-outbox.ts";
import { endWithDivision, isBalanceArriving } from "../cancellation/cancellation.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { processEachBooking } from "../process-each.ts";
import {
  agreedDivision,
  type AgreementSide,
  type ForceMajeureChanged,
  expiryOf,
  mayAgree,
} from "../rules/force-majeure.rules.ts";
import type { Booking } from "../store.ts";
import {
  closeProposal,
  findOpenProposal,
  insertProposal,
  expiredProposals,
  type Proposal,
} from "../stores/force-majeure.store.ts";

const batch = 100;

const publishStep = (tx: Tx, booking: Booking, proposalId: string, step: ForceMajeureChanged["step"]) =>
  publish(tx, "booking.force_majeure", { bookingId: booking.id, proposalId, step } satisfies ForceMajeureChanged);

export const refundOf = (proposal: Proposal, held: number): number | undefined =>
  proposal.everything_back ? held : proposal.paid_cents === held ? proposal.refund_cents : undefined;

/** Proposes to end the booking with a refund of `refund` cents (null: everything). Throws a conflict (409) if `expectedHeld` is not the held amount. */
export async function proposeForceMajeure(
  tx: Tx,
  booking: Booking,
  request: { side: AgreementSide; reason: string; refund: number | null; expectedHeld: number; now: Date },
): Promise<void> {
  const { side, reason, refund, now } = request;
  if (!mayAgree(booking, now))
    throw conflict("A booking can be ended by agreement once it is booked, until the show begins.");
  const held = await heldFor(tx, booking.id, booking.currency);
  if (held !== request.expectedHeld)
    throw conflict("The amounts have changed. Review them again.", { data: { paid_cents: held } });
  if (refund !== null && refund > held) throw invalidField("refund_cents", "This is more than what was paid.");
  const id = await insertProposal(tx, {
    booking_id: booking.id,
    proposed_by: side,
    reason,
    paid_cents: held,
    refund_cents: refund ?? held,
    everything_back: refund === null,
    proposed_at: now,
    expires_at: expiryOf(now, booking.starts_at),
  });
  if (!id) throw conflict("There is already a proposal. Answer or withdraw it first.");
  await publishStep(tx, booking, id, "proposed");
  await broadcastBookingChange(tx, booking.id);
}

/** Returns the open proposal of this id for the side that may take the action. Throws a conflict (409) if it is closed, expired or for the other side. */
async function requireOpen(
  reader: Reader,
  booking: Booking,
  request: { proposalId: string; side: AgreementSide; action: "answer" | "withdraw"; now: Date },
): Promise<Proposal> {
  const proposal = await findOpenProposal(reader, booking.id);
  if (proposal?.id !== request.proposalId || !mayAgree(booking, request.now))
    throw conflict("This proposal is no longer open. Reload the booking.");
  if (proposal.expires_at <= request.now) throw conflict("The time to answer this proposal is over.");
  const isOwn = proposal.proposed_by === request.side;
  if (isOwn !== (request.action === "withdraw"))
    throw conflict(
      isOwn ? "Only the other party can answer your proposal." : "Only its author can withdraw a proposal.",
    );
  return proposal;
}

type Acceptance = Readonly<{ proposalId: string; side: AgreementSide; expectedRefund: number; now: Date }>;

/** Returns the proposal if it can be accepted with the displayed refund, else throws a conflict (409). Also runs before the open checkout or automatic charge is ended. */
export async function requireAcceptable(reader: Reader, booking: Booking, request: Acceptance) {
  const proposal = await requireOpen(reader, booking, { ...request, action: "answer" });
  const held = await heldFor(reader, booking.id, booking.currency);
  const refund = refundOf(proposal, held);
  if (refund === undefined) throw conflict("A new payment arrived. Refuse this proposal and propose new figures.");
  if (refund !== request.expectedRefund)
    throw conflict("The amounts have changed. Review them again.", { data: { refund_cents: refund } });
  return { proposal, held, refund };
}

/** Accepts a proposal with the displayed refund (cents), cancels the booking and divides its money. Throws a conflict (409) if a payment has arrived since. */
export async function acceptForceMajeure(tx: Tx, booking: Booking, request: Acceptance): Promise<void> {
  const { now } = request;
  await lockPayments(tx, booking.id);
  const { proposal, held, refund } = await requireAcceptable(tx, booking, request);
  if (await isBalanceArriving(tx, booking)) throw conflict("A payment has just arrived. Reload the booking.");
  await closeProposal(tx, booking.id, "accepted", now);
  await publishStep(tx, booking, proposal.id, "accepted");
  const division = agreedDivision(held, refund, booking.commission_bps);
  const note = proposal.reason;
  await endWithDivision(tx, booking, { by: "both", code: "force_majeure", division, held, note, now });
}

export async function closeForceMajeure(
  tx: Tx,
  booking: Booking,
  request: { proposalId: string; side: AgreementSide; outcome: "refused" | "withdrawn"; now: Date },
): Promise<void> {
  const { outcome, now } = request;
  const proposal = await requireOpen(tx, booking, {
    ...request,
    action: outcome === "refused" ? "answer" : "withdraw",
  });
  await closeProposal(tx, booking.id, outcome, now);
  await publishStep(tx, booking, proposal.id, outcome);
  await broadcastBookingChange(tx, booking.id);
}

export async function expireProposals(services: Payments): Promise<void> {
  const { database, clock } = services;
  await processEachBooking(services, await expiredProposals(database.db, clock.now(), batch), {
    work: async (tx, booking) => {
      const proposal = await findOpenProposal(tx, booking.id);
      if (!proposal || proposal.expires_at > clock.now()) return false;
      await closeProposal(tx, booking.id, "expired", clock.now());
      await publishStep(tx, booking, proposal.id, "expired");
      return broadcastBookingChange(tx, booking.id);
    },
    failure: "a proposal to end a booking could not be closed",
  });
}
