/** Sends contracts to the signing service, outside transactions and never twice for one contract. */

import type { DrawnAgreement, SentTo } from "#contracts/agreements-for-bookings.ts";
import { adapterOf, chosenProvider } from "#contracts/index.ts";
import { EsignFailure, externalIdOf, type Invited, outgoing } from "#contracts/services-for-bookings.ts";
import type { LockedContract } from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Reader } from "#platform/db/index.ts";
import { verifiedMailbox } from "#users/index.ts";
import { alertAdmins } from "../emails/admin-alerts.ts";
import { type Booking, lockBooking } from "../store.ts";
import { artistOfBooking } from "../views.ts";

/** Returns an instant of the platform's clock on the real clock, which services use. The demo's clock may be ahead. */
export const serviceTime = ({ clock, realClock }: Pick<Payments, "clock" | "realClock">, at: Date): Date =>
  new Date(at.getTime() - (clock.now().getTime() - realClock.now().getTime()));

/** The number of failed attempts before a contract that the service refuses again is signed on this server. */
const refusalsBefore = 2;

/** Returns both parties with the email addresses for the service, or undefined if the artist has no verified one. */
export async function partiesOf(
  reader: Reader,
  booking: Booking,
  contract: Pick<LockedContract, "terms">,
): Promise<Invited[] | undefined> {
  const { artist, promoter } = contract.terms;
  const { user_id: ownerId } = await artistOfBooking(reader, booking);
  const mailbox = ownerId === null ? null : await verifiedMailbox(reader, ownerId);
  if (mailbox === null) return undefined;
  return [
    { side: "promoter", name: promoter.name, email: booking.promoter_email },
    { side: "artist", name: artist.name, email: mailbox },
  ];
}

/** Sends a paid booking's contract to the chosen or earlier service. One refused a third time is signed here. Returns undefined if another process sends it or the status has changed. Throws an EsignFailure if the service fails. */
export async function handToProvider(
  services: Payments,
  { booking, contract, drawn }: { booking: Booking; contract: LockedContract; drawn: DrawnAgreement },
): Promise<SentTo | undefined> {
  const { database, clock } = services;
  const { db } = database;
  const signers = await partiesOf(db, booking, contract);
  // Without a mailbox the artist cannot sign at a service. On this server an admin may attest the signature.
  const chosen = signers === undefined ? "embedded" : await chosenProvider(db, services);
  const adapter = await adapterOf(services, contract.provider_requested_at === null ? chosen : contract.provider);
  // A contract signed on this server is not sent, so there is nothing to claim or find.
  if (!adapter.outside) return { provider: adapter.name, ref: null };
  const { sha256, bytes: agreement } = drawn.document;
  const request = {
    externalId: externalIdOf(contract.id, sha256),
    title: `Performance agreement, booking ${booking.number}`,
    agreement,
    sha256,
    signers: signers ?? [],
    firstSigner: drawn.firstSigner,
    endsAt: serviceTime(services, booking.starts_at),
    since: serviceTime(services, contract.created_at),
  };
  const claimed = await database.transaction(async (tx) => {
    if ((await lockBooking(tx, booking.id))?.status !== "deposit_paid") return undefined;
    return outgoing.claimForSending(tx, { bookingId: booking.id, provider: adapter.name, drawn, now: clock.now() });
  });
  if (!claimed) return undefined;
  // True if the contract is certainly not at the service: it was never sent, or was not found there.
  let absent = claimed.before === null;
  try {
    const known = absent ? undefined : await adapter.find(request.externalId, request.since);
    absent = known === undefined;
    return { provider: adapter.name, ...(known ?? (await adapter.send(request))) };
  } catch (error) {
    const refused = error instanceof EsignFailure && (error.kind === "refused" || error.kind === "wrong_key");
    // Another service may be chosen then. After an unknown outcome the contract stays with this one.
    if (refused && absent)
      await database.transaction(async (tx) => {
        await lockBooking(tx, booking.id);
        await outgoing.releaseFromProvider(tx, booking.id);
      });
    if (!(error instanceof EsignFailure && error.kind === "refused" && absent)) throw error;
    if (contract.attempts < refusalsBefore) throw error;
    return signHereInstead(services, booking, `${adapter.label} has refused it: ${error.message}`);
  }
}

/** Signs a repeatedly refused contract on this server and notifies admins. Otherwise the request would block the date without a contract. */
async function signHereInstead(services: Payments, booking: Booking, why: string): Promise<SentTo> {
  await services.database.transaction((tx) =>
    alertAdmins(tx, services, {
      message: `The contract of booking ${booking.number} is signed on this server. ${why}`,
      key: `contract signed here ${booking.id}`,
      bookingId: booking.id,
      about: "contract",
    }),
  );
  return { provider: "embedded", ref: null };
}
