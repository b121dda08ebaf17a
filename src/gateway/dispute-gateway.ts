/** One movement of the provider's balance for a dispute: negative if the bank takes money, positive if it is returned. */
export type DisputeMovement = Readonly<{
  ref: string;
  amount: number;
  /** The provider's fee in minor units. Negative if a fee is refunded. */
  fee: number;
  currency: string;
  /** Minor units of `currency` for one minor unit of the dispute's currency. Null if nothing was converted. */
  exchangeRate: number | null;
  at: Date;
}>;

/** A dispute at the provider. `status` and `reason` are the provider's values. */
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
  /** The bank accepts evidence once. */
  submitEvidence(request: { dispute: string; key: string; parts: EvidenceParts }): Promise<ProviderDispute>;
  /** Accepts a dispute, which is lost immediately and permanently. `key` is the idempotency key. */
  acceptDispute(request: { dispute: string; key: string }): Promise<ProviderDispute>;
}>;
