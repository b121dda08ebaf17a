/** Signatures on paper: an admin uploads the document and attests it, and a party may object within 72 hours. The booking is locked first. */

import { recordActivity } from "#activity/index.ts";
import {
  type ContractSide,
  type ObjectionDecision,
  type WithdrawalEffect,
  withdrawalEffect,
} from "#contracts/rules.ts";
import {
  type RequestOrigin,
  attestContract,
  bookingOfContract,
  decideObjections,
  objectToAttestation,
  type SignedDocument,
  storeSignedDocument,
} from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import { heldFor } from "#ledger/index.ts";
import { expireCheckout, livePayment, lockPayments } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { notFound, conflict } from "#platform/errors.ts";
import { resumeBalance } from "../../balance/artist-decision.ts";
import { endWithDivision, requireHeld } from "../../cancellation/cancellation.ts";
import { broadcastBookingChange } from "../../change-notifications.ts";
import { alertAdmins } from "../../emails/admin-alerts.ts";
import { emailContextOf } from "../../emails/email-context.ts";
import { applyBookingChange } from "../../lifecycle/transitions.ts";
import { agreedDivision } from "../../rules/force-majeure.rules.ts";
import { type Booking, lockBooking } from "../../store.ts";
import { removeSchedule } from "../../stores/balance.store.ts";
import { artistOfBooking } from "../../views.ts";
import { notifyContractSigned, notifyObjection, notifyObjectionDecided } from "../contract-emails.ts";
import { ensureDocument } from "../sending.ts";
import { requireOpenBooking } from "./signing.ts";

export const contractMissing = () => notFound("Contract not found");

export async function ensureDocumentOf(services: Payments, contractId: string): Promise<string> {
  const bookingId = await bookingOfContract(services.database.db, contractId);
  if (bookingId === undefined) throw contractMissing();
  await ensureDocument(services, bookingId);
  return bookingId;
}

/** Stores the signed document of a contract that waits for signatures. Nothing else changes until an admin attests it. */
export async function attachSignedDocument(
  services: Payments,
  contractId: string,
  document: SignedDocument,
): Promise<void> {
  const bookingId = await ensureDocumentOf(services, contractId);
  await services.database.transaction(async (tx) => {
    const booking = await requireOpenBooking(tx, bookingId);
    await storeSignedDocument(tx, booking.id, document, services.clock.now());
  });
}

type Decision = Readonly<{ reason: string; by: { name: string; userId: string }; origin: RequestOrigin }>;

/** Attests that the contract was signed outside the platform. The booking becomes contract_signed. */
export async function markSigned(tx: Tx, services: Payments, request: Decision & { id: string; paper: string }) {
  const now = services.clock.now();
  const bookingId = await bookingOfContract(tx, request.id);
  if (bookingId === undefined) throw contractMissing();
  const booking = await requireOpenBooking(tx, bookingId);
  const { reason, paper, by, origin } = request;
  await attestContract(tx, booking.id, { reason, paper, by, origin }, now);
  await applyBookingChange(tx, booking, {}, { by: "admin", cause: "contract_attested", now });
  const message = `${by.name} marked the contract of ${booking.number} as signed outside the platform`;
  const meta = { reason, paper_sha256: paper };
  await recordActivity(tx, { type: "contract", refId: request.id, message, meta, actorId: by.userId });
  // Sent immediately, because the 72 hours to object begin here. The email requested after the sealed copy has the same key and is not sent twice.
  await notifyContractSigned(tx, await emailContextOf(tx, services, booking.id));
  await broadcastBookingChange(tx, booking.id);
}

/** Records a party's objection in the evidence and the log, and notifies every admin and the other party. The money is frozen until an admin decides. Throws a conflict (409) for a booking that has ended, whose money is divided. */
export async function objectToContract(
  tx: Tx,
  services: Payments,
  booking: Booking,
  request: { side: ContractSide; reason: string; userId: string | null; origin: RequestOrigin },
): Promise<void> {
  const now = services.clock.now();
  if (booking.status === "canceled") throw conflict("This booking is canceled, so its contract no longer applies.");
  if (booking.status === "completed")
    throw conflict("The show is completed, so its contract can no longer be withdrawn.");
  const via = request.userId === null ? "booking key" : "session";
  const { contractId } = await objectToAttestation(tx, booking.id, { ...request, via }, now);
  const who = request.side === "artist" ? (await artistOfBooking(tx, booking)).name : booking.promoter_name;
  const message = `${who} (${request.side}) objects to the contract of ${booking.number} that was marked as signed`;
  const meta = { reason: request.reason };
  await recordActivity(tx, { type: "contract", refId: contractId, message, meta, actorId: request.userId });
  await notifyObjection(tx, await emailContextOf(tx, services, booking.id), { ...request, now });
  await alertAdmins(tx, services, {
    message: `${message}: “${request.reason}” Nothing is charged or paid out until you have decided.`,
    key: `objection ${contractId} ${request.side} ${now.toISOString()}`,
    bookingId: booking.id,
    about: "contract",
  });
  await broadcastBookingChange(tx, booking.id);
}

