/** Sends contracts after the deposit. The document is drawn outside transactions, then stored and sent in one. */

import {
  type AgreementContext,
  currentTemplate,
  drawAgreement,
  findTemplate,
  issueContract,
  recordSendingFailure,
  addMissingDocument,
  type DrawnAgreement,
  type SentTo,
} from "#contracts/agreements-for-bookings.ts";
import { documentKindsOf } from "#contracts/copies-for-bookings.ts";
import { draftContract, adapterOf, chosenProvider } from "#contracts/index.ts";
import { type ContractSide, standardTemplate } from "#contracts/rules.ts";
import { EsignFailure, outgoing, externalIdOf, type Invited } from "#contracts/services-for-bookings.ts";
import { findContract, type LockedContract } from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Reader } from "#platform/db/index.ts";
import { processEach } from "#platform/jobs/jobs.ts";
import { backoffSeconds } from "#platform/time/retry.ts";
import { platformSettings } from "#settings/index.ts";
import { verifiedMailbox } from "#users/index.ts";
import { alertAdmins } from "../emails/admin-alerts.ts";
import { applyBookingChange } from "../lifecycle/transitions.ts";
import type { CancellationPolicy } from "../rules/cancellation/cancellation.rules.ts";
import { describePolicy } from "../rules/cancellation/policy-text.rules.ts";
import { balanceDueDays } from "../rules/money/due-day.rules.ts";
import { cardCanPay } from "../rules/permissions.rules.ts";
import { type Booking, findBooking, lockBooking } from "../store.ts";
import { artistOfBooking } from "../views.ts";
import { contractTerms } from "./contract-terms.ts";
import { sendableContracts } from "./due.views.ts";

export function agreementContext(
  booking: Pick<Booking, "number">,
  contract: Pick<LockedContract, "terms">,
): AgreementContext {
  const { money } = contract.terms;
  const policy = contract.terms.policy as CancellationPolicy;
  const sums = {
    fee_cents: money.feeCents,
    deposit_cents: money.depositCents,
    balance_cents: money.balanceCents,
    currency: money.currency,
  };
  return {
    number: booking.number,
    cancellationTerms: describePolicy(policy, sums),
    policyName: policy.name,
    balanceDueDays,
    isBalancePayable: cardCanPay(money.currency, money.balanceCents),
  };
}

/** Drafts the contract with the current parties: an address was corrected, or the artist has entered a legal name, since the checkout. */
async function draftNow(services: Payments, booking: Booking): Promise<LockedContract> {
  const { database } = services;
  const artist = await artistOfBooking(database.db, booking);
  const terms = await contractTerms(database.db, booking, artist);
  await database.transaction((tx) => draftContract(tx, { bookingId: booking.id, terms }));
  const drafted = await findContract(database.db, booking.id);
  if (!drafted) throw new Error(`the contract of booking ${booking.id} was not stored`);
  return drafted;
}

/** Sends the contract of a booking at deposit_paid. Returns false if another process sent it, or the status or the promoter's address has changed. */
export async function sendContract(services: Payments, bookingId: string): Promise<boolean> {
  const { database, clock } = services;
  const paid = await findBooking(database.db, bookingId);
  if (paid?.status !== "deposit_paid") return false;
  const contract = await draftNow(services, paid);
  const { defaultTemplateId } = await platformSettings(database.db);
  const template = await currentTemplate(database.db, defaultTemplateId);
  const drawn =
    (await outgoing.claimedAgreement(database.db, contract)) ??
    (await drawAgreement(contract, agreementContext(paid, contract), template));
  const sent = await handToProvider(services, { booking: paid, contract, drawn });
  if (!sent) return false;
  return database.transaction(async (tx) => {
    const booking = await lockBooking(tx, bookingId);
    const now = clock.now();
    if (booking?.status !== "deposit_paid") {
      if (sent.ref !== null) await outgoing.withdrawSent(tx, bookingId, sent.ref, now);
      return false;
    }
    // Its document names the former address. The next run draws it again.
    if (sent.ref === null && booking.promoter_email !== paid.promoter_email) return false;
    const issued = await issueContract(tx, { bookingId, drawn, startsAt: booking.starts_at, now, sent });
    if (issued) await applyBookingChange(tx, booking, {}, { by: "system", cause: "contract_sent", now });
    return issued;
  });
}

