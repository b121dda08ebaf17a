import type { Delivery, RejectedWebhook } from "#platform/webhooks/receipt.ts";
import type { WebhookFields } from "#platform/webhooks/webhooks.store.ts";
import type { EsignProvider } from "#settings/choices.rules.ts";
import type { ContractSide } from "../rules/contract.rules.ts";

/** A signer, with the mailbox for the service's records. Our own emails request the signature. */
export type Invited = Readonly<{ side: ContractSide; name: string; email: string }>;

/** A contract to send. `externalId` names the contract and the fingerprint of its agreement. Times are UTC. */
export type SendRequest = Readonly<{
  externalId: string;
  title: string;
  agreement: Buffer;
  sha256: Buffer;
  signers: readonly Invited[];
  /** Who signs before the other can. Null: in any order. */
  firstSigner: ContractSide | null;
  endsAt: Date;
  /** When this contract was drafted: the service has nothing of it before. */
  since: Date;
}>;

export type SignerState = Readonly<{
  side: ContractSide;
  name: string | null;
  signedAt: Date | null;
  declinedAt: Date | null;
  reason: string | null;
}>;

export type ProviderState = Readonly<{
  ref: string;
  /** The id that we sent. Null if the service names nothing of ours. */
  externalId: string | null;
  status: "open" | "completed" | "declined" | "expired" | "voided";
  signers: readonly SignerState[];
}>;

/** A verified webhook event. `objectId` null: it is about nothing that we sent. */
export type EsignEvent = WebhookFields & Readonly<{ externalId: string | null }>;

type Adapter = Readonly<{
  name: EsignProvider;
  label: string;
  test(): Promise<{ ok: boolean; message: string }>;
}>;

/** `outside`: false for signatures on our own pages, which need no calls. */
export type EsignAdapter = SigningService | (Adapter & Readonly<{ outside: false }>);

/** A service with its own pages for signatures. Every call may be repeated. None is made inside a transaction. */
export type SigningService = Adapter &
  Readonly<{
    outside: true;
    /** Checks the signature of a webhook over its raw bytes, and its age if the scheme has one. */
    verifyWebhook(delivery: Delivery, now: Date): EsignEvent | RejectedWebhook;
    signTestEvent(now: Date): Delivery | null;
    send(request: SendRequest): Promise<{ ref: string }>;
    find(externalId: string, since: Date): Promise<{ ref: string } | undefined>;
    fetch(ref: string): Promise<ProviderState>;
    /** Returns the signed file: the pages of the agreement first, in their order. */
    fetchSigned(ref: string): Promise<Buffer>;
    /** Withdraws a contract. Returns "too_late" if all had signed before. One that has ended already counts as withdrawn. */
    cancel(ref: string, reason: string): Promise<"canceled" | "too_late">;
    /** Returns where a party signs. Stores its current mailbox there first, unless the service refuses it or it is unknown (null). */
    signingUrl(ref: string, party: { side: ContractSide; email: string | null }, returnUrl: string): Promise<string>;
  }>;

/** A failed call. no_answer: unknown, find it before a retry. refused: never retry. wrong_key: not authorized. missing: no such object. */
export class EsignFailure extends Error {
  readonly kind: "no_answer" | "refused" | "wrong_key" | "missing";
  constructor(kind: EsignFailure["kind"], message: string) {
    super(message);
    this.name = "EsignFailure";
    this.kind = kind;
  }
}

export const inSigningOrder = <T extends { side: ContractSide }>(signers: readonly T[], first: string | null): T[] =>
  signers.toSorted((one, other) => Number(other.side === first) - Number(one.side === first));

/** Names a contract and the fingerprint of its agreement in 80 characters. DocuSign stores no more than 100. */
export const externalIdOf = (contractId: string, sha256: Uint8Array): string =>
  `${contractId}.${Buffer.from(sha256).toString("base64url")}`;

export const contractIdIn = (externalId: string | null): string | undefined =>
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/.exec(externalId ?? "")?.[1];