/** Ends an open payment of the balance after an objection. Must run outside a transaction. A page that the provider does not end now expires automatically. */
export async function endBalancePayment(services: Payments, bookingId: string): Promise<void> {
  const payment = await livePayment(services.database.db, bookingId, "balance");
  if (!payment || payment.checkoutState === "paid") return;
  try {
    await expireCheckout(services, payment.id);
  } catch (error) {
    services.log.warn({ err: error, bookingId }, "a payment of the balance could not be ended after an objection");
  }
}

/** Decides the open objections. Annulled: see `withdrawalEffect`. `release` is what is released for the artist (cents, before the commission) once the show has begun. Throws a conflict (409) without an objection, without that amount or with one that the decision does not release, or if an ended booking is annulled. */
export async function decideObjection(
  tx: Tx,
  services: Payments,
  request: Decision & {
    bookingId: string;
    decision: ObjectionDecision;
    release?: number | undefined;
    shownHeld?: number | undefined;
  },
): Promise<void> {
  const now = services.clock.now();
  const booking = await lockBooking(tx, request.bookingId);
  if (!booking) throw notFound("Booking not found");
  const { decision, reason, by } = request;
  const isAnnulled = decision === "annulled";
  if (isAnnulled && (booking.status === "completed" || booking.status === "canceled"))
    throw conflict(`This booking is ${booking.status}, so its contract cannot be signed again.`);
  const decided = await decideObjections(tx, booking.id, { ...request, startsAt: booking.starts_at }, now);
  const effect = isAnnulled ? withdrawalEffect(booking.starts_at, decided.atService, now) : null;
  const release = releaseFor(effect, request.release);
  let wasBalanceRequested = false;
  if (effect === "signed_again") {
    wasBalanceRequested = (await removeSchedule(tx, booking.id, now)) && booking.balance_paid_at === null;
    await applyBookingChange(tx, booking, {}, { by: "admin", cause: "attestation_annulled", now });
  } else if (effect)
    await endWithoutSignature(tx, booking, { release, shownHeld: request.shownHeld, note: reason, now });
  else await resumeBalance(tx, booking, now);
  const message = `${by.name} ${decision} the attested signature of ${booking.number} after an objection`;
  const meta = { reason, objected: decided.objected.join(", ") };
  await recordActivity(tx, { type: "contract", refId: decided.contractId, message, meta, actorId: by.userId });
  // The email about the cancellation has the decision, its reason and the amounts.
  if (effect === null || effect === "signed_again") {
    const until = effect && decided.until;
    const outcome = { reason, until, wasBalanceRequested, now };
    await notifyObjectionDecided(tx, await emailContextOf(tx, services, booking.id), outcome);
  }
  await broadcastBookingChange(tx, booking.id);
}

function releaseFor(effect: WithdrawalEffect | null, release: number | undefined): number {
  if (effect === "divided" && release === undefined)
    throw conflict("The show has begun. Reload the booking, and enter what is released to the artist.");
  if (effect === "refunded" && release) throw conflict("Before the show, everything is refunded.");
  if (effect !== "divided" && release) throw conflict("This decision releases nothing. Leave the amount out.");
  return release ?? 0;
}

async function endWithoutSignature(
  tx: Tx,
  booking: Booking,
  end: { release: number; shownHeld: number | undefined; note: string; now: Date },
) {
  const { release, note, now } = end;
  await lockPayments(tx, booking.id);
  const held = await heldFor(tx, booking.id, booking.currency);
  requireHeld(held, end.shownHeld);
  if (release > held) throw conflict("This is more than what is held for the booking.");
  const division = agreedDivision(held, held - release, booking.commission_bps);
  await endWithDivision(tx, booking, { by: "admin", code: "signature_withdrawn", division, held, note, now });
}
