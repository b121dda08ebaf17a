/** The artists' accounts and their transfers, of the provider in memory. */

import { randomUUID } from "node:crypto";
import type { AccountGateway, ProviderAccount } from "#gateway/account-gateway.ts";
import { ProviderFailure } from "#gateway/gateway.ts";
import type { ProviderReversal, ProviderTransfer, TransferGateway } from "#gateway/transfer-gateway.ts";

/** Accounts in memory: one per idempotency key, in the state set by the test. */
export function memoryAccounts() {
  const accounts = new Map<string, ProviderAccount>();
  const keys = new Map<string, string>();
  const need = (ref: string): ProviderAccount => {
    const found = accounts.get(ref);
    if (!found) throw new ProviderFailure("missing", "no such account");
    return found;
  };
  const gateway: AccountGateway = {
    createAccount: async ({ artistId, ownerId, key }) => {
      const ref = keys.get(key) ?? `acct_${randomUUID()}`;
      keys.set(key, ref);
      const start = { state: "pending", submitted: false, bank: null } as const;
      const fresh = { ref, artistId, ownerId, ...start };
      accounts.set(ref, accounts.get(ref) ?? fresh);
      return need(ref);
    },
    retrieveAccount: async (ref) => need(ref),
    findAccounts: async (artistId) => [...accounts.values()].filter((account) => account.artistId === artistId),
    createOnboardingLink: async ({ account }) => `http://provider/onboarding/${need(account).ref}`,
    fetchSettlementCurrencies: async () => new Set(["usd"]),
    createLoginLink: async (account) => `http://provider/account/${need(account).ref}`,
  };
  return { gateway, accounts };
}

/** Transfers in memory, one per key. `fail` makes the next calls fail before or after their effect. */
export function memoryTransfers() {
  const transfers = new Map<string, ProviderTransfer & { group: string; charge: string | null }>();
  const reversals = new Map<string, ProviderReversal>();
  const keys = new Map<string, string>();
  const failures: ("away" | "lost" | "server_error" | "refused")[] = [];
  const respond = <T>(work: () => T): T => {
    const failure = failures.shift();
    if (failure === "refused") throw new ProviderFailure("refused", "the account cannot be paid");
    if (failure === "away") throw new ProviderFailure("no_answer", "the provider is away");
    const done = work();
    if (failure === "lost") throw new ProviderFailure("no_answer", "the answer was lost");
    if (failure === "server_error") throw new ProviderFailure("server_error", "the provider failed");
    return done;
  };
  const need = <T>(found: T | undefined): T => {
    if (!found) throw new ProviderFailure("missing", "no such object");
    return found;
  };
  const gateway: TransferGateway = {
    createTransfer: async ({ transferId, key, bookingId, destination, charge, amount, currency }) =>
      respond(() => {
        const ref = keys.get(key) ?? `tr_${randomUUID()}`;
        keys.set(key, ref);
        const made = {
          ref,
          transferId,
          destination,
          amount,
          currency,
          reversed: 0,
          createdAt: new Date(),
          group: bookingId,
          charge,
        };
        transfers.set(ref, transfers.get(ref) ?? made);
        return need(transfers.get(ref));
      }),
    retrieveTransfer: async (ref) => need(transfers.get(ref)),
    findTransfers: async ({ bookingId }) => [...transfers.values()].filter((transfer) => transfer.group === bookingId),
    async *listTransfers() {
      yield* transfers.values();
    },
    createReversal: async ({ reversalId, key, transfer, amount }) =>
      respond(() => {
        const ref = keys.get(key) ?? `trr_${randomUUID()}`;
        keys.set(key, ref);
        const of = need(transfers.get(transfer));
        const { currency } = of;
        if (!reversals.has(ref) && of.reversed + amount > of.amount)
          throw new ProviderFailure("refused", "the reversal is greater than the unreversed amount");
        const made = { ref, reversalId: reversalId === "" ? null : reversalId, transfer, amount, currency };
        if (!reversals.has(ref)) transfers.set(transfer, { ...of, reversed: of.reversed + amount });
        reversals.set(ref, reversals.get(ref) ?? made);
        return need(reversals.get(ref));
      }),
    findReversals: async (transfer) => [...reversals.values()].filter((reversal) => reversal.transfer === transfer),
  };
  return { gateway, transfers, reversals, failures };
}
