import type Stripe from "stripe";
import type { Tx } from "#platform/db/index.ts";
import { accountOf, type AccountState } from "./account-objects.ts";
import { cardCalls } from "./cards/card-calls.ts";
import { disputeCalls } from "./disputes/calls.ts";
import { disputesOfCharge, isOver, hasWithdrawnFunds } from "./disputes/changes.ts";
import { address, type Call, listOf, requireObject, retrieve, type Route, route } from "./lookup.ts";
import { balanceOf, newId, refundOf, sessionOf, type StoredSession, type Wanted } from "./objects.ts";
import {
  badParam,
  group,
  items,
  requireText,
  optionalText,
  type Params,
  textValues,
  requireInteger,
  requireChargeable,
  ProviderError,
} from "./params.ts";
import { enqueueEvent, find, findMany, type Kind, saveObject, inSettlementCurrency } from "./store.ts";
import { transferCalls } from "./transfers/calls.ts";

const createSession: Call = async ({ tx, params, now }) => {
  const wanted = readWanted(params, now);
  const session = sessionOf(wanted);
  await saveObject(tx, "checkout.session", { session, wanted }, wanted.expiresAt);
  return session;
};

function readWanted(params: Params, now: number): Wanted {
  if (requireText(params, "mode") !== "payment")
    throw badParam("mode", "The sandbox takes one-time payments only.", "parameter_unknown");
  const lines = items(params, "line_items");
  if (lines.length === 0) throw badParam("line_items", "Missing required param: line_items.", "parameter_missing");
  const prices = lines.map((line, index) => readLine(line, `line_items[${index}]`));
  const first = prices[0];
  const currency = first?.currency ?? "";
  if (prices.some((price) => price.currency !== currency))
    throw badParam("line_items", "All prices must have the same currency.");
  const amount = prices.reduce((sum, price) => sum + price.amount, 0);
  requireChargeable({ amount, currency }, "line_items", "The Checkout Session's total amount");
  const expiresAt = optionalText(params, "expires_at") === null ? now + 86_400 : requireInteger(params, "expires_at");
  if (expiresAt < now + 1_800 || expiresAt > now + 86_400)
    throw badParam(
      "expires_at",
      "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.",
    );
  const intent = group(params, "payment_intent_data");
  return {
    id: newId("cs_test"),
    created: now,
    expiresAt,
    amount,
    currency,
    title: first?.title ?? "",
    description: first?.description ?? null,
    images: first?.images ?? [],
    email: optionalText(params, "customer_email"),
    reference: optionalText(params, "client_reference_id"),
    metadata: textValues(params, "metadata"),
    transferGroup: optionalText(intent, "transfer_group"),
    intentMetadata: textValues(intent, "metadata"),
    successUrl: address(requireText(params, "success_url"), "success_url"),
    cancelUrl:
      optionalText(params, "cancel_url") === null ? null : address(requireText(params, "cancel_url"), "cancel_url"),
    notice: optionalText(group(group(params, "custom_text"), "submit"), "message"),
    saveCard: optionalText(intent, "setup_future_usage") === "off_session",
    // The setting of the account is the default. New accounts have it on.
    adaptivePricing: optionalText(group(params, "adaptive_pricing"), "enabled") !== "false",
  };
}

function readLine(line: unknown, at: string) {
  const params = (typeof line === "object" && line !== null ? line : {}) as Params;
  const price = group(params, "price_data");
  const product = group(price, "product_data");
  return {
    amount:
      requireInteger(price, "unit_amount", `${at}[price_data][unit_amount]`) *
      requireInteger(params, "quantity", `${at}[quantity]`),
    currency: requireText(price, "currency", `${at}[price_data][currency]`).toLowerCase(),
    title: requireText(product, "name", `${at}[price_data][product_data][name]`),
    description: optionalText(product, "description"),
    images: Object.values(textValues(product, "images")),
  };
}

export async function endSession(tx: Tx, stored: StoredSession, now: number): Promise<Stripe.Checkout.Session> {
  const session: Stripe.Checkout.Session = { ...stored.session, status: "expired", url: null };
  await saveObject(tx, "checkout.session", { ...stored, session });
  await enqueueEvent(tx, "checkout.session.expired", session, now);
  return session;
}

const expireSession: Call = async ({ tx, id, now }) => {
  const stored = await requireObject(tx, "checkout.session", id, "session");
  const { status } = stored.session;
  if (status === "open") return endSession(tx, stored, now);
  throw badParam(
    "session",
    `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${status}.`,
  );
};

