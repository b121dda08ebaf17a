import { timingSafeEqual } from "node:crypto";
import type { ContractSummary } from "#contracts/index.ts";
import { notFound, Problem } from "#platform/errors.ts";
import type { Relation } from "./rules/permissions.rules.ts";
import type { Booking } from "./store.ts";

/** The caller: the signed-in user, if any, and the hashes of the booking keys in the browser's cookie. */
export type Caller = Readonly<{
  userId: string | null;
  role: "admin" | "artist" | "promoter" | null;
  keyHashes: readonly Buffer[];
}>;

type Owned = Pick<Booking, "promoter_user_id" | "access_key_hash" | "verified_key_hash">;
type ArtistOwner = Readonly<{ user_id: string | null }>;

export const ownsBooking = (caller: Caller, { promoter_user_id: owner }: Pick<Booking, "promoter_user_id">): boolean =>
  caller.userId !== null && caller.userId === owner;

export const hasRequested = (caller: Caller, booking: Owned): boolean =>
  ownsBooking(caller, booking) || hasSenderKey(caller, booking) || hasVerifiedKey(caller, booking);

export const isOwnOf =
  (caller: Caller) =>
  (booking: Owned): boolean =>
    hasRequested(caller, booking);

/** The key of the browser that sent the request. It remains valid after the mailbox is verified elsewhere, and never verifies it. */
const hasSenderKey = (caller: Caller, booking: Owned) => hasKey(caller, booking, booking.access_key_hash);

const hasVerifiedKey = (caller: Caller, booking: Owned) => hasKey(caller, booking, booking.verified_key_hash);

/** A key is valid only while no account owns the booking. */
function hasKey({ keyHashes }: Caller, { promoter_user_id: owner }: Owned, wanted: Uint8Array | null): boolean {
  if (wanted === null || owner !== null) return false;
  const hash = Buffer.from(wanted);
  return keyHashes.some((one) => one.length === hash.length && timingSafeEqual(one, hash));
}

export const relationTo = (caller: Caller, booking: Owned, artist: ArtistOwner): Relation => ({
  promoter: hasRequested(caller, booking),
  mailboxUnverified: hasSenderKey(caller, booking) && !hasVerifiedKey(caller, booking),
  artist: caller.role === "artist" && caller.userId !== null && caller.userId === artist.user_id,
  admin: caller.role === "admin",
});

/** Returns the address if its mailbox is verified. Anyone can enter another one, so it must not count against its owner. */
export const provenEmailOf = (booking: Pick<Booking, "promoter_email" | "email_proven_at">): string | undefined =>
  booking.email_proven_at === null ? undefined : booking.promoter_email;

export const mayPay = (caller: Caller, booking: Owned): boolean =>
  caller.role === "admin" || hasRequested(caller, booking);

export const isOnlyArtist = ({ promoter, artist, admin }: Relation): boolean => artist && !promoter && !admin;

/** Returns the role that a booking's screens address. `isOwner` is true in the session of the account that owns it. */
export function viewerOf(relation: Relation, isOwner: boolean): "promoter" | "guest" | "artist" | "admin" {
  if (relation.admin) return "admin";
  if (isOnlyArtist(relation)) return "artist";
  return isOwner ? "promoter" : "guest";
}

export const maySee = (relation: Relation): boolean => relation.promoter || relation.artist || relation.admin;

/** Returns true for the browser that sent a guest's request and for admins, until its mailbox opened the booking or signed (not attested by an admin). */
export const mayCorrectEmail = (
  { promoter, mailboxUnverified, admin }: Relation,
  booking: Pick<Booking, "promoter_user_id" | "email_proven_at" | "status">,
  contract: Pick<ContractSummary, "signers"> | null | undefined,
): boolean =>
  (admin || (promoter && mailboxUnverified === true)) &&
  booking.promoter_user_id === null &&
  booking.email_proven_at === null &&
  booking.status !== "canceled" &&
  booking.status !== "completed" &&
  !contract?.signers.some((one) => one.side === "promoter" && one.signed_at !== null && one.method !== "attested");

/** Throws forbidden (403) if the caller is the promoter only by the key of a browser in which the mailbox was not verified. */
export function requireVerifiedMailbox({ mailboxUnverified }: Relation): void {
  if (mailboxUnverified)
    throw new Problem(
      "forbidden",
      "Open the link in our email on this device first. It shows that this booking is yours.",
    );
}

/** Throws not found (404) if the action is not allowed, as for a missing booking. */
export function authorize(allowed: boolean): void {
  if (!allowed) throw bookingMissing();
}

export const bookingMissing = () => notFound("Booking not found");
