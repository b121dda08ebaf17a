import { formatInstant } from "#platform/time/calendar.rules.ts";
import type { EmailContent } from "./email.ts";

type OneTimeLink = { link: string; minutes: number };
/** The code grants the same access and can be typed, within its own `codeMinutes`. */
type OneTime = OneTimeLink & { code?: string | null; codeMinutes?: number };

const lasts = (minutes: number) => {
  if (minutes % 1440 === 0) return minutes === 1440 ? "one day" : `${minutes / 1440} days`;
  if (minutes % 60 === 0) return minutes === 60 ? "one hour" : `${minutes / 60} hours`;
  return `${minutes} minutes`;
};
const notYou = "If this was not you, ignore this email. Nothing changes unless the link is used.";
// Both count from the request, because the email can be late. One whose link has expired is not sent.
const linkLasts = (minutes: number) => `The link works once, for ${lasts(minutes)} after the request.`;
const withCode = ({ code, codeMinutes, minutes }: OneTime) => [
  code && codeMinutes
    ? `Or enter this code within ${lasts(codeMinutes)} of the request. ${linkLasts(minutes)}`
    : linkLasts(minutes),
];
const codePart = ({ code }: { code?: string | null }) => (code ? { code } : {});

export const confirmSignUp = (to: OneTime): EmailContent => ({
  subject: "Confirm your address",
  paragraphs: [
    "An account was created with this address. Press the button to confirm that the address is yours.",
    ...withCode(to),
  ],
  ...codePart(to),
  button: { label: "Confirm address", href: to.link },
  after: [notYou],
});

export const signUpKnown = (to: { link: string }): EmailContent => ({
  subject: "You already have an account",
  paragraphs: [
    "Someone tried to sign up with this address. It already has an account. Nothing was changed.",
    "Sign in as usual, or set a new password if you forgot yours.",
  ],
  button: { label: "Sign In", href: to.link },
  after: ["If this was not you, you do not need to do anything."],
});

export const recovery = (to: OneTime): EmailContent => ({
  subject: "Set a new password",
  paragraphs: ["You requested a new password. Press the button to choose one.", ...withCode(to)],
  ...codePart(to),
  button: { label: "Set new password", href: to.link },
  after: ["If this was not you, ignore this email. Your password stays the same."],
});

export const magicLink = (to: OneTime): EmailContent => ({
  subject: "Your sign-in link",
  paragraphs: ["Press the button to sign in.", ...withCode(to)],
  ...codePart(to),
  button: { label: "Sign In", href: to.link },
  after: [notYou],
});

export const emailChangeNew = (to: OneTimeLink): EmailContent => ({
  subject: "Confirm your new address",
  paragraphs: [
    "Someone wants to use this address for an account. Press the button to confirm that the address is yours.",
    linkLasts(to.minutes),
  ],
  button: { label: "Confirm new address", href: to.link },
  after: [notYou],
});

export const emailChangeOld = (to: OneTimeLink & { newEmail: string }): EmailContent => ({
  subject: "Confirm the change of your address",
  paragraphs: [
    `Someone requested to change the address of your account to ${to.newEmail}. Press the button to agree. The new address must be confirmed too.`,
    linkLasts(to.minutes),
  ],
  button: { label: "Agree to the change", href: to.link },
  after: [
    "If this was not you, do not press the button. Set a new password: someone else is signed in to your account.",
  ],
});

export const undoDeadlineText =
  "If this was you, you do not need to do anything. If not, press the button within 7 days to undo the change and sign out all devices.";
export const undoBySms = (link: string) => `Not you? Undo it within 7 days: ${link}`;
export const notMeButton = (link: string) => ({ label: "This was not me", href: link });

export const emailChanged = (to: { newEmail: string; link: string; supportEmail: string }): EmailContent => ({
  subject: "Your address was changed",
  paragraphs: [`Your account now uses ${to.newEmail}. We send emails about it there.`],
  button: notMeButton(to.link),
  after: [undoDeadlineText, `Questions? Write to ${to.supportEmail}.`],
  sms: `The email address of your Stagedoor account was changed. ${undoBySms(to.link)}`,
});

export const reauthentication = ({ code, minutes }: { code: string; minutes: number }): EmailContent => ({
  subject: "Your confirmation code",
  paragraphs: [`Enter this code to continue. It works once, for ${lasts(minutes)}.`],
  code,
  after: [
    "If this was not you, set a new password: someone else is signed in to your account. We never ask you for this code.",
  ],
});

