import type { FastifyPluginAsync } from "fastify";
import type { PaymentKind } from "#ledger/rules.ts";
import { Problem } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import type { Delivery, RejectedWebhook } from "#platform/webhooks/receipt.ts";
import type { AccountGateway } from "./account-gateway.ts";
import type { CardCharge, ProviderCard } from "./card-gateway.ts";
import type { DisputeGateway } from "./dispute-gateway.ts";
import type { TransferGateway } from "./transfer-gateway.ts";

/** A request for a checkout. A repeat with the same payment id must be exactly the same. */
export type CheckoutRequest = Readonly<{
  /** Also the provider's idempotency key, client reference and metadata. */
  paymentId: string;
  bookingId: string;
  /** The booking's public number, for the provider's records and for ours if the row is lost. */
  bookingNumber?: string | null;
  kind: PaymentKind;
  amount: number;
  currency: string;
  title: string;
  details: readonly string[];
  imageUrl: string | null;
  payerEmail: string | null;
  payerName: string | null;
  successUrl: string;
  cancelUrl: string;
  contractUrl?: string | null;
  expiresAt: Date;
  /** Consent text beside the provider's button, with which the provider saves the card for a later charge. Null: no card is saved. */
  saveCardNotice?: string | null;
}>;

/** An amount in minor units of the currency in which the provider's account received or sent it. */
export type ConvertedAmount = Readonly<{ amount: number; currency: string }>;

/** Money that the provider took. `fee` is the provider's own. It and `settled` are null until known. */
export type Money = Readonly<{
  providerPayment: string;
  charge: string | null;
  amount: number;
  currency: string;
  live: boolean;
  at: Date;
  fee: Readonly<{ amount: number; currency: string }> | null;
  settled: ConvertedAmount | null;
}>;

/** The origin of money by its metadata: this installation, another one on the same provider account, or none. */
export type MarkedBy = "us" | "other" | "nobody";

/** Our metadata of a payment. It names the booking and the payer even if no row does. */
export type PaymentMark = Readonly<{
  kind: PaymentKind | null;
  way: "checkout" | "saved_card";
  bookingId: string | null;
  bookingNumber: string | null;
  payerName: string | null;
  payerEmail: string | null;
}>;

/** Of a checkout or a payment at the provider. `paymentId` is null if it lacks our metadata. */
type Reported = Readonly<{
  ref: string;
  markedBy: MarkedBy;
  paymentId: string | null;
  money: Money | null;
  reason: string | null;
  card?: ProviderCard | null;
  mark?: PaymentMark | null;
}>;

export type ProviderCheckout = Reported &
  Readonly<{
    state: "open" | "processing" | "paid" | "failed" | "ended";
    url: string | null;
    createdAt: Date;
    expiresAt: Date;
  }>;

export type ProviderPayment = Reported & Readonly<{ state: "pending" | "paid" | "failed"; code?: string | null }>;

/** A refund at the provider. `refundId` is null if it was not made by us. */
export type ProviderRefund = Readonly<{
  ref: string;
  refundId: string | null;
  providerPayment: string | null;
  amount: number;
  currency: string;
  state: "pending" | "succeeded" | "failed";
  reason: string | null;
  /** What left the provider's account, and what was returned if the refund failed. */
  settled: ConvertedAmount | null;
  createdAt: Date;
}>;

/** A signed webhook. It only names the object to fetch. */
export type WebhookEvent = Readonly<{
  id: string;
  type: string;
  objectId: string | null;
  paymentRef: string | null;
  /** The artist's account that it concerns. Null for our own account. */
  account: string | null;
  /** When it happened (ISO). Absent in events that an earlier version stored. */
  at?: string;
  bankPayout?: BankPayout;
}>;

/** `amount` is null if it is in a currency that the product does not support. */
export type BankPayout = Readonly<{
  amount: number | null;
  currency: string;
  createdAt: string;
  reason: string | null;
}>;

export type WebhookEndpoint = "account" | "connect";

export type Span = Readonly<{ from: Date; to: Date }>;

