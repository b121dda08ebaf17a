import { createHash, timingSafeEqual } from "node:crypto";
import type { Keys } from "#platform/security/keys.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { dayMs } from "#platform/time/durations.rules.ts";

/** Returns the key for the browser that sends a request. It shows and pays the booking. The key is derived, so the same form sent twice gets the same key. */
export const bookingKey = (keys: Keys, bookingId: string): string =>
  keyOf(keys.hmac("booking key", bookingId.toLowerCase()));

/** The text for the key of a browser that verified the mailbox. It differs, so the key of the browser that sent the request does not allow the actions of a verified one. */
const verifiedText = (bookingId: string) => `${bookingId.toLowerCase()} verified`;

const keyOf = (fingerprint: Buffer) => fingerprint.subarray(0, 18).toString("base64url");

export const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** Returns the key for a browser that verified the mailbox: the stored one, also of a former root key, else a new one whose hash must be stored. */
export function verifiedKey(
  keys: Keys,
  { id, verified_key_hash: stored }: Readonly<{ id: string; verified_key_hash: Uint8Array | null }>,
): Readonly<{ key: string; isNew: boolean }> {
  const matchingKey = keys
    .hmacs("booking key", verifiedText(id))
    .map(keyOf)
    .find((key) => stored !== null && hashOf(key).equals(stored));
  return { key: matchingKey ?? keyOf(keys.hmac("booking key", verifiedText(id))), isNew: matchingKey === undefined };
}

export const bookingLinkDays = 30;

const signatureBytes = 24;

type Linked = Readonly<{ id: string; email_corrections: number }>;

/** Makes the token of a signed link: its last day and a signature. Nothing is stored. It verifies the mailbox. */
export function makeLinkToken(keys: Keys, booking: Linked, now: Date): string {
  const ends = Math.floor(now.getTime() / dayMs) + bookingLinkDays;
  return `${ends.toString(36)}.${signature(keys.hmac, booking, ends).toString("base64url")}`;
}

/** Returns true if a token opens this booking now. Tokens of a replaced root key remain valid until they expire, those to a corrected address do not. */
function isLinkToken(keys: Keys, token: string, booking: Linked, now: Date): boolean {
  const [, day = "", signed = ""] = /^([0-9a-z]{1,6})\.([\w-]{32})$/.exec(token) ?? [];
  const ends = Number.parseInt(day, 36);
  if (!Number.isSafeInteger(ends) || now.getTime() >= (ends + 1) * dayMs) return false;
  const given = Buffer.from(signed, "base64url");
  return keys
    .hmacs("booking link", linkText(booking, ends))
    .some((one) => timingSafeEqual(one.subarray(0, signatureBytes), given));
}

/** Returns true if a signed link gives the access of the request's mailbox. It does until an account owns the request. */
export const opensByLink = (
  { keys, clock }: Pick<PlatformServices, "keys" | "clock">,
  booking: Linked & Readonly<{ promoter_user_id: string | null }>,
  link: string | undefined,
): boolean => link !== undefined && booking.promoter_user_id === null && isLinkToken(keys, link, booking, clock.now());

const linkText = ({ id, email_corrections: corrections }: Linked, ends: number) =>
  `${id.toLowerCase()} ${ends}${corrections > 0 ? ` ${corrections}` : ""}`;
const signature = (hmac: Keys["hmac"], booking: Linked, ends: number) =>
  hmac("booking link", linkText(booking, ends)).subarray(0, signatureBytes);
