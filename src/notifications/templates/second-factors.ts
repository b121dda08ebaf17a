import { notMeButton, undoBySms, undoDeadlineText } from "./accounts.ts";
import type { EmailContent } from "./email.ts";

/** `byAdmin`: an admin removed all second factors and the recovery codes. */
export const secondFactorChanged = ({
  link,
  byAdmin,
  ...change
}: FactorChange & { link: string; byAdmin?: boolean }): EmailContent => {
  const { subject, text } = byAdmin ? removedByAdmin : factorMessage(change);
  return {
    subject,
    paragraphs: [text, `${byAdmin ? "All" : "Other"} devices have been signed out.`],
    button: notMeButton(link),
    after: [byAdmin ? undoDeadlineText.replace("this was you", "you asked an admin for it") : undoDeadlineText],
    sms: `${subject} for your Stagedoor account. ${undoBySms(link)}`,
  };
};

const removedByAdmin = {
  subject: "Two-factor sign-in is off",
  text: "An admin removed your authenticators, passkeys and recovery codes. Signing in no longer requires a second factor.",
};

type FactorChange = { added: boolean; only: boolean; passkey: boolean };

function factorMessage({ added, only, passkey }: FactorChange): { subject: string; text: string } {
  const what = passkey ? "passkey" : "authenticator";
  const changed = `${passkey ? "A" : "An"} ${what} was ${added ? "added" : "removed"}`;
  const subject = only && !passkey ? `Two-factor sign-in is ${added ? "on" : "off"}` : changed;
  const left = only ? "Signing in no longer requires a second factor." : "Your other second factors still work.";
  if (!added) return { subject, text: `The ${what} can no longer be used to sign in. ${left}` };
  if (!passkey && only) return { subject, text: "Signing in now also requires a code from your authenticator app." };
  if (!passkey) return { subject, text: "You can now also sign in with the new authenticator app." };
  const required = only ? " Other ways now also require it, or a recovery code." : "";
  return { subject, text: `You can now sign in with the new passkey alone.${required}` };
}

export const recoveryCodesChanged = ({ made, link }: { made: boolean; link: string }): EmailContent => ({
  subject: made ? "New recovery codes were created" : "Your recovery codes were removed",
  paragraphs: [
    made
      ? "Ten new recovery codes were created. Each works once in place of your second factor. Any older codes no longer work."
      : "Your recovery codes no longer work.",
  ],
  button: notMeButton(link),
  after: [undoDeadlineText],
  sms: `${made ? "New recovery codes were created" : "The recovery codes were removed"} for your Stagedoor account. ${undoBySms(link)}`,
});

export const recoveryCodeUsed = ({ left, link }: { left: number; link: string }): EmailContent => ({
  subject: "A recovery code was used",
  paragraphs: [
    "Someone signed in to your account with a recovery code in place of your second factor.",
    left === 0
      ? "No recovery codes are left. Create new ones on your account page."
      : `${left === 1 ? "1 recovery code is" : `${left} recovery codes are`} left.`,
  ],
  button: notMeButton(link),
  after: [
    "If this was you, you do not need to do anything. If not, press the button within 7 days to remove your recovery codes and password, and sign out all devices.",
  ],
  sms: `A recovery code was used to sign in to your Stagedoor account. ${undoBySms(link)}`,
});
