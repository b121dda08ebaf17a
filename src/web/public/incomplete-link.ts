/** Replaces the server's message about the key if the link is incomplete. */
export const incompleteLink = "This link is incomplete. Open the newest link in your email.";
