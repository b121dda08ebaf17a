/** The interface of a card provider. Everything it returns is state fetched from the provider. */
import type { FastifyPluginAsync } from "fastify";
import { Problem } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import type { CardCharge, ProviderCard } from "./card-gateway.ts";
import type { AccountGateway } from "./account-gateway.ts";
import type { DisputeGateway } from "./dispute-gateway.ts";
import type { TransferGateway } from "./transfer-gateway.ts";
import type { PaymentKind } from "#ledger/rules.ts";

/** A request for a checkout. A repeat under the same payment id must be exactly the same. */
export type CheckoutRequest = Readonly<{
  /** Also the provider's idempotency key, client reference and metadata. */
  paymentId: string;
  bookingId: string;
  /** What people call the booking, for the provider's records and ours if the row is lost. */
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
  /** The provider keeps the card for a later charge, and shows this text beside its button; null: it keeps nothing. */
  saveCardNotice?: string | null;
}>;

/** An amount in minor units of the currency in which the provider's account received or sent it. */
export type Settled = Readonly<{ amount: number; currency: string }>;

/** Money the provider took. The fee is the provider's own; it and `settled` are null while they are not known yet. */
export type Money = Readonly<{
  providerPayment: string;
  charge: string | null;
  amount: number;
  currency: string;
  live: boolean;
  at: Date;
  fee: Readonly<{ amount: number; currency: string }> | null;
  settled: Settled | null;
}>;

/** Who asked for money by its mark: this installation, another one on the same account of the provider, or nobody that marks it. */
export type MarkedBy = "us" | "other" | "nobody";

/** What our own metadata says about a payment. It names the booking and the payer although no row does. */
export type PaymentMark = Readonly<{
  kind: PaymentKind | null;
  way: "checkout" | "saved_card";
  bookingId: string | null;
  bookingNumber: string | null;
  payerName: string | null;
  payerEmail: string | null;
}>;

/** A checkout as the provider knows it. `paymentId` is null when it does not carry our mark. */
export type ProviderCheckout = Readonly<{
  ref: string;
  markedBy: MarkedBy;
  paymentId: string | null;
  state: "open" | "processing" | "paid" | "failed" | "ended";
  url: string | null;
  createdAt: Date;
  expiresAt: Date;
  money: Money | null;
  reason: string | null;
  card?: ProviderCard | null;
  mark?: PaymentMark | null;
}>;

export type ProviderPayment = Readonly<{
  ref: string;
  markedBy: MarkedBy;
  paymentId: string | null;
  state: "pending" | "paid" | "failed";
  money: Money | null;
  reason: string | null;
  code?: string | null;
  card?: ProviderCard | null;
  mark?: PaymentMark | null;
}>;

/** A refund as the provider knows it. `refundId` is null when it was not made by us. */
export type ProviderRefund = Readonly<{
  ref: string;
  refundId: string | null;
  providerPayment: string | null;
  amount: number;
  currency: string;
  state: "pending" | "succeeded" | "failed";
  reason: string | null;
  /** What has left the provider's account, and what came back when the refund failed. */
  settled: Settled | null;
  createdAt: Date;
}>;

/** What a signed webhook says: where to look. */
export type WebhookEvent = Readonly<{
  id: string;
  type: string;
  objectId: string | null;
  paymentRef: string | null;
  /** The artist's account that it is about; null for our own account. */
  account: string | null;
  live: boolean;
}>;

/** The two addresses that the provider delivers to: about our own account, and about the artists' accounts. */
export type WebhookEndpoint = "account" | "connect";

export type WebhookErrorCode = "no_secret" | "bad_signature" | "wrong_time" | "not_ours";

export type Span = Readonly<{ from: Date; to: Date }>;

