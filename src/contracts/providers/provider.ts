/** The interface to whatever presents a contract to its signers: this server itself, or an outside service. */
import type { EsignProvider } from "#settings/rules.ts";
import type { ContractSide } from "../rules/contract.rules.ts";

/** Who signs, with the mailbox that the service names in its own records; our own emails ask for the signature. */
export type Invited = Readonly<{ side: ContractSide; name: string; email: string }>;

/** A contract on its way out. `externalId` names the contract and the fingerprint of its agreement. Times are UTC. */
export type SendRequest = Readonly<{
  externalId: string;
  title: string;
  agreement: Buffer;
  sha256: Buffer;
  signers: readonly Invited[];
  /** Who signs before the other can; null: in any order. */
  firstSigner: ContractSide | null;
  /** Nothing can be signed from this moment on, whatever the signing window says. */
  endsAt: Date;
  /** When this contract was drafted: nothing of it can be at the service before. */
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
  /** What we had sent along; null when the service names nothing of ours. */
  externalId: string | null;
  status: "open" | "completed" | "declined" | "expired" | "voided";
  signers: readonly SignerState[];
}>;

/** A verified notice. It only says where to look. `ref` null: it is about nothing that we have sent. */
export type EsignEvent = Readonly<{ id: string; type: string; ref: string | null; externalId: string | null }>;

/** A webhook as it came: bytes, because a parsed body cannot be verified. Header names are in lower case. */
export type Delivery = Readonly<{
  raw: Uint8Array;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}>;

export type WebhookErrorCode = "no_secret" | "no_webhook" | "bad_signature" | "wrong_time" | "not_ours";

/** The type of the event that our own test signs; it is verified and not stored. */
export const webhookTestType = "stagedoor.test";

/** One signing service. Every call may be repeated; none is made inside a transaction. */
export type EsignAdapter = Readonly<{
  name: EsignProvider;
  label: string;
  /** The signers act on pages of the service, and not on ours. */
  outside: boolean;
  send(request: SendRequest): Promise<{ ref: string }>;
  find(externalId: string, since: Date): Promise<{ ref: string } | undefined>;
  fetch(ref: string): Promise<ProviderState>;
  /** The signed file: the pages of the agreement first, in their order. */
  fetchSigned(ref: string): Promise<Buffer>;
  /** Withdraws it; "too_late" when all had signed before. One that has ended already is withdrawn. */
  cancel(ref: string, reason: string): Promise<"canceled" | "too_late">;
  signingUrl(ref: string, side: ContractSide, returnUrl: string): Promise<string>;
  /** Checks the signature of a webhook over its raw bytes, and its age where the scheme has one. */
  verifyWebhook(delivery: Delivery, now: Date): EsignEvent | { refused: WebhookErrorCode };
  signTestEvent(now: Date): Delivery | null;
  test(): Promise<{ ok: boolean; message: string }>;
}>;

/** A failed call. no_answer: unknown, look first. refused: never. wrong_key: not authorized. missing: no such object. */
export class EsignFailure extends Error {
  readonly kind: "no_answer" | "refused" | "wrong_key" | "missing";
  constructor(kind: EsignFailure["kind"], message: string) {
    super(message);
    this.name = "EsignFailure";
    this.kind = kind;
  }
}

export const inSigningOrder = ({ signers, firstSigner }: Pick<SendRequest, "signers" | "firstSigner">): Invited[] =>
  signers.toSorted((one, other) => Number(other.side === firstSigner) - Number(one.side === firstSigner));

/** Names a contract and the fingerprint of its agreement in 80 characters; DocuSign keeps no more than 100. */
export const externalIdOf = (contractId: string, sha256: Uint8Array): string =>
  `${contractId}.${Buffer.from(sha256).toString("base64url")}`;

/** The contract that an external id names; undefined for what is not one of ours. */
export const contractIdIn = (externalId: string | null): string | undefined =>
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/.exec(externalId ?? "")?.[1];
