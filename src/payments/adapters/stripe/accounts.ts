import type Stripe from "stripe";
import type { AccountGateway, ProviderAccount } from "#gateway/account-gateway.ts";
import { callStripe, inSpan, listStripe } from "./stripe-call.ts";

export function stripeAccounts(stripe: Stripe, installation: string): AccountGateway {
  const read = (account: Stripe.Account) => accountFrom(account, installation);
  return {
    fetchSettlementCurrencies: () =>
      callStripe(async () => {
        const [account, { available, pending }] = await Promise.all([
          stripe.accounts.retrieveCurrent(),
          stripe.balance.retrieve(),
        ]);
        const banks = account.external_accounts?.data ?? [];
        const held = [...available, ...pending, ...banks].map(({ currency }) => currency);
        return new Set([account.default_currency, ...held].filter((currency) => typeof currency === "string"));
      }),
    createAccount: ({ artistId, ownerId, key }) =>
      callStripe(async () => {
        const account = await stripe.accounts.create(
          {
            type: "express",
            capabilities: { transfers: { requested: true } },
            metadata: { installation, artist_id: artistId, user_id: ownerId },
          },
          { idempotencyKey: key },
        );
        return read(account);
      }),
    retrieveAccount: (ref) => callStripe(async () => read(await stripe.accounts.retrieve(ref))),
    findAccounts: async (artistId, span) =>
      (await Array.fromAsync(listStripe(stripe.accounts.list(inSpan(span))), read)).filter(
        (account) => account.artistId === artistId,
      ),
    createOnboardingLink: ({ account, returnUrl, refreshUrl }) =>
      callStripe(async () => {
        const link = await stripe.accountLinks.create({
          account,
          type: "account_onboarding",
          return_url: returnUrl,
          refresh_url: refreshUrl,
        });
        return link.url;
      }),
    createLoginLink: (account) => callStripe(async () => (await stripe.accounts.createLoginLink(account)).url),
  };
}

function accountFrom(account: Stripe.Account, installation: string): ProviderAccount {
  const own = account.metadata?.["installation"] === installation;
  return {
    ref: account.id,
    artistId: own ? (account.metadata?.["artist_id"] ?? null) : null,
    ownerId: own ? (account.metadata?.["user_id"] ?? null) : null,
    state: stateOf(account),
    submitted: account.details_submitted,
    bank: bankOf(account),
  };
}

function stateOf(account: Stripe.Account): ProviderAccount["state"] {
  if (account.details_submitted && account.payouts_enabled && account.capabilities?.transfers === "active")
    return "completed";
  const stopped = account.requirements?.disabled_reason ?? null;
  if (stopped?.startsWith("rejected.")) return "rejected";
  const waits = stopped === null || stopped === "requirements.pending_verification";
  return account.details_submitted && !waits ? "restricted" : "pending";
}

/** A fingerprint stays the same when the same number is entered again. */
function bankOf(account: Stripe.Account): string | null {
  const banks = (account.external_accounts?.data ?? []).map((bank) => bank.fingerprint ?? bank.id);
  return banks.length === 0 ? null : banks.toSorted().join(" ");
}
