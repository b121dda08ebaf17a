export const onboardingStates = ["not_started", "pending", "completed", "restricted"] as const;
export type OnboardingState = (typeof onboardingStates)[number];

/** Hours that payouts are frozen after a change of the bank account, to protect a hijacked account. */
export const bankFreezeHours = 72;

/** Returns the label of the artist's button. `provider` is the payment provider's name. */
export function onboardingAction(state: string, provider: string): string {
  if (state === "not_started") return `Connect with ${provider}`;
  return state === "pending" ? "Complete Setup" : "Manage Account";
}

/** Why an account ended: the profile has another owner, or the provider does not know the account or has rejected it. */
export type AccountEnd = "other_owner" | "gone" | "rejected";

/** Published when an account has ended. `userId` is its former owner, null if unknown. */
export type PayoutAccountEnded = { artistId: string; userId: string | null; account: string; why: AccountEnd };

/** Money that an artist's bank returned to the artist's account. `payout`: the provider's reference. `amount`: null if unknown. `reason`: the bank's, in the provider's words. */
export type BankReturn = Readonly<{
  payout: string;
  amount: number | null;
  currency: string;
  reason: string | null;
  at: string;
}>;

/** Published when an artist's bank did not accept money that the provider paid out of the artist's account. */
export type BankPayoutFailed = BankReturn & { artistId: string; userId: string | null };

/** Published when the provider reports another state or another bank account of an artist's account. */
export type PayoutAccountChanged = {
  artistId: string;
  userId: string | null;
  from: OnboardingState;
  to: OnboardingState;
  /** Until when payouts are frozen after a change of the bank account. Null: not changed. */
  frozenUntil: string | null;
};
