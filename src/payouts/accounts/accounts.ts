import type { ProviderAccount } from "#gateway/account-gateway.ts";
import { callProvider, logFailure, providerLookupAfterHours } from "#gateway/attempts.ts";
import {
  type PaymentGateway,
  type Payments,
  ProviderFailure,
  requireGateway,
  unlessMissing,
} from "#gateway/gateway.ts";
import { isUuid, json, type Tx } from "#platform/db/index.ts";
import { notFound, Problem, conflict } from "#platform/errors.ts";
import { publish } from "#platform/event-outbox.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { broadcastChange } from "#realtime/index.ts";
import {
  bankFreezeHours,
  type BankPayoutFailed,
  type BankReturn,
  type PayoutAccountChanged,
  type PayoutAccountEnded,
} from "../accounts.rules.ts";
import {
  changeAccount,
  clearBankReturn,
  isFormer,
  lockAccount,
  lockReported,
  type PayoutAccount,
  retireAccount,
} from "./accounts.store.ts";
import { lastSyncOf, ownerOf } from "./accounts.views.ts";

type AccountOwner = Readonly<{ artistId: string; userId: string }>;

/** Returns the provider's URL to set up or manage the owner's account, which is created if there is none. Never call it inside a transaction. Throws unavailable (503) without the provider, conflict (409) if the account has ended there, and not found (404) for any user but the owner. */
export async function openPaymentAccount(
  services: Payments,
  owner: AccountOwner,
  pages: { returnUrl: string; refreshUrl: string },
): Promise<string> {
  const gateway = requireGateway(services);
  const open = async (): Promise<string> => {
    const ref = await requireAccount(services, gateway, owner);
    const reported = await syncConnectAccount(services, gateway, ref);
    if (!reported)
      throw conflict(
        "The payment provider has ended your payment account. We no longer send money there. Use the button again to set up a new one.",
      );
    return reported.submitted ? gateway.createLoginLink(ref) : gateway.createOnboardingLink({ account: ref, ...pages });
  };
  const { artistId } = owner;
  return callProvider(services, open, {
    ids: { artistId },
    message: "the payment provider did not open a payment account",
    toProblem: async ({ kind }) => {
      if (kind === "server_error" || kind === "refused") await recordUnopenedAccount(services, artistId);
      return new Problem("unavailable", "Your payment account could not be opened. Please try again in a moment.");
    },
  });
}

/** Records that the next caller must query the provider and use another key, unless the account is known. */
const recordUnopenedAccount = ({ clock, database }: Payments, artistId: string): Promise<void> =>
  database.transaction(async (tx) => {
    const now = clock.now();
    const row = await lockAccount(tx, artistId, now);
    if (row.provider_account === null) await changeAccount(tx, artistId, { needs_lookup: true }, now);
  });

/** Fetches and syncs an account, again if it was synced since. Ends it and returns undefined if it is gone or rejected at the provider. `returned`: money that the artist's bank did not accept. `arrived`: when the provider sent money that the bank accepted (ISO). */
export async function syncConnectAccount(
  services: Payments,
  gateway: PaymentGateway,
  ref: string,
  bank: { returned?: BankReturn; arrived?: string } = {},
): Promise<ProviderAccount | undefined> {
  const { database, clock } = services;
  const lastSync = await lastSyncOf(database.db, ref);
  const reported = await unlessMissing(gateway.retrieveAccount(ref));
  const now = clock.now();
  const isCurrent = await database.transaction(async (tx) => {
    const before = await lockReported(tx, ref, reported ? artistIdOf(reported) : null);
    // Another call may have stored a later answer.
    if (before?.provider_account === ref && before.updated_at.getTime() !== lastSync?.getTime()) return false;
    if (reported) await syncAccount(tx, reported, now);
    if (bank.arrived) await endBankReturn(tx, ref, bank.arrived);
    const row = await lockReported(tx, ref, null);
    if (row && !reported) await endAccount(tx, row, "gone", now);
    if (row && reported && bank.returned) await recordReturn(tx, row, bank.returned, now);
    return true;
  });
  if (!isCurrent) return syncConnectAccount(services, gateway, ref, bank);
  services.wake();
  return reported?.state === "rejected" ? undefined : reported;
}

async function recordReturn(tx: Tx, row: PayoutAccount, returned: BankReturn, now: Date): Promise<void> {
  const { artist_id: artistId, user_id: userId } = row;
  if (isKnownReturn(row.bank_return as BankReturn | null, returned)) return;
  await changeAccount(tx, artistId, { bank_return: json(returned) }, now);
  await publish(tx, "payout_account.bank_failed", { artistId, userId, ...returned } satisfies BankPayoutFailed);
  await broadcastChange(tx, "money", { userIds: [userId] });
}

const isKnownReturn = (noted: BankReturn | null, { payout, at }: BankReturn): boolean =>
  noted !== null && (noted.payout === payout || noted.at > at);

/** Removes the note of a return when money that the provider sent after it has arrived at the bank. */
export async function endBankReturn(tx: Tx, ref: string, payoutCreatedAt: string): Promise<void> {
  const ended = await clearBankReturn(tx, ref, payoutCreatedAt);
  if (ended) await broadcastChange(tx, "money", { userIds: [ended.user_id] });
}

