export const onboardingStates = ["not_started", "pending", "completed", "restricted"] as const;
export type OnboardingState = (typeof onboardingStates)[number];

/** After a change of the bank account payouts wait so long: whoever took over an account must not be paid at once (safety, b). */
export const bankFreezeHours = 72;

/** The action on the artist's screen, in the words of the specification; `provider` is the payment provider's name. */
export function onboardingAction(state: string, provider: string): string {
  if (state === "not_started") return `Connect with ${provider}`;
  return state === "pending" ? "Complete Setup" : "Manage Account";
}

/** Why an account ended: the profile has another owner, the provider does not know it, or has rejected it. */
export type AccountEnd = "other_owner" | "gone" | "rejected";

/** Published when an account has ended; `userId` is the person whom it belonged to, null when that is not known. */
export type PayoutAccountEnded = { artistId: string; userId: string | null; account: string; why: AccountEnd };

/** Published when the provider reports another state or another bank account of an artist's account. */
export type PayoutAccountChanged = {
  artistId: string;
  userId: string | null;
  from: OnboardingState;
  to: OnboardingState;
  /** Until when payouts wait because the bank account was changed just now; null: it was not. */
  frozenUntil: string | null;
};
