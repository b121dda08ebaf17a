/** Transfers and reversals. Amounts are minor units of the currency in which the account received the charge. */

/** A transfer at the provider. `transferId` is null if it was not made by us. `reversed` is the part of `amount` that was reversed. */
export type ProviderTransfer = Readonly<{
  ref: string;
  transferId: string | null;
  destination: string | null;
  amount: number;
  currency: string;
  reversed: number;
  createdAt: Date;
}>;

/** A reversal at the provider. `reversalId` is null if it was not made by us. */
export type ProviderReversal = Readonly<{
  ref: string;
  reversalId: string | null;
  transfer: string;
  amount: number;
  currency: string;
}>;

export type TransferRequest = Readonly<{
  transferId: string;
  key: string;
  /** Also the provider's transfer group, unless the source charge has another one. */
  bookingId: string;
  destination: string;
  /** The source charge. The provider holds the transfer until its money is available. */
  charge: string | null;
  amount: number;
  currency: string;
}>;

export type TransferGateway = Readonly<{
  createTransfer(request: TransferRequest): Promise<ProviderTransfer>;
  retrieveTransfer(ref: string): Promise<ProviderTransfer>;
  /** Returns the booking's transfers, including those that the provider put into another group because of their source charge. */
  findTransfers(of: Pick<TransferRequest, "bookingId" | "charge">): Promise<ProviderTransfer[]>;
  listTransfers(span: Readonly<{ from: Date; to: Date }>): AsyncIterable<ProviderTransfer>;
  createReversal(request: {
    reversalId: string;
    key: string;
    transfer: string;
    amount: number;
  }): Promise<ProviderReversal>;
  findReversals(transfer: string): Promise<ProviderReversal[]>;
}>;