const createRefund: Call = async ({ tx, params, now }) => {
  const intent = await requireObject(tx, "payment_intent", requireText(params, "payment_intent"), "payment_intent");
  const charge = typeof intent.latest_charge === "string" ? await find(tx, "charge", intent.latest_charge) : undefined;
  if (!charge?.paid)
    throw badParam(
      "payment_intent",
      "This PaymentIntent does not have a successful charge to refund.",
      "charge_not_refundable",
    );
  const disputes = (await disputesOfCharge(tx, charge.id)).filter(hasWithdrawnFunds);
  // Nothing can be refunded during an open dispute. After a lost one, the rest can.
  const chargedBack = disputes.reduce((sum, dispute) => sum + dispute.amount, 0);
  const left = charge.amount - charge.amount_refunded - chargedBack;
  if (disputes.length > 0 && (left <= 0 || disputes.some((dispute) => !isOver(dispute))))
    throw badParam("charge", `Charge ${charge.id} has been charged back.`, "charge_disputed");
  if (left === 0) throw badParam("charge", `Charge ${charge.id} has already been refunded.`, "charge_already_refunded");
  const amount = optionalText(params, "amount") === null ? left : requireInteger(params, "amount");
  if (amount === 0 || amount > left)
    throw badParam(
      "amount",
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      "amount_too_large",
    );
  const refund = refundOf(charge, { id: newId("re"), created: now, amount, metadata: textValues(params, "metadata") });
  const after: Stripe.Charge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: charge.amount_refunded + amount === charge.amount,
  };
  await saveObject(tx, "charge", after);
  const balance = await inSettlementCurrency(tx, charge, balanceOf(refund));
  await saveObject(tx, "balance_transaction", balance);
  await saveObject(tx, "refund", refund);
  await enqueueEvent(tx, "refund.created", refund, now);
  await enqueueEvent(tx, "charge.refunded", after, now);
  return refund;
};

const linkSeconds = 300;

const createAccount: Call = async ({ tx, params, now }) => {
  if (requireText(params, "type") !== "express")
    throw badParam("type", "The sandbox makes Express accounts only.", "parameter_unknown");
  if (group(group(params, "capabilities"), "transfers")["requested"] !== "true")
    throw badParam("capabilities", "The account must request the transfers capability.", "parameter_missing");
  const metadata = textValues(params, "metadata");
  const state: AccountState = { id: newId("acct"), created: now, metadata, stage: "open", bank: 0 };
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
  const link = { id, created: now, account: account.id, returnUrl, refreshUrl, expiresAt, used: false };
  await saveObject(tx, "account_link", link);
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

const accountCalls: readonly Route[] = [
  route("GET /v1/account", ownAccount),
  route("GET /v1/balance", retrieveBalance),
  route("POST /v1/accounts", createAccount),
  listOf("/v1/accounts", "account", { present: accountOf }),
  route("GET /v1/accounts/:id", async ({ tx, id }) => accountOf(await needOpen(tx, id))),
  route("POST /v1/accounts/:id/login_links", createLoginLink),
  route("POST /v1/account_links", createAccountLink),
];

export const calls: readonly Route[] = [
  ...accountCalls,
  ...transferCalls,
  ...cardCalls,
  ...disputeCalls,
  route("POST /v1/checkout/sessions", createSession),
  listOf("/v1/checkout/sessions", "checkout.session", { present: (stored) => stored.session }),
  route(
    "GET /v1/checkout/sessions/:id",
    async ({ tx, id }) => (await requireObject(tx, "checkout.session", id, "session")).session,
  ),
  route("POST /v1/checkout/sessions/:id/expire", expireSession),
  retrieve("/v1/payment_intents", "payment_intent", "intent"),
  retrieve("/v1/charges", "charge"),
  retrieve("/v1/balance_transactions", "balance_transaction", "id"),
  route("POST /v1/refunds", createRefund),
  listOf("/v1/refunds", "refund", { filter: "payment_intent" }),
  retrieve("/v1/refunds", "refund"),
];

const expandable: Readonly<Record<string, Kind>> = {
  payment_intent: "payment_intent",
  latest_charge: "charge",
  charge: "charge",
  balance_transaction: "balance_transaction",
  payment_method: "payment_method",
  customer: "customer",
};

export async function expand(tx: Tx, object: object, params: Params): Promise<object> {
  const copy = structuredClone(object);
  for (const path of items(params, "expand")) {
    if (typeof path === "string") await expandPath(tx, [copy], path.split("."));
  }
  return copy;
}

async function expandPath(tx: Tx, objects: readonly object[], path: readonly string[]): Promise<void> {
  const [name, ...rest] = path;
  if (name === undefined || path.length > 4 || objects.length === 0) return;
  const records = objects as readonly Record<string, unknown>[];
  const kind = expandable[name];
  if (kind) {
    const ids = records.map((one) => one[name]).filter((value) => typeof value === "string");
    const found = await findMany(tx, kind, ids);
    for (const one of records) if (typeof one[name] === "string") one[name] = found.get(one[name]);
  }
  const next = records.flatMap((one) => one[name]).filter((value) => typeof value === "object" && value !== null);
  await expandPath(tx, next, rest);
}
