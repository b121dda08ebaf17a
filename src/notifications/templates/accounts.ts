import type { EmailContent } from "./email.ts";

/** A link that works once, and for how long; the code is the same permission for typing. */
type OneTime = { link: string; code?: string | null; minutes: number };

const lasts = (minutes: number) => {
  if (minutes % 1440 === 0) return minutes === 1440 ? "one day" : `${minutes / 1440} days`;
  if (minutes % 60 === 0) return minutes === 60 ? "one hour" : `${minutes / 60} hours`;
  return `${minutes} minutes`;
};
const notYou = "It was not you? Then ignore this mail: nothing happens without the link.";
const withCode = ({ code, minutes }: OneTime) =>
  code
    ? [`Or type this code. Link and code work once, for ${lasts(minutes)}.`]
    : [`The link works once, for ${lasts(minutes)}.`];
const codePart = ({ code }: { code?: string | null }) => (code ? { code } : {});

export const confirmSignUp = (to: OneTime): EmailContent => ({
  subject: "Confirm your address",
  paragraphs: ["An account was made with this address. Press the button to confirm that it is yours.", ...withCode(to)],
  ...codePart(to),
  button: { label: "Confirm address", href: to.link },
  after: [notYou],
});

/** To an address that already has an account, when somebody signs up with it again. */
export const signUpKnown = (to: { link: string }): EmailContent => ({
  subject: "You already have an account",
  paragraphs: [
    "Somebody, perhaps you, tried to sign up with this address. It already has an account; nothing was changed.",
    "Sign in as usual, or set a new password there if you have forgotten yours.",
  ],
  button: { label: "Sign In", href: to.link },
  after: ["It was not you? Then there is nothing to do."],
});

export const recovery = (to: OneTime): EmailContent => ({
  subject: "Set a new password",
  paragraphs: ["You asked for a new password. Press the button to choose one.", ...withCode(to)],
  ...codePart(to),
  button: { label: "Set new password", href: to.link },
  after: ["It was not you? Then ignore this mail: your password stays as it is."],
});

export const magicLink = (to: OneTime): EmailContent => ({
  subject: "Your sign-in link",
  paragraphs: ["Press the button to sign in.", ...withCode(to)],
  ...codePart(to),
  button: { label: "Sign In", href: to.link },
  after: [notYou],
});

export const emailChangeNew = (to: OneTime): EmailContent => ({
  subject: "Confirm your new address",
  paragraphs: [
    "An account is to use this address from now on. Press the button to confirm that it is yours.",
    ...withCode(to),
  ],
  ...codePart(to),
  button: { label: "Confirm new address", href: to.link },
  after: [notYou],
});

export const emailChangeOld = (to: OneTime & { newEmail: string }): EmailContent => ({
  subject: "Confirm the change of your address",
  paragraphs: [
    `Your account is to move to ${to.newEmail}. Press the button to agree; the new mailbox is asked as well.`,
    ...withCode(to),
  ],
  ...codePart(to),
  button: { label: "Agree to the change", href: to.link },
  after: ["It was not you? Then do not press it, and set a new password: somebody is signed in to your account."],
});

/** In every notice of a change of how somebody signs in: what the button does. */
const undoLasts =
  "It was you? Then there is nothing to do. If not, press the button within 7 days: it undoes the change and signs everybody out of your account.";
const undoBySms = (link: string) => `Not you? Undo it within 7 days: ${link}`;
const notMe = (link: string) => ({ label: "This was not me", href: link });

/** Notifies both mailboxes and the number that the address has changed. `link` undoes it. */
export const emailChanged = (to: { newEmail: string; link: string; supportEmail: string }): EmailContent => ({
  subject: "Your address was changed",
  paragraphs: [`Your account now uses ${to.newEmail}. Mail about it goes there.`],
  button: notMe(to.link),
  after: [undoLasts, `Questions? Write to ${to.supportEmail}.`],
  sms: `The mail address of your Stagedoor account was changed. ${undoBySms(to.link)}`,
});

/** The code that proves it is still the same person, before something important changes. */
export const reauthentication = ({ code, minutes }: { code: string; minutes: number }): EmailContent => ({
  subject: "Your confirmation code",
  paragraphs: [`Type this code to go on. It works once, for ${lasts(minutes)}.`],
  code,
  after: [
    "It was not you? Then set a new password: somebody is signed in to your account. Nobody of us ever asks for this code.",
  ],
});

