import type { BookingForCaller } from "#bookings/index.ts";
import { notFound } from "#platform/errors.ts";
import type { DocumentViewer } from "./views.ts";

export const documentMissing = () => notFound("Document not found");

/** Returns the caller's access to documents: promoter, artist (only documents issued during their ownership, decision 320), or admin. */
export const viewerOf = ({ relation }: Pick<BookingForCaller, "relation">, userId: string | null): DocumentViewer => ({
  all: relation.admin,
  promoter: relation.promoter,
  ownerId: relation.artist ? userId : null,
});

export const mayRead = (
  { all, promoter, ownerId }: DocumentViewer,
  document: { buyer_artist_id: string | null; artist_owner_id: string | null },
): boolean =>
  all || (promoter && document.buyer_artist_id === null) || (ownerId !== null && document.artist_owner_id === ownerId);
