/** What the provider is asked about disputes (chargebacks): how they stand, what was taken for them, and the evidence against them. */

/** One movement of the provider's balance for a dispute: negative when the bank takes the money, positive when it comes back. */
export type DisputeMovement = Readonly<{
  ref: string;
  amount: number;
  /** What the provider charges for it, minor units; negative when a fee is given back. */
  fee: number;
  currency: string;
  at: Date;
}>;

/** A dispute as the provider knows it. `status` and `reason` are the provider's words. */
export type ProviderDispute = Readonly<{
  ref: string;
  providerPayment: string | null;
  amount: number;
  currency: string;
  live: boolean;
  reason: string;
  status: string;
  evidenceDueAt: Date | null;
  submissions: number;
  movements: readonly DisputeMovement[];
  createdAt: Date;
}>;

export type EvidenceParts = Readonly<Record<string, string>>;

export type DisputeGateway = Readonly<{
  retrieveDispute(ref: string): Promise<ProviderDispute>;
  listDisputes(span: Readonly<{ from: Date; to: Date }>): AsyncIterable<ProviderDispute>;
  uploadEvidenceFile(file: { key: string; name: string; mediaType: string; bytes: Uint8Array }): Promise<string>;
  /** Sends the evidence to the bank. It can be sent once. */
  submitEvidence(request: { dispute: string; key: string; parts: EvidenceParts }): Promise<ProviderDispute>;
  /** Gives a dispute up: it is lost at once, and for good. `key` is the idempotency key. */
  acceptDispute(request: { dispute: string; key: string }): Promise<ProviderDispute>;
}>;
