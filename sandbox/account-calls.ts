import type { Tx } from "#platform/db/index.ts";
import { accountOf, type AccountState } from "./account-objects.ts";
import { address, type Call, listOf, requireObject, type Route, route } from "./lookup.ts";
import { newId } from "./objects.ts";
import { badParam, group, requireText, ProviderError, textValues } from "./params.ts";
import { saveObject } from "./store.ts";

const linkSeconds = 300;

const createAccount: Call = async ({ tx, params, now }) => {
  if (requireText(params, "type") !== "express")
    throw badParam("type", "The sandbox makes Express accounts only.", "parameter_unknown");
  if (group(group(params, "capabilities"), "transfers")["requested"] !== "true")
    throw badParam("capabilities", "The account must request the transfers capability.", "parameter_missing");
  const state: AccountState = {
    id: newId("acct"),
    created: now,
    metadata: textValues(params, "metadata"),
    stage: "open",
    bank: 0,
  };
  await saveObject(tx, "account", state);
  return accountOf(state);
};

const createAccountLink: Call = async ({ tx, params, now }) => {
  const account = await needOpen(tx, requireText(params, "account"));
  if (requireText(params, "type") !== "account_onboarding")
    throw badParam("type", "The sandbox makes onboarding links only.", "parameter_unknown");
  const returnUrl = address(requireText(params, "return_url"), "return_url");
  const refreshUrl = address(requireText(params, "refresh_url"), "refresh_url");
  const id = newId("acctlink");
  const expiresAt = now + linkSeconds;
  await saveObject(tx, "account_link", {
    id,
    created: now,
    account: account.id,
    returnUrl,
    refreshUrl,
    expiresAt,
    used: false,
  });
  const url = new URL(`/sandbox/onboarding/${id}`, returnUrl).href;
  return { object: "account_link", created: now, expires_at: expiresAt, url };
};

async function needOpen(tx: Tx, id: string): Promise<AccountState> {
  const account = await requireObject(tx, "account", id, "account");
  if (account.stage !== "closed") return account;
  const message = `The provided key does not have access to account '${id}' (or that account does not exist).`;
  throw new ProviderError(403, "invalid_request_error", message, { code: "account_invalid" });
}

const createLoginLink: Call = async ({ tx, id, now, publicUrl }) => {
  const account = await needOpen(tx, id);
  if (account.stage === "open")
    throw badParam(
      "account",
      "Cannot create a login link for an account that has not completed onboarding.",
      "account_invalid",
    );
  return { object: "login_link", created: now, url: `${publicUrl}/sandbox/account/${account.id}` };
};

const ownAccount: Call = async ({ now, received }) => ({
  ...accountOf({ id: "acct_sandbox", created: now, metadata: {}, stage: "completed", bank: 1 }),
  type: "standard",
  default_currency: received[0],
});

/** The balance has an amount for each currency that the account receives. The sandbox does not track an account's balance. */
const retrieveBalance: Call = async ({ received }) => {
  const amounts = received.map((currency) => ({ amount: 0, currency, source_types: { card: 0 } }));
  return { object: "balance", available: amounts, livemode: false, pending: amounts };
};

export const accountCalls: readonly Route[] = [
  route("GET /v1/account", ownAccount),
  route("GET /v1/balance", retrieveBalance),
  route("POST /v1/accounts", createAccount),
  listOf("/v1/accounts", "account", { present: accountOf }),
  route("GET /v1/accounts/:id", async ({ tx, id }) => accountOf(await needOpen(tx, id))),
  route("POST /v1/accounts/:id/login_links", createLoginLink),
  route("POST /v1/account_links", createAccountLink),
];