export const oneTimeCode = ({ code, minutes }: { code: string; minutes: number }): EmailContent => ({
  subject: "Your sign-in code",
  paragraphs: [`Enter this code to continue. It works once, for ${lasts(minutes)}.`],
  code,
  after: ["If this was not you, ignore this message. We never ask you for this code."],
  sms: `${code} is your Stagedoor code. It works for ${lasts(minutes)}. We never ask you for it.`,
});

export const phoneChanged = (to: { ending: string | null; link: string; supportEmail: string }): EmailContent => ({
  subject: to.ending ? "Your phone number was changed" : "Your phone number was removed",
  paragraphs: [
    to.ending
      ? `Your account now uses a phone number that ends in ${to.ending}. We send sign-in codes there.`
      : "Your account no longer has a phone number. We send no sign-in codes to the old number.",
  ],
  button: notMeButton(to.link),
  after: [undoDeadlineText, `Questions? Write to ${to.supportEmail}.`],
  sms: to.ending
    ? `Your Stagedoor account now uses the number that ends in ${to.ending}. ${undoBySms(to.link)}`
    : `Your Stagedoor account no longer uses this number. ${undoBySms(to.link)}`,
});

export const passwordChanged = ({ link }: { link: string }): EmailContent => ({
  subject: "Your password was changed",
  paragraphs: ["The password of your account was changed. Other devices have been signed out."],
  button: notMeButton(link),
  after: [undoDeadlineText],
  sms: `The password of your Stagedoor account was changed. ${undoBySms(link)}`,
});

export const sessionStolen = ({ device, link }: { device?: string | null; link: string }): EmailContent => ({
  subject: "A device of yours was signed out",
  paragraphs: [
    `Someone used a copy of your session${device ? ` on ${device}` : ""}. We ended that session. Your other devices stay signed in.`,
    "Sign in again as usual. If you do not recognize this, set a new password. That signs out all other devices.",
  ],
  button: { label: "Set new password", href: link },
  after: [
    "If you restored the device or its browser from a backup, that was the copy, and you do not need to do anything.",
  ],
});

export const identityAdded = ({ label, link }: { label: string; link: string }): EmailContent => ({
  subject: `You can now sign in with ${label}`,
  paragraphs: [
    `Someone signed in with an account at ${label} that has your verified email address. From now on, that account can sign in to your account here.`,
    "Your other sign-in methods still work. If two-factor sign-in is on, its code is still required.",
  ],
  button: notMeButton(link),
  after: [undoDeadlineText],
  sms: `An account at ${label} can now sign in to your Stagedoor account. ${undoBySms(link)}`,
});

const undoneLabels = {
  password: "The new password no longer works.",
  email: "Your previous email address is restored.",
  phone: "Your previous phone number is restored, unless another account uses it now.",
  factor_added: "The authenticator app or passkey that was added is removed.",
  identity_added: "The organization's account that was connected is disconnected, and cannot sign in here.",
  factor_removed: "The authenticator app or passkey that was removed is restored.",
  recovery_codes: "The recovery codes no longer work.",
} as const;

export const accountChangeUndone = (to: {
  undone: readonly (keyof typeof undoneLabels)[];
  needsAdmin: boolean;
  link: string;
  supportEmail: string;
}): EmailContent => ({
  subject: "A change of your account was undone",
  paragraphs: [
    "You reported that a change was not made by you. All devices are signed out, and the password no longer works.",
    ...to.undone.filter((kind) => kind !== "password").map((kind) => undoneLabels[kind]),
    to.needsAdmin
      ? `Another account now uses your previous address, so your account is closed until an admin has reviewed it. Write to ${to.supportEmail}.`
      : "Set a new password next: we send the link to your mailbox. Then check your phone number and two-factor sign-in on your account page, and create new recovery codes.",
  ],
  ...(to.needsAdmin ? {} : { button: { label: "Set a new password", href: to.link } }),
  after: [`Questions? Write to ${to.supportEmail}.`],
  sms: `A change of your Stagedoor account was undone and all devices were signed out. ${to.needsAdmin ? `Your account is closed until an admin has reviewed it. Write to ${to.supportEmail}.` : `Set a new password: ${to.link}`}`,
});

export const roleChanged = (to: {
  name?: string | null;
  role: "admin" | "artist" | "promoter";
  link: string;
}): EmailContent => ({
  subject: `Your role is now ${to.role}`,
  name: to.name ?? null,
  paragraphs: [`The role of your account was changed to ${to.role}. The change is effective immediately.`],
  button: { label: "Open your dashboard", href: to.link },
});

