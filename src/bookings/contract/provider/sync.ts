import { documentKindsOf } from "#contracts/copies-for-bookings.ts";
import { contractOf, documentOf } from "#contracts/index.ts";
import { type ContractSide, sidesToSign } from "#contracts/rules.ts";
import {
  checkSigned,
  EsignFailure,
  type ProviderChange,
  applyProviderState,
  type SigningService,
  signingServiceOf,
} from "#contracts/services-for-bookings.ts";
import { findContract, type LockedContract } from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { Problem, conflict } from "#platform/errors.ts";
import { broadcastBookingChange } from "../../change-notifications.ts";
import { alertAdmins } from "../../emails/admin-alerts.ts";
import { applyBookingChange } from "../../lifecycle/transitions.ts";
import { type Booking, findBooking, lockBooking } from "../../store.ts";
import { notifyFirstSignature } from "../contract-emails.ts";
import { endDeclined, endUnsigned } from "../contract-end.ts";
import { mailboxOf } from "../sending.ts";

const minRefreshSeconds = 5;

async function atProvider(reader: Reader, bookingId: string): Promise<(LockedContract & { ref: string }) | undefined> {
  const contract = await findContract(reader, bookingId);
  return contract && contract.provider_ref !== null ? { ...contract, ref: contract.provider_ref } : undefined;
}

/** Fetches the state from the service and applies it. Repeating it changes nothing. Throws an EsignFailure if the service cannot be reached. */
export async function syncContract(services: Payments, bookingId: string): Promise<void> {
  const { database, clock } = services;
  const contract = await atProvider(database.db, bookingId);
  if (!contract) return;
  const adapter = await signingServiceOf(services, contract.provider);
  const state = await adapter.fetch(contract.ref);
  const signed = state.status === "completed" ? await fetchSigned(database.db, adapter, contract) : null;
  await database.transaction(async (tx) => {
    const booking = await lockBooking(tx, bookingId);
    if (!booking) throw new Error(`there is no booking ${bookingId}`);
    const now = clock.now();
    const open = booking.status === "contract_sent";
    const change = await applyProviderState(tx, bookingId, { state, signed, open, now });
    await follow(tx, services, booking, { change, label: adapter.label, now });
  });
  services.wake();
}

async function fetchSigned(reader: Reader, adapter: SigningService, contract: LockedContract & { ref: string }) {
  if ((await documentKindsOf(reader, contract.id)).includes("provider")) return null;
  const agreement = await documentOf(reader, contract.id, ["agreement"]);
  if (!agreement) throw new Error(`contract ${contract.id} was sent and has no agreement`);
  return checkSigned(agreement.bytes, await adapter.fetchSigned(contract.ref));
}

async function follow(
  tx: Tx,
  services: Payments,
  booking: Booking,
  { change, label, now }: { change: ProviderChange; label: string; now: Date },
): Promise<void> {
  const [by] = change.signed;
  if (change.alarm !== null) {
    const message = `The contract of booking ${booking.number} requires review. ${label}: ${change.alarm}. Nothing was signed.`;
    const key = `contract alarm ${booking.id} ${change.alarm}`;
    await alertAdmins(tx, services, { message, key, bookingId: booking.id, about: "contract" });
  }
  if (change.complete) await applyBookingChange(tx, booking, {}, { by: "provider", cause: "contract_signed", now });
  else if (by && change.signed.length === 1 && !change.held)
    await notifyFirstSignature(tx, services, { bookingId: booking.id, by });
  if (change.declined) await endDeclined(tx, booking, { ...change.declined, now });
  if (change.ended === "expired") await endUnsigned(tx, booking, now);
  if (by || change.alarm !== null) await broadcastBookingChange(tx, booking.id);
}

/** Syncs the contract for a waiting user, at most every few seconds. Returns true if the stored state is current. */
export async function refreshContract(services: Payments, bookingId: string): Promise<boolean> {
  const { database, clock, log } = services;
  const contract = await atProvider(database.db, bookingId);
  if (contract?.signed_status !== "sent") return true;
  const age = clock.now().getTime() - (contract.provider_polled_at?.getTime() ?? 0);
  if (age < minRefreshSeconds * 1_000) return true;
  try {
    await syncContract(services, bookingId);
    return true;
  } catch (error) {
    // An error in this code must not prevent the page from opening, or the job from ending the contract.
    if (error instanceof EsignFailure)
      log.warn({ err: error, bookingId }, "the signing service could not be queried about a contract");
    else log.error({ err: error, bookingId }, "the state of a contract at the signing service could not be applied");
    return false;
  }
}

/** Returns a party's signing URL at the service. Throws a conflict (409) if the party cannot sign there, unavailable (503) if the service is unreachable. */
export async function providerSigningUrl(
  services: Payments,
  party: { bookingId: string; side: ContractSide },
  returnUrl: string,
): Promise<string> {
  const { db } = services.database;
  const [booking, contract] = await Promise.all([findBooking(db, party.bookingId), atProvider(db, party.bookingId)]);
  if (!booking || !contract) throw conflict("This contract is signed on this page.");
  const known = await contractOf(db, booking.id);
  const signer = known?.signers.find(({ side }) => side === party.side);
  if (!known || booking.status !== "contract_sent" || contract.signed_status !== "sent" || signer?.signed_at)
    throw conflict("This contract is no longer open for your signature.");
  if (!sidesToSign(known).includes(party.side))
    throw conflict(`The ${known.first_signer ?? ""} signs first. We email you when it is your turn.`);
  const adapter = await signingServiceOf(services, contract.provider);
  try {
    const { side } = party;
    return await adapter.signingUrl(contract.ref, { side, email: await mailboxOf(db, booking, side) }, returnUrl);
  } catch (error) {
    if (!(error instanceof EsignFailure)) throw error;
    services.log.warn({ err: error, bookingId: booking.id }, "the signing service returned no link");
    throw new Problem(
      "unavailable",
      `${adapter.label} cannot be reached. Try again in a few minutes. Nothing is lost.`,
      { cause: error },
    );
  }
}