export const oneTimeCode = ({ code, minutes }: { code: string; minutes: number }): EmailContent => ({
  subject: "Your sign-in code",
  paragraphs: [`Type this code to go on. It works once, for ${lasts(minutes)}.`],
  code,
  after: ["It was not you? Then ignore this message. Nobody of us ever asks for this code."],
  sms: `${code} is your Stagedoor code. It works for ${lasts(minutes)}; nobody of us ever asks for it.`,
});

/** The number that signs in is another one now, or none. `ending` shows its last digits; `link` undoes the change. */
export const phoneChanged = (to: { ending: string | null; link: string; supportEmail: string }): EmailContent => ({
  subject: to.ending ? "Your phone number was changed" : "Your phone number was removed",
  paragraphs: [
    to.ending
      ? `Your account now uses a phone number that ends in ${to.ending}. Codes for signing in go there.`
      : "Your account has no phone number any more. No codes for signing in go to it.",
  ],
  button: notMe(to.link),
  after: [undoLasts, `Questions? Write to ${to.supportEmail}.`],
  sms: to.ending
    ? `Your Stagedoor account now uses the number that ends in ${to.ending}. ${undoBySms(to.link)}`
    : `Your Stagedoor account no longer uses this number. ${undoBySms(to.link)}`,
});

export const passwordChanged = ({ link }: { link: string }): EmailContent => ({
  subject: "Your password was changed",
  paragraphs: ["The password of your account was changed. Other devices have been signed out."],
  button: notMe(link),
  after: [undoLasts],
  sms: `The password of your Stagedoor account was changed. ${undoBySms(link)}`,
});

/** A session was ended because its refresh token was used by two parties. `link` leads to setting a new password. */
export const sessionStolen = ({ device, link }: { device?: string | null; link: string }): EmailContent => ({
  subject: "A device of yours was signed out",
  paragraphs: [
    `Somebody used a copy of what keeps you signed in${device ? ` on ${device}` : ""}. We ended that session for everybody who held it; your other devices stay signed in.`,
    "Sign in again as usual. If you do not know how this came about, set a new password: that signs out every other device.",
  ],
  button: { label: "Set new password", href: link },
  after: [
    "Had you restored the device or its browser from a backup? Then that was the copy, and there is nothing to do.",
  ],
});

/** An authenticator was added or removed. `only`: it was the first, or the last. `link` undoes the change. */
export const secondFactorChanged = (to: { added: boolean; only: boolean; link: string }): EmailContent => {
  const subject = factorSubject(to);
  return {
    subject,
    paragraphs: [factorMessage(to), "Other devices have been signed out."],
    button: notMe(to.link),
    after: [undoLasts],
    sms: `${subject} for your Stagedoor account. ${undoBySms(to.link)}`,
  };
};

function factorSubject({ added, only }: { added: boolean; only: boolean }): string {
  if (only) return added ? "Two-factor sign-in is on" : "Two-factor sign-in is off";
  return added ? "An authenticator was added" : "An authenticator was removed";
}

function factorMessage({ added, only }: { added: boolean; only: boolean }): string {
  if (!only)
    return added
      ? "One more authenticator app opens your account beside your password."
      : "One of your authenticator apps no longer opens your account. The others stay.";
  return added
    ? "From now on, signing in also asks for a code from your authenticator app."
    : "From now on, signing in asks for your password alone.";
}

/** Recovery codes were made anew, or removed. `link` undoes the change. */
export const recoveryCodesChanged = ({ made, link }: { made: boolean; link: string }): EmailContent => ({
  subject: made ? "New recovery codes were made" : "Your recovery codes were removed",
  paragraphs: [
    made
      ? "Ten new recovery codes open your account in place of your phone, each once. Older ones are void."
      : "No recovery code opens your account any more.",
  ],
  button: notMe(link),
  after: [undoLasts],
  sms: `${made ? "New recovery codes were made" : "The recovery codes were removed"} for your Stagedoor account. ${undoBySms(link)}`,
});

const undoneWords = {
  password: "The password that was set is void.",
  email: "The address from before is back.",
  phone: "The phone number from before is back, unless another account has it now.",
  factor_added: "The authenticator app that was added is removed.",
  factor_removed: "The authenticator app that was removed is back.",
  recovery_codes: "The recovery codes are void.",
} as const;

