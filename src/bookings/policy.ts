/** Who may do what with one booking; plain values in, no HTTP. Without permission the error is the 404 of a missing one, so that ids reveal nothing. */
import { timingSafeEqual } from "node:crypto";
import { notFound } from "#platform/errors.ts";
import type { Relation } from "./lifecycle/permissions.rules.ts";
import type { Booking } from "./store.ts";

/** Who asks: the signed-in person, if there is one, and the hashes of the booking keys that their browser holds. */
export type Caller = Readonly<{
  userId: string | null;
  role: "admin" | "artist" | "promoter" | null;
  keyHashes: readonly Buffer[];
}>;

type Owned = Pick<Booking, "promoter_user_id" | "access_key_hash">;
type ArtistOwner = Readonly<{ user_id: string | null }>;

/** The caller is the one who asked for this booking: its browser, or its owner's session; never an address alone. */
export const hasAskedFor = (caller: Caller, booking: Owned): boolean =>
  (caller.userId !== null && caller.userId === booking.promoter_user_id) || holdsKeyOf(caller, booking);

function holdsKeyOf({ keyHashes }: Caller, { access_key_hash: wanted }: Owned): boolean {
  if (wanted === null) return false;
  const hash = Buffer.from(wanted);
  return keyHashes.some((one) => one.length === hash.length && timingSafeEqual(one, hash));
}

/** The caller's relation to a booking. */
export const relationTo = (caller: Caller, booking: Owned, artist: ArtistOwner): Relation => ({
  promoter: hasAskedFor(caller, booking),
  artist: caller.role === "artist" && caller.userId !== null && caller.userId === artist.user_id,
  admin: caller.role === "admin",
});

/** The caller pays for this booking: its browser, its owner's session, or an admin's. */
export const mayPay = (caller: Caller, booking: Owned): boolean =>
  caller.role === "admin" || hasAskedFor(caller, booking);

/** Payers and the artist see a booking. */
export const maySee = (relation: Relation): boolean => relation.promoter || relation.artist || relation.admin;

/** The artist whose date it is. */
export const mayRelease = (relation: Relation): boolean => relation.artist;

/** Throws the 404 of a missing booking unless the act is allowed. */
export function authorize(allowed: boolean): void {
  if (!allowed) throw bookingMissing();
}

export const bookingMissing = () => notFound("Booking not found");
