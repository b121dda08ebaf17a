/** The artists' accounts of the provider in memory. */
import { randomUUID } from "node:crypto";
import type { AccountGateway, ProviderAccount } from "#payments/connect/account-gateway.ts";
import { ProviderFailure } from "#payments/gateway.ts";

/** Accounts in memory: one per idempotency key, in the state that a test gives them. */
export function memoryAccounts() {
  const accounts = new Map<string, ProviderAccount>();
  const keys = new Map<string, string>();
  const need = (ref: string): ProviderAccount => {
    const found = accounts.get(ref);
    if (!found) throw new ProviderFailure("missing", "no such account");
    return found;
  };
  const gateway: AccountGateway = {
    createAccount: async ({ artistId, key }) => {
      const ref = keys.get(key) ?? `acct_${randomUUID()}`;
      keys.set(key, ref);
      const fresh = { ref, artistId, state: "pending", submitted: false, bank: null, createdAt: new Date() } as const;
      accounts.set(ref, accounts.get(ref) ?? fresh);
      return need(ref);
    },
    retrieveAccount: async (ref) => need(ref),
    findAccounts: async (artistId) => [...accounts.values()].filter((account) => account.artistId === artistId),
    createOnboardingLink: async ({ account }) => `http://provider/onboarding/${need(account).ref}`,
    createLoginLink: async (account) => `http://provider/account/${need(account).ref}`,
  };
  return { gateway, accounts };
}