/** Somebody pressed "This was not me". `link` leads to setting a new password. */
export const accountChangeUndone = (to: {
  undone: readonly (keyof typeof undoneWords)[];
  needsAdmin: boolean;
  link: string;
  supportEmail: string;
}): EmailContent => ({
  subject: "A change of your account was undone",
  paragraphs: [
    "The button in our notice was pressed: the change was not yours. Everybody is signed out, and the password is void.",
    ...to.undone.filter((kind) => kind !== "password").map((kind) => undoneWords[kind]),
    to.needsAdmin
      ? `The address from before belongs to another account by now, so your account is closed until an admin has looked at it. Write to ${to.supportEmail}.`
      : "Set a new password next: the link for it comes to your mailbox. Then look at your phone number and your two-factor sign-in on your account page, and make new recovery codes.",
  ],
  ...(to.needsAdmin ? {} : { button: { label: "Set a new password", href: to.link } }),
  after: [`Questions? Write to ${to.supportEmail}.`],
  sms: `A change of your Stagedoor account was undone and everybody signed out. Set a new password: ${to.link}`,
});

export const roleChanged = ({
  name,
  role,
  link,
}: {
  name?: string | null;
  role: "admin" | "artist" | "promoter";
  link: string;
}): EmailContent => ({
  subject: `Your role is now ${role}`,
  name: name ?? null,
  paragraphs: [`An admin changed the role of your account to ${role}. It holds from this moment on.`],
  button: { label: "Open your dashboard", href: link },
});

/** The account was suspended, or may be used again. `link` leads to whom to ask, or to signing in. */
export const accountSuspended = ({
  suspended,
  supportEmail,
  link,
}: {
  suspended: boolean;
  supportEmail: string;
  link: string;
}): EmailContent => ({
  subject: suspended ? "Your account is suspended" : "Your account is open again",
  paragraphs: [
    suspended
      ? "An admin has suspended your account. You are signed out everywhere; your bookings and their money are not touched."
      : "An admin has opened your account again. You can sign in as before.",
  ],
  button: suspended ? { label: "Ask us about it", href: link } : { label: "Sign In", href: link },
  after: [`Questions? Write to ${supportEmail}.`],
});

/** To an admin: what was just done in their name, so that nobody does it unseen. */
export const adminNotice = ({ message, link }: { message: string; link: string }): EmailContent => ({
  subject: "Done in your name",
  paragraphs: [message],
  button: { label: "See the people", href: link },
  after: ["It was not you? Then set a new password at once and tell another admin."],
});

/** To an admin: somebody asks for something that only an admin may give. */
export const requestWaits = ({ message, link }: { message: string; link: string }): EmailContent => ({
  subject: "A request waits for an admin",
  paragraphs: [message, "Whoever of you comes first decides. A name alone proves nothing: look at the evidence."],
  button: { label: "See the requests", href: link },
});

/** To whoever asked to become an admin, when an admin said no. */
export const adminRequestRefused = ({ name, link }: { name?: string | null; link: string }): EmailContent => ({
  subject: "Your request to become an admin",
  name: name ?? null,
  paragraphs: ["An admin has looked at your request to become one and did not grant it. Your account stays as it is."],
  button: { label: "Open your dashboard", href: link },
});

export const claimDecided = (to: {
  artistName: string;
  granted: boolean;
  note: string;
  link: string;
}): EmailContent => ({
  subject: to.granted ? `${to.artistName} is yours` : `Your request for ${to.artistName}`,
  paragraphs: [
    to.granted
      ? `An admin has looked at your evidence: the artist ${to.artistName} now belongs to your account.`
      : `An admin has looked at your evidence and could not give you the artist ${to.artistName}.`,
  ],
  ...(to.note ? { quote: to.note } : {}),
  button: { label: "Open your dashboard", href: to.link },
});

/** To an artist whose rates are in the former currency of the platform. Currencies are codes such as "EUR". */
export const priceToConfirm = (to: { artistName: string; from: string; to: string; link: string }): EmailContent => ({
  subject: `Confirm your price in ${to.to}`,
  paragraphs: [
    `The platform's currency has changed from ${to.from} to ${to.to}. The rates of ${to.artistName} were entered in ${to.from}.`,
    `Nobody can book ${to.artistName} until you enter the rates in ${to.to}. Existing bookings keep their price and currency.`,
  ],
  button: { label: "Confirm your price", href: to.link },
});
