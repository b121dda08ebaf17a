/** Who may read which document. */
import type { BookingForCaller } from "#bookings/index.ts";
import { notFound } from "#platform/errors.ts";

/** A foreign document looks like one that does not exist. */
export const documentMissing = () => notFound("Document not found");

/** The promoter, with or without an account, reads what was issued to them; the artist and admins read all of the booking. */
export const readsAll = ({ relation }: Pick<BookingForCaller, "relation">): boolean =>
  relation.artist || relation.admin;

/** Whether the caller may read one document of the booking. */
export const mayRead = (caller: Pick<BookingForCaller, "relation">, document: { buyer_artist_id: string | null }) =>
  readsAll(caller) || document.buyer_artist_id === null;
