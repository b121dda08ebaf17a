import type { BookingForCaller } from "#bookings/index.ts";
import { notFound } from "#platform/errors.ts";
import type { DocumentReader } from "./views.ts";

/** A foreign document looks like one that does not exist. */
export const documentMissing = () => notFound("Document not found");

/**
 * As whom the caller reads the documents of a booking. The promoter, with or without an account, reads what was issued to them, and the
 * artist what was issued while the profile was theirs: a former owner's documents are not a later owner's (decision 412). Admins read all.
 */
export const readerOf = ({ relation }: Pick<BookingForCaller, "relation">, userId: string | null): DocumentReader => ({
  all: relation.admin,
  promoter: relation.promoter,
  ownerId: relation.artist ? userId : null,
});

export const mayRead = (
  { all, promoter, ownerId }: DocumentReader,
  document: { buyer_artist_id: string | null; artist_owner_id: string | null },
): boolean =>
  all || (promoter && document.buyer_artist_id === null) || (ownerId !== null && document.artist_owner_id === ownerId);
