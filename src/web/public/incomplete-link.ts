/** What a person reads whose link was cut off, in place of the rule that its key breaks. */
export const incompleteLink = "This link is incomplete. Open the newest link in your email.";
