import { isEmailAddress } from "#platform/email-address.rules.ts";
import { sortsBy } from "#platform/list.rules.ts";
import { plainName } from "#platform/security/plain-name.rules.ts";
import { hasReadableText } from "#platform/text.rules.ts";

export const roles = ["admin", "artist", "promoter"] as const;
export type Role = (typeof roles)[number];

export const userSorts = sortsBy("name", "role", "joined", "seen");
export type UserSort = (typeof userSorts)[number];

/** The role if a user's role is unknown: the routing's fallback and the role of a new profile. */
export const fallbackRole = "promoter" satisfies Role;

/** Lifetimes in seconds. The client refreshes 90 s before an access token expires and caches the keys for 10 min. */
export const lifetimes = {
  accessToken: 3_600,
  sessionIdle: 30 * 86_400,
  sessionAtMost: 180 * 86_400,
  signupLink: 86_400,
  recoveryLink: 3_600,
  signInLink: 600, // also of the code in the same email
  emailChangeLink: 86_400,
  code: 600,
  keyCache: 600,
  challenge: 300,
  recentAuthentication: 300, // an authentication is recent for so long
  undoLink: 7 * 86_400, // of the link "This was not me"
  operatorToken: 3_600,
  knownNetwork: 90 * 86_400, // after the last sign-in from the network
  signingKey: 90 * 86_400,
} as const;

export const changeKinds = [
  "password",
  "email",
  "phone",
  "factor_added",
  "factor_removed",
  "recovery_codes",
  "identity_added",
] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const passwordLength = { min: 8, max: 256 } as const;
export const nameLength = { max: 200 } as const;

/** The number of valid links and codes of a kind: a new request does not void the earlier ones. */
export const maxActiveCodes = 3;
export const factorsPerUser = 5;
export const passkeysPerUser = 10;

/** Returns the role of a sign-up. Admin is granted in demo mode only. Elsewhere it becomes a request that an admin decides. */
export function grantedRole(requested: unknown, demo: boolean): { role: Role; requestsAdmin: boolean } {
  if (requested === "admin")
    return demo ? { role: "admin", requestsAdmin: false } : { role: fallbackRole, requestsAdmin: true };
  return { role: requested === "artist" ? "artist" : fallbackRole, requestsAdmin: false };
}

const passwordMessages = {
  length: `Password should be at least ${passwordLength.min} characters.`,
  context: "This password is made from your name, your address or the name of this site. Choose another one.",
  repeat: "This password repeats the same part. Choose another one.",
  sequence: "This password is a sequence of letters or digits, such as abcd or 4321. Choose another one.",
  keyboard: "This password follows the keys of the keyboard. Choose another one.",
  common: "This password, or a similar one, is known from data leaks. Choose another one.",
  guessable: "This password is easy to guess. Three or four words that do not belong together make a good one.",
};
export type PasswordIssue = keyof typeof passwordMessages;

export const passwordMessage = (issues: readonly PasswordIssue[]): string =>
  issues[0] ? passwordMessages[issues[0]] : "";

export const weakPasswordReasons = (issues: readonly PasswordIssue[]): ("length" | "pwned" | "characters")[] => [
  ...new Set(issues.map((issue) => (issue === "length" ? "length" : issue === "common" ? "pwned" : "characters"))),
];

/** Returns the issues that need no dictionary, for a screen to display during input. `own` has the user's name and address. */
export function passwordIssues(password: string, own: readonly string[] = []): PasswordIssue[] {
  const issues: PasswordIssue[] = [];
  if (Array.from(password).length < passwordLength.min) issues.push("length");
  const plain = password.toLowerCase();
  if (password !== "" && own.some((text) => text !== "" && plain === text.toLowerCase())) issues.push("context");
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  if (password !== "" && (new Set(plain).size === 1 || (words.length > 1 && new Set(words).size === 1)))
    issues.push("repeat");
  return issues;
}