/** Creates the document of a contract that was sent or signed before documents were stored. A draft has none. */
export async function ensureDocument(services: Payments, bookingId: string): Promise<void> {
  const { database, clock } = services;
  const [booking, contract] = await Promise.all([
    findBooking(database.db, bookingId),
    findContract(database.db, bookingId),
  ]);
  if (!booking || !contract || contract.sent_at === null) return;
  if ((await documentKindsOf(database.db, contract.id)).includes("agreement")) return;
  // It was sent before templates could be edited, with the first version of the standard template.
  const template = (await findTemplate(database.db, standardTemplate.id, 1)) ?? standardTemplate;
  const drawn = await drawAgreement(contract, agreementContext(booking, contract), template);
  await database.transaction(async (tx) => {
    await lockBooking(tx, bookingId);
    await addMissingDocument(tx, { bookingId, drawn, startsAt: booking.starts_at, now: clock.now() });
  });
}

const batch = 20;
const alarmAtFailedAttempt = 3;
const backoff = { firstSeconds: 10, maxSeconds: 3_600 };
/** The least wait after an unanswered call. The service may still process it, and an earlier search would not find the contract. */
const settlingSeconds = 60;

export async function sendContracts(services: Payments): Promise<void> {
  const { database, clock, log } = services;
  const now = clock.now();
  const due = await sendableContracts(database.db, now, batch);
  await processEach(services, due, {
    work: ({ id }) => sendContract(services, id),
    failed: async (error, { id, contract, attempts }) => {
      log.error({ err: error, bookingId: id }, "a contract could not be sent; it is tried again");
      const unknown = error instanceof EsignFailure && error.kind === "no_answer";
      const attempt = (attempts ?? 0) + 1;
      const seconds = Math.max(backoffSeconds(attempt, backoff), unknown ? settlingSeconds : 0);
      const nextTryAt = new Date(clock.now().getTime() + seconds * 1_000);
      const message = error instanceof EsignFailure ? error.message : String(error);
      if (contract)
        await database.transaction(async (tx) => {
          await recordSendingFailure(tx, contract, { message, nextTryAt });
          if (attempt === alarmAtFailedAttempt)
            await alertAdmins(tx, services, {
              message: `A contract could not be sent ${alarmAtFailedAttempt} times. We try again. ${message}`,
              key: `contract sending ${id}`,
              bookingId: id,
              about: "contract",
            });
        });
    },
  });
}

/** Returns an instant of the platform's clock on the real clock, which services use. The demo's clock may be ahead. */
export const serviceTime = ({ clock, realClock }: Pick<Payments, "clock" | "realClock">, at: Date): Date =>
  new Date(at.getTime() - (clock.now().getTime() - realClock.now().getTime()));

const refusalsBeforeSigningHere = 2;

/** Returns a party's current mailbox for a service. Null for an artist without a verified one. */
export async function mailboxOf(reader: Reader, booking: Booking, side: ContractSide): Promise<string | null> {
  if (side === "promoter") return booking.promoter_email;
  const { user_id: ownerId } = await artistOfBooking(reader, booking);
  return ownerId === null ? null : verifiedMailbox(reader, ownerId);
}

/** Returns both parties with the email addresses for the service, or undefined if the artist has no verified one. */
export async function partiesOf(
  reader: Reader,
  booking: Booking,
  contract: Pick<LockedContract, "terms">,
): Promise<Invited[] | undefined> {
  const { artist, promoter } = contract.terms;
  const mailbox = await mailboxOf(reader, booking, "artist");
  if (mailbox === null) return undefined;
  return [
    { side: "promoter", name: promoter.name, email: booking.promoter_email },
    { side: "artist", name: artist.name, email: mailbox },
  ];
}

/** Sends a paid booking's contract to the chosen or earlier service, outside transactions and never twice for one contract. One refused a third time is signed here. Returns undefined if another process sends it, or the status or the promoter's address has changed. Throws an EsignFailure if the service fails. */
async function handToProvider(
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
    const locked = await lockBooking(tx, booking.id);
    if (locked?.status !== "deposit_paid" || locked.promoter_email !== booking.promoter_email) return undefined;
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
    if (contract.attempts < refusalsBeforeSigningHere) throw error;
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