export type PaymentGateway = AccountGateway &
  DisputeGateway &
  TransferGateway &
  Readonly<{
    /** Stored beside each payment: "stripe", or "sandbox" for the local provider. */
    name: string;
    /** Real money. Everything reported must be of the same mode. */
    live: boolean;
    createCheckout(request: CheckoutRequest): Promise<ProviderCheckout>;
    retrieveCheckout(ref: string): Promise<ProviderCheckout>;
    /** The checkouts made for one payment within the span: how a lost answer is found again. */
    findCheckouts(paymentId: string, span: Span): Promise<ProviderCheckout[]>;
    /** Ends an open checkout and answers what became of it: it may have been paid a moment before. */
    expireCheckout(ref: string): Promise<ProviderCheckout>;
    listCheckouts(span: Span): AsyncIterable<ProviderCheckout>;
    retrievePayment(ref: string): Promise<ProviderPayment>;
    /** Charges a kept card. A bank that refuses is an answer (`failed`), not a failed call. */
    chargeCard(charge: CardCharge): Promise<ProviderPayment>;
    /** The charges that were made of a customer's kept card: how a lost answer is found again. */
    findCharges(want: { customer: string }): Promise<ProviderPayment[]>;
    /** The charges of kept cards, without what was paid on pages. */
    listCharges(span: Span): AsyncIterable<ProviderPayment>;
    /** Ends a charge that is neither paid nor refused, and answers what became of it: it may have been paid a moment before. */
    cancelCharge(ref: string): Promise<ProviderPayment>;
    keepsCard(method: string): Promise<boolean>;
    /** Makes the provider forget a kept card; one that it does not know any more is forgotten. */
    removeCard(method: string): Promise<void>;
    /** Gives money back; `key` is the idempotency key, `refundId` travels as its mark. */
    createRefund(request: {
      refundId: string;
      key: string;
      providerPayment: string;
      amount: number;
    }): Promise<ProviderRefund>;
    retrieveRefund(ref: string): Promise<ProviderRefund>;
    findRefunds(providerPayment: string): Promise<ProviderRefund[]>;
    listRefunds(span: Span): AsyncIterable<ProviderRefund>;
    signTestEvent(now: Date): { raw: Uint8Array; header: string } | null;
    /** Checks a webhook's signature over its raw bytes with the secret of its endpoint, its age and its mode. */
    readEvent(
      raw: Uint8Array,
      signature: string | undefined,
      now: Date,
      endpoint: WebhookEndpoint,
    ): WebhookEvent | { refused: WebhookErrorCode };
  }>;

/** A failed call. no_answer: repeat it. server_error: look first. refused: never. missing: no such object. */
export class ProviderFailure extends Error {
  readonly kind: "no_answer" | "server_error" | "refused" | "missing";
  constructor(kind: ProviderFailure["kind"], message: string) {
    super(message);
    this.name = "ProviderFailure";
    this.kind = kind;
  }
}

/** What this module adds to the app's services. Without a gateway, payments are not set up. */
export type PaymentServices = Readonly<{ gateway: PaymentGateway | null; sandbox?: Sandbox | undefined }>;

export type Payments = PlatformServices & PaymentServices;

/** The gateway, or the error message when payments are not set up. */
export function requireGateway(services: Pick<Payments, "gateway">): PaymentGateway {
  if (services.gateway) return services.gateway;
  throw new Problem("unavailable", "Payments are not set up yet.");
}

/** Sends one signed webhook to one of the two endpoints; true when it was received. */
export type WebhookSender = (
  body: string,
  headers: Readonly<Record<string, string>>,
  endpoint: WebhookEndpoint,
) => Promise<boolean>;

export type Sandbox = Readonly<{
  /** Where the provider's calls are answered; loopback only. */
  host: string;
  port: number;
  secretKey: string;
  webhookSecret: string;
  connectWebhookSecret: string;
  /** The pages of the checkout, to be registered under the app's own address. */
  pages: FastifyPluginAsync;
  /** Replaces the way webhooks are sent, for an app that listens elsewhere than its configuration says. */
  deliverTo(send: WebhookSender): void;
  /** Ends overdue sessions and delivers every event that is due. */
  settle(): Promise<void>;
  close(): Promise<void>;
}>;
