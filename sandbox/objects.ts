import { randomBytes } from "node:crypto";
import Stripe from "stripe";
import { demoFee } from "#payments/rules.ts";

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString("hex")}`;

export type Wanted = {
  id: string;
  created: number;
  expiresAt: number;
  amount: number;
  currency: string;
  title: string;
  description: string | null;
  images: string[];
  email: string | null;
  reference: string | null;
  metadata: Record<string, string>;
  transferGroup: string | null;
  intentMetadata: Record<string, string>;
  successUrl: string;
  cancelUrl: string | null;
  notice: string | null;
  saveCard: boolean;
  adaptivePricing?: boolean;
};

export type StoredSession = { session: Stripe.Checkout.Session; wanted: Wanted };

export function sessionOf(wanted: Wanted): Stripe.Checkout.Session {
  return {
    id: wanted.id,
    object: "checkout.session",
    adaptive_pricing: { enabled: wanted.adaptivePricing ?? false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: ["card"],
    amount_subtotal: wanted.amount,
    amount_total: wanted.amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: wanted.cancelUrl,
    client_reference_id: wanted.reference,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: wanted.created,
    currency: wanted.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: wanted.notice ? { message: wanted.notice } : null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: wanted.saveCard ? "always" : "if_required",
    customer_details: null,
    customer_email: wanted.email,
    discounts: [],
    expires_at: wanted.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: wanted.metadata,
    mode: "payment",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: "if_required",
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: wanted.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: new URL(`/sandbox/checkout/${wanted.id}`, wanted.successUrl).href,
    wallet_options: null,
  };
}

export function intentOf(
  wanted: Pick<Wanted, "amount" | "currency" | "email" | "intentMetadata" | "transferGroup"> & { saveCard?: boolean },
  id: string,
  created: number,
): Stripe.PaymentIntent {
  return {
    id,
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount: wanted.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic",
    client_secret: null,
    confirmation_method: "automatic",
    created,
    currency: wanted.currency,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: wanted.intentMetadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: wanted.email,
    review: null,
    setup_future_usage: wanted.saveCard ? "off_session" : null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "requires_payment_method",
    transfer_group: wanted.transferGroup,
  };
}

export function chargeOf(
  intent: Stripe.PaymentIntent,
  created: number,
  result: { id: string; balance: string } | { id: string; code: string; message: string },
): Stripe.Charge {
  const approved = "balance" in result;
  return {
    id: result.id,
    object: "charge",
    amount: intent.amount,
    amount_captured: approved ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: approved ? result.balance : null,
    billing_details: { address: null, email: intent.receipt_email, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: approved,
    created,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: approved ? null : result.code,
    failure_message: approved ? null : result.message,
    fraud_details: null,
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: null,
    paid: approved,
    payment_intent: intent.id,
    payment_method: typeof intent.payment_method === "string" ? intent.payment_method : null,
    payment_method_details: null,
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: approved ? "succeeded" : "failed",
    transfer_data: null,
    transfer_group: intent.transfer_group,
  };
}

type Movement = Pick<
  Stripe.BalanceTransaction,
  "id" | "amount" | "created" | "currency" | "reporting_category" | "source" | "type"
> &
  Partial<Pick<Stripe.BalanceTransaction, "available_on" | "description" | "fee">>;

export function balanceTransaction({ fee = 0, ...movement }: Movement, feeName = ""): Stripe.BalanceTransaction {
  const { amount, created, currency } = movement;
  const detail = { amount: fee, application: null, currency, description: feeName, type: "stripe_fee" };
  return {
    object: "balance_transaction",
    available_on: created,
    balance_type: "payments",
    description: null,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [detail],
    net: amount - fee,
    status: "available",
    ...movement,
  };
}

/** A refund does not return the fee of its charge. */
export function balanceOf(source: Stripe.Charge | Stripe.Refund): Stripe.BalanceTransaction {
  const { object: type, created, currency } = source;
  const id = String(source.balance_transaction);
  const isCharge = type === "charge";
  const amount = isCharge ? source.amount : -source.amount;
  const fee = isCharge ? Math.min(demoFee(amount), amount) : 0;
  const common = { id, amount, created, currency, fee, type, reporting_category: type, source: source.id };
  return balanceTransaction({ ...common, available_on: created + 2 * 86_400 }, "Sandbox processing fee");
}

export function refundOf(
  charge: Stripe.Charge,
  given: Pick<Stripe.Refund, "id" | "created" | "amount" | "metadata">,
): Stripe.Refund {
  return {
    object: "refund",
    balance_transaction: newId("txn"),
    charge: charge.id,
    currency: charge.currency,
    customer: null,
    customer_account: null,
    payment_intent: charge.payment_intent,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
    ...given,
  };
}

export type EventObject =
  | Stripe.Checkout.Session
  | Stripe.PaymentIntent
  | Stripe.Charge
  | Stripe.Refund
  | Stripe.Account
  | Stripe.ExternalAccount
  | Stripe.Payout
  | Stripe.PaymentMethod
  | Stripe.Transfer
  | Stripe.Dispute;

export const eventOf = (type: string, object: EventObject, created: number, account?: string) => ({
  id: newId("evt"),
  object: "event" as const,
  account,
  api_version: Stripe.API_VERSION,
  created,
  data: { object },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
});