export const accountSuspended = (to: { suspended: boolean; supportEmail: string; link: string }): EmailContent => ({
  subject: to.suspended ? "Your account is suspended" : "Your account is reopened",
  paragraphs: [
    to.suspended
      ? "An admin has suspended your account. You are signed out on all devices, and we release your holds. The profile of an artist cannot be booked until the account is reopened, and we release the holds on its nights. Existing bookings and payments are not affected."
      : "An admin has reopened your account. You can sign in as before.",
  ],
  button: { label: to.suspended ? "Contact us" : "Sign In", href: to.link },
  after: [`Questions? Write to ${to.supportEmail}.`],
});

/** To the former address of a deleted account. What is retained is declared in the lists of tables (docs/personal-data.md). */
export const accountDeleted = ({ supportEmail }: { supportEmail: string }): EmailContent => ({
  subject: "Your account was deleted",
  paragraphs: [
    "Your account was deleted, with all personal data except the records below. You are signed out on all devices. This cannot be undone.",
    "We retain contracts, payments, invoices and decisions about money for at least 10 years, because the law or the other party requires them. The activity log stays, because its entries cannot be changed.",
    "Published reviews stay without your name. Reviews that were not published yet are deleted. The name of an artist stays where bookings, contracts and reviews refer to it.",
  ],
  after: [`If you did not delete your account, write to ${supportEmail}.`],
});

/** Sent to an admin because an attacker may have acted in their name. */
export const adminNotice = ({ message, link }: { message: string; link: string }): EmailContent => ({
  subject: "Done in your name",
  paragraphs: [message],
  button: { label: "View users", href: link },
  after: ["If this was not you, set a new password immediately and tell another admin."],
});

const evidence = "Any admin can decide. Review the evidence: a matching name is not proof.";

export const requestWaits = (to: { message: string; link: string; aboutAccount?: boolean }): EmailContent => ({
  subject: `Action required: ${to.aboutAccount ? "review an account" : "review a request"}`,
  paragraphs: to.aboutAccount ? [to.message] : [to.message, evidence],
  button: { label: to.aboutAccount ? "View users" : "View requests", href: to.link },
});

export const adminRequestRefused = ({ name, link }: { name?: string | null; link: string }): EmailContent => ({
  subject: "Your request to become an admin",
  name: name ?? null,
  paragraphs: ["An admin has declined your request to become an admin. Your account is unchanged."],
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
      ? `An admin has reviewed your evidence. The artist ${to.artistName} now belongs to your account.`
      : `Your claim to the artist ${to.artistName} was declined.`,
  ],
  ...(to.note ? { quote: to.note } : {}),
  button: { label: "Open your dashboard", href: to.link },
});

export const calendarFailing = (to: {
  artistName: string;
  calendarName: string;
  reason: string;
  since: { at: Date; timeZone: string };
  link: string;
}): EmailContent => ({
  subject: `Your calendar “${to.calendarName}” cannot be read`,
  title: `“${to.calendarName}” cannot be read`,
  paragraphs: [
    `We have not been able to read this calendar of ${to.artistName} since ${formatInstant(to.since.at, to.since.timeZone)}. ${to.reason}`,
    "The entries that we have read still block their nights. We do not see new entries of this calendar, so a night may be booked twice.",
  ],
  button: { label: "View your calendar", href: to.link },
});

export const calendarConnectionFailing = (to: {
  host: string;
  reason: string;
  since: Date;
  link: string;
}): EmailContent => ({
  subject: `Your calendar on ${to.host} is not updated`,
  title: `Your calendar on ${to.host} is not updated`,
  paragraphs: [
    `We have not been able to update this calendar since ${formatInstant(to.since, "UTC")}. ${to.reason}`,
    "We try again once an hour. Until it works, new and changed shows are missing there.",
  ],
  button: { label: "View your connection", href: to.link },
});

/** Currencies are codes such as "EUR". */
export const priceToConfirm = (to: { artistName: string; from: string; to: string; link: string }): EmailContent => ({
  subject: `Confirm your price in ${to.to}`,
  paragraphs: [
    `The platform's currency has changed from ${to.from} to ${to.to}. The rates of ${to.artistName} were entered in ${to.from}.`,
    `${to.artistName} cannot be booked until you enter the rates in ${to.to}. Existing bookings keep their price and currency.`,
  ],
  button: { label: "Confirm your price", href: to.link },
});