/** Returns the first of "Phone", "Phone 2", "Phone 3" … that is not used. */
export function unusedName(plain: string, usedNames: readonly string[]): string {
  for (let at = 1; ; at += 1) {
    const name = at === 1 ? plain : `${plain} ${at}`;
    if (!usedNames.includes(name)) return name;
  }
}

/** Returns a user's name as it is stored: one line, no invisible characters, at most 200 characters. Undefined if nothing is left. */
export function cleanName(name: unknown): string | undefined {
  if (typeof name !== "string") return undefined;
  const clean = plainName(name);
  return clean === "" || !hasReadableText(clean) ? undefined : Array.from(clean).slice(0, nameLength.max).join("");
}

/** Folds case without mapping a character of another alphabet or a sign to an English one: the Kelvin sign is no k. */
const foldCase = (text: string): string =>
  Array.from(text, (character) => {
    const low = character.toLowerCase();
    return isPlain(low) && !isPlain(character) ? character : low;
  }).join("");

const isPlain = (character: string): boolean => /[a-z]/i.test(character);

/** Returns true if names are equal except for case and runs of spaces. Look-alike characters differ. */
export const sameName = (one: string, other: string): boolean =>
  foldCase(one.trim().replaceAll(/ +/g, " ")) === foldCase(other.trim().replaceAll(/ +/g, " "));

/** Returns the name of a new profile: from the metadata, or else the email. */
export const profileName = (metadata: unknown, email: string): string =>
  cleanName(typeof metadata === "object" && metadata !== null && "name" in metadata ? metadata.name : undefined) ??
  email;

/** Returns an email address in its compared and stored form. Undefined if it is invalid. Plus signs and dots do not change. */
export function normalizeEmail(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  // Checked before lower-casing, which maps some characters of other alphabets to ASCII.
  return isEmailAddress(text.trim()) ? text.trim().toLowerCase() : undefined;
}

/** Returns a phone number as its digits with the country code, without the plus sign. Undefined if it is invalid (E.164). */
export function normalizePhone(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  // "(0)" after a country code is dialed only inside the country, except in Italy, San Marino and Vatican City.
  const digits = text
    .replace(/^(\s*(?:\+|00)\s*(?!39|37[89])[1-9]\d{0,2}\s*)\(0\)/, "$1")
    .replaceAll(/[\s().-]/g, "")
    .replace(/^(?:\+|00)/, "");
  return /^[1-9]\d{6,14}$/.test(digits) ? digits : undefined;
}

/** Suspended without an end. Clients of the protocol read the year 9999 as permanent. */
export const permanentSuspensionEnd = new Date("9999-12-31T00:00:00Z");

/** Published when a user's permissions changed: role, suspension, deletion. Open streams and guards handle it. */
export type AccessChanged = { userId: string; cause: "role" | "suspended" | "restored" | "deleted" };

/** Published when a mailbox was verified: a promoter's bookings with this address may be attached now, and those of the former address follow. */
export type EmailVerified = { userId: string; email: string; former?: string };

/** Published by earlier versions when an admin granted an artist without an owner to a user. */
export type ProfileClaimGranted = { artistId: string; userId: string };

/** Why an account cannot be deleted yet, with the text that its user sees. */
export const deletionObstacles = {
  last_admin: "You are the last admin. Make another user an admin first.",
  open_bookings: "You have bookings that are not finished. Complete or cancel them first, then delete your account.",
  open_dispute:
    "A payment of one of your bookings is disputed at the bank. Wait until the dispute has ended, then delete your account.",
  open_refund: "A refund of one of your bookings is not finished yet. Wait until it is, then delete your account.",
  unpaid_earnings:
    "We still owe you earnings. Connect your payment account and wait until they are paid out, then delete your account.",
} as const;
export type DeletionObstacle = keyof typeof deletionObstacles;
export const deletionObstacleNames = Object.keys(deletionObstacles) as readonly DeletionObstacle[];