async function endAccount(tx: Tx, row: PayoutAccount, why: "gone" | "rejected", now: Date): Promise<void> {
  await retireAccount(tx, row, { userId: row.user_id, why, now });
  await publish(tx, "payout_account.ended", {
    artistId: row.artist_id,
    userId: row.user_id,
    account: row.provider_account ?? "",
    why,
  } satisfies PayoutAccountEnded);
  await broadcastChange(tx, "money", { userIds: [await ownerOf(tx, row.artist_id)], admins: true });
}

/** Syncs the account when the artist returns before the webhook. A failed call changes nothing. */
export async function refreshAccount(services: Payments, ref: string): Promise<void> {
  const { gateway } = services;
  if (!gateway) return;
  try {
    await syncConnectAccount(services, gateway, ref);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    logFailure(services, error, { account: ref }, "the payment provider could not be queried about an account");
  }
}

/** Returns the reference of the owner's account. Concurrent callers get the same one, by the key of profile and owner. */
async function requireAccount(services: Payments, gateway: PaymentGateway, owner: AccountOwner): Promise<string> {
  const now = services.clock.now();
  const { artistId, userId } = owner;
  const row = await services.database.transaction((tx) => lockOwn(tx, owner, now));
  if (row.provider_account !== null) return row.provider_account;
  const requestedAt = row.requested_at ?? now;
  const requiresProviderLookup =
    row.needs_lookup || now.getTime() - requestedAt.getTime() > providerLookupAfterHours * hourMs;
  const span = { from: new Date(requestedAt.getTime() - hourMs), to: new Date(now.getTime() + hourMs) };
  const found = requiresProviderLookup ? await findOwn(services, gateway, owner, span) : undefined;
  // A key with a stored failure is unusable. The failure changed the row.
  const key = `account:${artistId}:${userId}:${(row.needs_lookup ? row.updated_at : requestedAt).getTime()}`;
  const made = found ?? (await gateway.createAccount({ artistId, ownerId: userId, key }));
  return services.database.transaction(async (tx) => {
    const locked = await lockOwn(tx, owner, now);
    if (locked.provider_account !== null) return locked.provider_account;
    await changeAccount(tx, artistId, { provider_account: made.ref, needs_lookup: false }, now);
    return made.ref;
  });
}

/** Locks the row of a profile for its owner. A former owner's account moves to history. */
async function lockOwn(tx: Tx, { artistId, userId }: AccountOwner, now: Date): Promise<PayoutAccount> {
  if ((await ownerOf(tx, artistId)) !== userId) throw notFound("Artist not found");
  let row = await lockAccount(tx, artistId, now);
  if (row.user_id !== userId) row = await retireAccount(tx, row, { userId, why: "other_owner", now });
  if (row.provider_account !== null || row.requested_at !== null) return row;
  await changeAccount(tx, artistId, { requested_at: now }, now);
  return { ...row, requested_at: now };
}

async function findOwn(
  services: Payments,
  gateway: PaymentGateway,
  { artistId, userId }: AccountOwner,
  span: { from: Date; to: Date },
): Promise<ProviderAccount | undefined> {
  const made = (await gateway.findAccounts(artistId, span)).filter((account) => account.ownerId === userId);
  const former = await services.database.db
    .selectFrom("former_payment_accounts")
    .select("provider_account")
    .where("artist_id", "=", artistId)
    .execute();
  return made.findLast((account) => !former.some((one) => one.provider_account === account.ref));
}

/** Syncs a reported account. A new bank account freezes payouts for 72 hours. A rejected account ends. An account that is not an artist's current one is ignored. */
export async function syncAccount(tx: Tx, reported: ProviderAccount, now: Date): Promise<void> {
  const row = await lockReported(tx, reported.ref, artistIdOf(reported));
  if (!row || (row.provider_account !== null && row.provider_account !== reported.ref)) return;
  const isOwn =
    row.provider_account !== null || (reported.ownerId === row.user_id && !(await isFormer(tx, reported.ref)));
  if (!isOwn) return;
  if (reported.state === "rejected") {
    if (row.provider_account !== null) await endAccount(tx, row, "rejected", now);
    return;
  }
  const from = row.onboarding_status;
  const to = reported.state;
  const frozenUntil = isOtherBank(row, reported) ? new Date(now.getTime() + bankFreezeHours * hourMs) : null;
  await changeAccount(
    tx,
    row.artist_id,
    {
      provider_account: reported.ref,
      onboarding_status: to,
      // The last bank account is stored while there is none, so a change by way of "none" is detected.
      bank: reported.bank ?? row.bank,
      ...(frozenUntil ? { frozen_until: frozenUntil } : {}),
    },
    now,
  );
  if (from === to && !frozenUntil && row.bank === reported.bank && row.provider_account !== null) return;
  if (from !== to || frozenUntil)
    await publish(tx, "payout_account.changed", {
      artistId: row.artist_id,
      userId: row.user_id,
      from,
      to,
      frozenUntil: frozenUntil?.toISOString() ?? null,
    } satisfies PayoutAccountChanged);
  await broadcastChange(tx, "money", { userIds: [await ownerOf(tx, row.artist_id)], admins: true });
}

const artistIdOf = ({ artistId }: ProviderAccount) => (artistId !== null && isUuid(artistId) ? artistId : null);

const isOtherBank = (row: PayoutAccount, reported: ProviderAccount): boolean =>
  row.bank !== null && reported.bank !== null && row.bank !== reported.bank;