export type PaymentGateway = AccountGateway &
  DisputeGateway &
  TransferGateway &
  Readonly<{
    /** Stored with each payment: "stripe", or "sandbox" for the local provider. */
    name: string;
    /** Real money. All reported objects must be of the same mode. */
    live: boolean;
    createCheckout(request: CheckoutRequest): Promise<ProviderCheckout>;
    retrieveCheckout(ref: string): Promise<ProviderCheckout>;
    /** Returns the checkouts created for one payment within the span, to recover a lost response. */
    findCheckouts(paymentId: string, span: Span): Promise<ProviderCheckout[]>;
    /** Expires an open checkout and returns its state. It may have been paid a moment before. */
    expireCheckout(ref: string): Promise<ProviderCheckout>;
    listCheckouts(span: Span): AsyncIterable<ProviderCheckout>;
    retrievePayment(ref: string): Promise<ProviderPayment>;
    /** Charges a saved card. A decline by the bank is returned as `failed`, not thrown. */
    chargeCard(charge: CardCharge): Promise<ProviderPayment>;
    /** Returns the charges of a customer's saved card, to recover a lost response. */
    findCharges(want: { customer: string }): Promise<ProviderPayment[]>;
    listCharges(span: Span): AsyncIterable<ProviderPayment>;
    /** Cancels a charge that is neither paid nor declined, and returns its state. It may have been paid a moment before. */
    cancelCharge(ref: string): Promise<ProviderPayment>;
    hasSavedCard(method: string): Promise<boolean>;
    /** Removes a saved card at the provider. An unknown card counts as removed. */
    removeCard(method: string): Promise<void>;
    /** Refunds money. `key` is the idempotency key, `refundId` is sent as metadata. */
    createRefund(request: {
      refundId: string;
      key: string;
      providerPayment: string;
      amount: number;
    }): Promise<ProviderRefund>;
    retrieveRefund(ref: string): Promise<ProviderRefund>;
    findRefunds(providerPayment: string): Promise<ProviderRefund[]>;
    listRefunds(span: Span): AsyncIterable<ProviderRefund>;
    signTestEvent(now: Date): Delivery | null;
    /** Verifies a webhook: the signature over its raw bytes with its endpoint's secret, its age and its mode. */
    readEvent(delivery: Delivery, now: Date, endpoint: WebhookEndpoint): WebhookEvent | RejectedWebhook;
  }>;

/** A failed call. Repeat no_answer, wrong_key and no_permission (its message names it). Query first after server_error. Never repeat refused and missing. */
export class ProviderFailure extends Error {
  readonly kind: "no_answer" | "server_error" | "wrong_key" | "no_permission" | "refused" | "missing";
  constructor(kind: ProviderFailure["kind"], message: string) {
    super(message);
    this.name = "ProviderFailure";
    this.kind = kind;
  }
}

/** Returns the result of a call. Undefined if the provider does not know the object. */
export async function unlessMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === "missing") return undefined;
    throw error;
  }
}

export type PaymentServices = Readonly<{ gateway: PaymentGateway | null; sandbox?: Sandbox | undefined }>;

export type Payments = PlatformServices & PaymentServices;

export function requireGateway(services: Pick<Payments, "gateway">): PaymentGateway {
  if (services.gateway) return services.gateway;
  throw new Problem("unavailable", "Payments are not set up yet.");
}

/** Sends one signed webhook to an endpoint. Returns true if it was received. */
export type WebhookSender = (
  body: string,
  headers: Readonly<Record<string, string>>,
  endpoint: WebhookEndpoint,
) => Promise<boolean>;

export type Sandbox = Readonly<{
  /** The address of the sandbox's API. Loopback only. */
  host: string;
  port: number;
  secretKey: string;
  webhookSecret: string;
  connectWebhookSecret: string;
  pages: FastifyPluginAsync;
  /** Replaces the webhook sender, for an app that listens at another address than configured. */
  deliverTo(send: WebhookSender): void;
  /** Ends overdue sessions and delivers every due event. */
  settle(): Promise<void>;
  close(): Promise<void>;
}>;
