/** Who may do what with one booking. A refusal is the 404 of a missing one, so that ids tell nothing. */
import { notFound } from "#platform/errors.ts";
import type { Context } from "#platform/http/context.ts";
import { holdsKey } from "./request/access.ts";
import type { Booking } from "./store.ts";

type Caller = Pick<Context, "actor" | "request">;

/** The caller pays for this booking: its browser, its owner's session, or an admin's. */
export const mayPay = (caller: Caller, booking: Booking): boolean =>
  caller.actor?.role === "admin" || hasAskedFor(caller, booking);

/** The caller is the one who asked for this booking: its browser, or its owner's session. */
export const hasAskedFor = (
  { actor, request }: Caller,
  booking: Pick<Booking, "promoter_user_id" | "access_key_hash">,
): boolean => (actor !== null && actor.userId === booking.promoter_user_id) || holdsKey(request.cookies, booking);

/** Payers and the artist see a booking in full. */
export const maySee = (caller: Caller, booking: Booking, artist: { user_id: string | null }): boolean =>
  mayPay(caller, booking) || (caller.actor !== null && caller.actor.userId === artist.user_id);

/** The artist whose date it is. */
export const mayRelease = ({ actor }: Pick<Context, "actor">, artist: { user_id: string | null }): boolean =>
  actor !== null && actor.role === "artist" && actor.userId === artist.user_id;

/** Lets an allowed act pass; otherwise answers as if the booking were not there. */
export function authorize(allowed: boolean): void {
  if (!allowed) throw bookingMissing();
}

export const bookingMissing = () => notFound("Booking not found");
