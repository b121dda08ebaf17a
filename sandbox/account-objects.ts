import { createHash } from "node:crypto";
import type Stripe from "stripe";

export type AccountStage = "open" | "completed" | "restricted" | "rejected" | "closed";

export type AccountState = {
  id: string;
  created: number;
  metadata: Record<string, string>;
  stage: AccountStage;
  bank: number;
};

export function accountOf({ id, created, metadata, stage, bank }: AccountState): Stripe.Account {
  const done = stage === "completed";
  const missing = stage === "open" ? ["external_account", "individual.first_name", "tos_acceptance.date"] : [];
  const overdue = stage === "restricted" ? ["individual.verification.document"] : [];
  return {
    id,
    object: "account",
    business_profile: null,
    business_type: "individual",
    capabilities: { transfers: done ? "active" : "inactive" },
    charges_enabled: false,
    country: "US",
    created,
    default_currency: "usd",
    details_submitted: stage !== "open",
    email: null,
    external_accounts: {
      object: "list",
      data: bank === 0 ? [] : [bankOf(id, bank)],
      has_more: false,
      url: `/v1/accounts/${id}/external_accounts`,
    },
    metadata,
    payouts_enabled: done,
    requirements: {
      alternatives: [],
      current_deadline: null,
      currently_due: [...missing, ...overdue],
      disabled_reason: done ? null : stage === "rejected" ? "rejected.other" : "requirements.past_due",
      errors: [],
      eventually_due: [...missing, ...overdue],
      past_due: [...missing, ...overdue],
      pending_verification: [],
    },
    settings: null,
    tos_acceptance: {},
    type: "express",
  };
}

function bankOf(account: string, number: number): Stripe.BankAccount {
  const fingerprint = createHash("sha256").update(`${account} ${number}`).digest("hex").slice(0, 16);
  return {
    id: `ba_${fingerprint}`,
    object: "bank_account",
    account,
    account_holder_name: null,
    account_holder_type: null,
    account_type: null,
    bank_name: "SANDBOX BANK",
    country: "US",
    currency: "usd",
    customer: null,
    fingerprint,
    last4: String(6789 + number).slice(-4),
    metadata: {},
    routing_number: null,
    status: "new",
  };
}

export const lastDigitsOf = ({ id, bank }: AccountState): string | null => (bank === 0 ? null : bankOf(id, bank).last4);

type PayoutEnd = Readonly<{ id: string; created: number; status: "failed" | "paid" }> &
  Pick<Stripe.Payout, "amount" | "currency">;

export const payoutOf = (
  { id: account, bank }: AccountState,
  { id, created, status, amount, currency }: PayoutEnd,
): Stripe.Payout => ({
  id,
  object: "payout",
  amount,
  application_fee: null,
  application_fee_amount: null,
  arrival_date: created,
  automatic: true,
  balance_transaction: null,
  created,
  currency,
  description: null,
  destination: bankOf(account, bank).id,
  failure_balance_transaction: null,
  failure_code: status === "failed" ? "account_closed" : null,
  failure_message: status === "failed" ? "The bank account has been closed" : null,
  livemode: false,
  metadata: {},
  method: "standard",
  original_payout: null,
  payout_method: null,
  reconciliation_status: "not_applicable",
  reversed_by: null,
  source_type: "card",
  statement_descriptor: null,
  status,
  trace_id: null,
  type: "bank_account",
});

/** A one-use link to the onboarding, valid for some minutes. */
export type StoredLink = {
  id: string;
  created: number;
  account: string;
  returnUrl: string;
  refreshUrl: string;
  expiresAt: number;
  used: boolean;
};
