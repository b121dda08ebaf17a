/** An artist's account at the provider. `artistId` and `ownerId` are null if its metadata does not name them. */
export type ProviderAccount = Readonly<{
  ref: string;
  artistId: string | null;
  ownerId: string | null;
  /** completed: payouts are possible. restricted: stopped until a problem is resolved. rejected: stopped permanently. */
  state: "pending" | "completed" | "restricted" | "rejected";
  /** True if the artist has completed the onboarding. Before that the provider has no dashboard for the account. */
  submitted: boolean;
  /** Fingerprint of the bank account for payouts. Null if there is none. */
  bank: string | null;
}>;

export type AccountGateway = Readonly<{
  /** Returns the currencies in which the platform's own account receives money, in lower case. The provider converts all others. */
  fetchSettlementCurrencies(): Promise<ReadonlySet<string>>;
  createAccount(request: { artistId: string; ownerId: string; key: string }): Promise<ProviderAccount>;
  retrieveAccount(ref: string): Promise<ProviderAccount>;
  /** Returns the accounts created for one artist within the span, to recover a lost response. */
  findAccounts(artistId: string, span: Readonly<{ from: Date; to: Date }>): Promise<ProviderAccount[]>;
  /** Returns the URL of the provider's onboarding page. It works once and for some minutes. */
  createOnboardingLink(request: { account: string; returnUrl: string; refreshUrl: string }): Promise<string>;
  /** Returns the URL of the provider's dashboard of an account, signed in. It works once and for some minutes. */
  createLoginLink(account: string): Promise<string>;
}>;
