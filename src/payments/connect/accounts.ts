/**
 * The account that an artist's payouts go to: made once at the provider however often it is asked for, filled in on the provider's
 * own pages, and synced with what the provider reports of it.
 */
import { randomUUID } from "node:crypto";
import type { Tx } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { publish } from "#platform/event-outbox.ts";
import { broadcastChange } from "#realtime/index.ts";
import { requireGateway } from "../checkout/checkout.ts";
import { type PaymentGateway, type Payments, ProviderFailure } from "../gateway.ts";
import { lookUpAfterHours } from "../rules.ts";
import { isId } from "../store.ts";
import type { ProviderAccount } from "./account-gateway.ts";
import { bankFreezeHours, type OnboardingState, type PayoutAccountChanged } from "./accounts.rules.ts";
import { changeAccount, lockAccount, lockReported, type PayoutAccount } from "./accounts.store.ts";
import { ownerOf } from "./accounts.views.ts";

const hourMs = 3_600_000;

/**
 * Answers the address at the provider where the artist sets the account up, or manages it once that is done. Makes the account
 * first when there is none. Never call it inside a transaction. Throws unavailable when the provider cannot be reached.
 */
export async function openPaymentAccount(
  services: Payments,
  artistId: string,
  pages: { returnUrl: string; refreshUrl: string },
): Promise<string> {
  const gateway = requireGateway(services);
  return reaching(services, artistId, async () => {
    const ref = await requireAccount(services, gateway, artistId);
    const reported = await gateway.retrieveAccount(ref);
    await recordAccount(services, reported);
    return reported.submitted ? gateway.createLoginLink(ref) : gateway.createOnboardingLink({ account: ref, ...pages });
  });
}

/** Asks the provider how an account stands, for somebody who comes back before the webhook. A provider that does not answer changes nothing. */
export async function refreshAccount(services: Payments, ref: string): Promise<void> {
  const { gateway, log } = services;
  if (!gateway) return;
  try {
    await recordAccount(services, await gateway.retrieveAccount(ref));
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    log.warn({ err: error, account: ref }, "the payment provider could not be asked about an account");
  }
}

/** Syncs a fetched account in its own transaction. */
export async function recordAccount(services: Payments, reported: ProviderAccount): Promise<void> {
  await services.database.transaction((tx) => syncAccount(tx, reported, services.clock.now()));
  services.wake();
}

/** The reference of the artist's account. The artist's id is the key: callers at the same time get the same account. */
async function requireAccount(services: Payments, gateway: PaymentGateway, artistId: string): Promise<string> {
  const now = services.clock.now();
  const row = await services.database.transaction(async (tx) => {
    const locked = await lockAccount(tx, artistId, now);
    if (locked.provider_account === null && locked.asked_at === null)
      await changeAccount(tx, artistId, { asked_at: now }, now);
    return locked;
  });
  if (row.provider_account !== null) return row.provider_account;
  const asked = row.asked_at ?? now;
  const mustLook = row.look_up || now.getTime() - asked.getTime() > lookUpAfterHours * hourMs;
  const span = { from: new Date(asked.getTime() - hourMs), to: new Date(now.getTime() + hourMs) };
  const found = mustLook ? (await gateway.findAccounts(artistId, span)).at(-1) : undefined;
  // A key that holds a stored failure, or was forgotten, is of no use any more; the look has shown that nothing was made.
  const key = mustLook ? `account:${artistId}:${randomUUID()}` : `account:${artistId}`;
  const made = found ?? (await gateway.createAccount({ artistId, key }));
  return services.database.transaction(async (tx) => {
    const locked = await lockAccount(tx, artistId, now);
    if (locked.provider_account !== null) return locked.provider_account;
    await changeAccount(tx, artistId, { provider_account: made.ref, look_up: false }, now);
    return made.ref;
  });
}

/**
 * Syncs what the provider reports of an account. Another bank account than before freezes payouts for 72 hours. "foreign": it is
 * the account of no artist of ours, or not the one that the artist's payouts go to.
 */
export async function syncAccount(tx: Tx, reported: ProviderAccount, now: Date): Promise<"done" | "foreign"> {
  const mark = reported.artistId !== null && isId(reported.artistId) ? reported.artistId : null;
  const row = await lockReported(tx, reported.ref, mark);
  if (!row || (row.provider_account !== null && row.provider_account !== reported.ref)) return "foreign";
  const from = row.onboarding_status;
  const to: OnboardingState = reported.state;
  const frozenUntil = isOtherBank(row, reported) ? new Date(now.getTime() + bankFreezeHours * hourMs) : null;
  if (from === to && !frozenUntil && row.bank === reported.bank && row.provider_account !== null) return "done";
  await changeAccount(
    tx,
    row.artist_id,
    {
      provider_account: reported.ref,
      onboarding_status: to,
      // The last known one is remembered while there is none, so that a detour over "none" is a change as well.
      bank: reported.bank ?? row.bank,
      ...(frozenUntil ? { frozen_until: frozenUntil } : {}),
    },
    now,
  );
  const event: PayoutAccountChanged = {
    artistId: row.artist_id,
    from,
    to,
    frozenUntil: frozenUntil?.toISOString() ?? null,
  };
  if (from !== to || frozenUntil) await publish(tx, "payout_account.changed", event);
  await broadcastChange(tx, "money", { userIds: [await ownerOf(tx, row.artist_id)], admins: true });
  return "done";
}

const isOtherBank = (row: PayoutAccount, reported: ProviderAccount): boolean =>
  row.bank !== null && reported.bank !== null && row.bank !== reported.bank;

/** Turns a failed call into an error message, and remembers what the next caller has to do about it. */
async function reaching(services: Payments, artistId: string, call: () => Promise<string>): Promise<string> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    services.log.warn({ err: error, artistId }, "the payment provider did not open a payment account");
    if (error.kind === "server_error" || error.kind === "refused") {
      const now = services.clock.now();
      await services.database.transaction(async (tx) => {
        const row = await lockAccount(tx, artistId, now);
        if (row.provider_account === null) await changeAccount(tx, artistId, { look_up: true }, now);
      });
    }
    throw new Problem("unavailable", "The payment provider does not answer. Please try again in a moment.");
  }
}
