/** The provider's interface for transfers and reversals. Amounts are minor units of the currency in which the account received the charge. */

/** A transfer as the provider knows it. `transferId` is null when it was not made by us. */
export type ProviderTransfer = Readonly<{
  ref: string;
  transferId: string | null;
  destination: string | null;
  amount: number;
  currency: string;
  /** How much of it has been taken back, in cents. */
  reversed: number;
  createdAt: Date;
}>;

/** A part of a transfer that was taken back. `reversalId` is null when it was not made by us. */
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
  /** Also the provider's transfer group. */
  bookingId: string;
  destination: string;
  /** The charge whose money it is: it waits at the provider until that money is available. */
  charge: string | null;
  amount: number;
  currency: string;
}>;

export type TransferGateway = Readonly<{
  createTransfer(request: TransferRequest): Promise<ProviderTransfer>;
  retrieveTransfer(ref: string): Promise<ProviderTransfer>;
  /** The transfers of one booking: how a lost answer is found again. */
  findTransfers(bookingId: string): Promise<ProviderTransfer[]>;
  listTransfers(span: Readonly<{ from: Date; to: Date }>): AsyncIterable<ProviderTransfer>;
  createReversal(request: {
    reversalId: string;
    key: string;
    transfer: string;
    amount: number;
  }): Promise<ProviderReversal>;
  findReversals(transfer: string): Promise<ProviderReversal[]>;
}>;
