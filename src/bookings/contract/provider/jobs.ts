import {
  contractIdIn,
  type EsignEvent,
  EsignFailure,
  externalIdOf,
  outgoing,
  type SigningService,
  signingServiceOf,
} from "#contracts/services-for-bookings.ts";
import { bookingOfContract, findContract, type LockedContract } from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { type Job, processEach } from "#platform/jobs/jobs.ts";
import { minuteMs, hourMs } from "#platform/time/durations.rules.ts";
import { processWebhooks, webhookJob } from "#platform/webhooks/processing.ts";
import type { ClaimedEvent } from "#platform/webhooks/webhooks.store.ts";
import { alertAdmins } from "../../emails/admin-alerts.ts";
import { serviceTime } from "../sending.ts";
import { syncContract } from "./sync.ts";

const pollEveryMinutes = 10;
const batch = 20;
const alarmAfterSilentHours = 1;

export const processEsignEvents = (services: Payments): Promise<void> =>
  processWebhooks(services, { source: "signing", handle: (event) => handleEvent(services, event) });

/** Syncs the contract of a webhook. Returns a note for the list of events if something was unusual. */
async function handleEvent(services: Payments, { provider, payload }: ClaimedEvent): Promise<string | null> {
  const { db } = services.database;
  const { objectId: ref, externalId } = payload as EsignEvent;
  if (ref === null) return "It does not refer to a contract of this installation.";
  const known = await outgoing.bookingOfRef(db, provider, ref);
  const bookingId = known ?? (await requireBookingLater(services, { provider, ref, externalId }));
  if (bookingId === undefined) return "No contract of this installation has this id.";
  await syncContract(services, bookingId);
  const contract = await findContract(db, bookingId);
  return contract?.signed_status === "sent" ? contract.provider_alarm : null;
}

type Reported = Readonly<{ provider: string; ref: string; externalId: string | null }>;

/** Throws if a webhook arrives before the service's response to the sending. The event is then retried. */
async function requireBookingLater(services: Payments, { provider, ref, externalId }: Reported): Promise<undefined> {
  const { db } = services.database;
  const service = await signingServiceOf(services, provider);
  const contractId = contractIdIn(externalId ?? (await service.fetch(ref)).externalId);
  const bookingId = contractId === undefined ? undefined : await bookingOfContract(db, contractId);
  const contract = bookingId === undefined ? undefined : await findContract(db, bookingId);
  if (contract && contract.provider_ref === null && contract.provider_requested_at !== null)
    throw new Error("This contract is being sent. Its reference is not stored yet.");
  return undefined;
}

export async function syncSigningServices(services: Payments): Promise<void> {
  const { database, clock, log } = services;
  const since = new Date(clock.now().getTime() - pollEveryMinutes * minuteMs);
  await processEach(services, await outgoing.openAtProvider(database.db, since, batch), {
    work: (bookingId) => syncContract(services, bookingId),
    failed: (error, bookingId) => {
      log.warn({ err: error, bookingId }, "a contract could not be checked; it is tried again");
      return database.transaction((tx) => alertOfFailedSync(tx, services, bookingId));
    },
  });
}

async function alertOfFailedSync(tx: Tx, services: Payments, bookingId: string): Promise<void> {
  const contract = await findContract(tx, bookingId);
  const lastPolledAt = contract?.provider_polled_at ?? contract?.sent_at ?? null;
  if (lastPolledAt === null || services.clock.now().getTime() - lastPolledAt.getTime() < alarmAfterSilentHours * hourMs)
    return;
  const message = "The signing service could not be queried about a contract for an hour. We try again.";
  await alertAdmins(tx, services, { message, key: `contract look ${bookingId}`, bookingId, about: "contract" });
}

export async function withdrawContracts(services: Payments): Promise<void> {
  const { database, clock, log } = services;
  const due = await database.transaction((tx) => outgoing.claimWithdrawals(tx, clock.now(), batch));
  for (const contract of due) {
    try {
      const isOver = await withdraw(services, contract);
      if (isOver) await database.transaction((tx) => outgoing.recordWithdrawal(tx, contract.id, { at: clock.now() }));
    } catch (error) {
      log.warn({ err: error, contractId: contract.id }, "a contract could not be withdrawn; it is tried again");
      await database.transaction(async (tx) => {
        await outgoing.recordWithdrawal(tx, contract.id, { error: String(error) });
        await alertAdmins(tx, services, {
          message: `A contract that has ended here can still be signed at the signing service. It could not be withdrawn there. We try again. ${String(error)}`,
          key: `contract withdraw ${contract.id}`,
          bookingId: contract.booking_id,
          about: "contract",
        });
      });
    }
  }
}

/** Withdraws a contract at its service. Returns false while it is not found there and may still be in transit. */
async function withdraw(services: Payments, contract: LockedContract): Promise<boolean> {
  const service = await signingServiceOf(services, contract.provider);
  const { booking_id: bookingId, provider_ref: known } = contract;
  const ref = known ?? (await findUnrecorded(services, service, contract));
  if (ref === undefined) return contract.next_try_at === null || contract.next_try_at <= services.clock.now();
  if (known === null)
    await services.database.transaction((tx) => outgoing.withdrawSent(tx, bookingId, ref, services.clock.now()));
  try {
    const outcome = await service.cancel(ref, "The booking has ended on the platform.");
    if (outcome === "too_late") await syncContract(services, bookingId);
  } catch (error) {
    if (!(error instanceof EsignFailure && error.kind === "missing")) throw error;
    const message = `${service.label} no longer has a contract that has ended here. If it was sent from another account, withdraw it there.`;
    await services.database.transaction((tx) =>
      alertAdmins(tx, services, { message, key: `contract missing ${contract.id}`, bookingId, about: "contract" }),
    );
  }
  return true;
}

async function findUnrecorded(services: Payments, service: SigningService, contract: LockedContract) {
  if (contract.document_hash === null) return undefined;
  const externalId = externalIdOf(contract.id, Buffer.from(contract.document_hash, "hex"));
  return (await service.find(externalId, serviceTime(services, contract.created_at)))?.ref;
}

export const providerJobs: readonly Job<Payments>[] = [
  webhookJob("esign-events", "signing", processEsignEvents),
  {
    name: "esign-look",
    when: { everySeconds: 60 },
    // The service's clock does not move with the demo clock.
    whenMoved: "never",
    run: syncSigningServices,
  },
  {
    name: "esign-withdraw",
    when: { everySeconds: 10, wokenBy: ["booking.status_changed"] },
    whenMoved: "never",
    run: withdrawContracts,
  },
];
