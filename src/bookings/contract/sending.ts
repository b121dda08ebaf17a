/** Sends contracts after the deposit. The document is drawn outside transactions, then stored and sent in one. */

import {
  type AgreementContext,
  currentTemplate,
  drawAgreement,
  issueContract,
  recordSendingFailure,
  addMissingDocument,
} from "#contracts/agreements-for-bookings.ts";
import { documentKindsOf } from "#contracts/copies-for-bookings.ts";
import { draftContract } from "#contracts/index.ts";
import { type AgreementEdition, agreementEditions, standardTemplate } from "#contracts/rules.ts";
import { EsignFailure, outgoing } from "#contracts/services-for-bookings.ts";
import { findContract, type LockedContract } from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import { processEach } from "#platform/jobs.ts";
import { backoffSeconds } from "#platform/time/retry.ts";
import { platformSettings } from "#settings/index.ts";
import { alertAdmins } from "../emails/admin-alerts.ts";
import { applyBookingChange } from "../lifecycle/transitions.ts";
import { type CancellationPolicy } from "../rules/cancellation/cancellation.rules.ts";
import { describePolicy } from "../rules/cancellation/policy-text.rules.ts";
import { balanceDueDays } from "../rules/money/due-day.rules.ts";
import { type Booking, findBooking, lockBooking } from "../store.ts";
import { artistOfBooking } from "../views.ts";
import { contractTerms } from "./contract-terms.ts";
import { sendableContracts } from "./due.views.ts";
import { handToProvider } from "./provider-sending.ts";

/** Returns the content of an agreement besides its terms. An earlier `edition` is for the check of a stored agreement. */
export function agreementContext(
  booking: Pick<Booking, "number">,
  contract: Pick<LockedContract, "terms">,
  edition: AgreementEdition = agreementEditions[0],
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
    edition,
    number: booking.number,
    cancellationTerms: describePolicy(policy, sums, edition),
    policyName: policy.name,
    balanceDueDays,
  };
}

async function requireContract(services: Payments, booking: Booking): Promise<LockedContract> {
  const { database } = services;
  const known = await findContract(database.db, booking.id);
  if (known) return known;
  const artist = await artistOfBooking(database.db, booking);
  const terms = await contractTerms(database.db, booking, artist);
  await database.transaction((tx) => draftContract(tx, { bookingId: booking.id, terms }));
  const drafted = await findContract(database.db, booking.id);
  if (!drafted) throw new Error(`the contract of booking ${booking.id} was not stored`);
  return drafted;
}

/** Sends the contract of a booking at deposit_paid. Returns false if another process sent it or the status has changed. */
export async function sendContract(services: Payments, bookingId: string): Promise<boolean> {
  const { database, clock } = services;
  const paid = await findBooking(database.db, bookingId);
  if (paid?.status !== "deposit_paid") return false;
  const contract = await requireContract(services, paid);
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
  const drawn = await drawAgreement(contract, agreementContext(booking, contract), standardTemplate);
  await database.transaction(async (tx) => {
    await lockBooking(tx, bookingId);
    await addMissingDocument(tx, { bookingId, drawn, startsAt: booking.starts_at, now: clock.now() });
  });
}

const batch = 20;
/** The failed attempt at which admins are notified. Retries continue. */
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
