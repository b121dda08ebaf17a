/** What the provider is asked about the accounts that payouts go to (Connect accounts). */

/**
 * An artist's account as the provider knows it. pending: something is still to be filled in or checked; completed: it can be paid;
 * restricted: the provider has stopped it until something is done about it; rejected: for good. `artistId` is null when the account
 * does not carry our mark, `ownerId` when it does not say whose account it is.
 */
export type ProviderAccount = Readonly<{
  ref: string;
  artistId: string | null;
  ownerId: string | null;
  state: "pending" | "completed" | "restricted" | "rejected";
  /** The artist has gone through the onboarding; only then does the provider have a dashboard to sign in to. */
  submitted: boolean;
  /** The bank account it pays out to, as a fingerprint; null while there is none. */
  bank: string | null;
  createdAt: Date;
}>;

export type AccountGateway = Readonly<{
  /** Returns the currencies in which the platform's own account receives money, in lower case. The provider converts all others. */
  fetchSettlementCurrencies(): Promise<ReadonlySet<string>>;
  createAccount(request: { artistId: string; ownerId: string; key: string }): Promise<ProviderAccount>;
  retrieveAccount(ref: string): Promise<ProviderAccount>;
  /** The accounts made for one artist within the span: how a lost answer is found again. */
  findAccounts(artistId: string, span: Readonly<{ from: Date; to: Date }>): Promise<ProviderAccount[]>;
  /** The address of the provider's onboarding page. It works once and for some minutes. */
  createOnboardingLink(request: { account: string; returnUrl: string; refreshUrl: string }): Promise<string>;
  /** The address of the provider's dashboard of an account, signed in; works once and for some minutes. */
  createLoginLink(account: string): Promise<string>;
}>;
