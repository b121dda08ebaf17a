import { documentKindsOf } from "#contracts/copies-for-bookings.ts";
import { attestationOf } from "#contracts/index.ts";
import { bookingOfContract } from "#contracts/signing-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import { conflict } from "#platform/errors.ts";
import { opensByLink } from "../../links/access.ts";
import { type Caller, maySee, relationTo } from "../../policy.ts";
import { findBooking } from "../../store.ts";
import { artistOfBooking } from "../../views.ts";
import { isSignedByFormerOwner } from "../former-owner.views.ts";
import { ensureDocument } from "../sending.ts";
import { contractMissing } from "../signing/attestation.ts";
import { documentUrl } from "./document-link.ts";

/** Returns the file's address for a party (guest by cookie or signed `link`) or an admin, for a later owner the agreement only (decision 320). Throws not found (404) for others, a conflict (409) for a draft. */
export async function makeDocumentUrl(
  services: Payments,
  request: { id: string; link?: string | undefined; kind?: "copy" | "paper" | undefined; caller: Caller },
): Promise<string> {
  const { database, clock, keys } = services;
  const bookingId = await bookingOfContract(database.db, request.id);
  const booking = bookingId === undefined ? undefined : await findBooking(database.db, bookingId);
  if (!booking) throw contractMissing();
  const relation = relationTo(request.caller, booking, await artistOfBooking(database.db, booking));
  const isPromoter = relation.promoter || opensByLink(services, booking, request.link);
  if (!maySee({ ...relation, promoter: isPromoter })) throw contractMissing();
  const isLaterOwner =
    relation.artist && !relation.promoter && !relation.admin && (await isSignedByFormerOwner(database.db, request.id));
  if (request.kind === "paper") {
    if (isLaterOwner || !(await attestationOf(database.db, request.id))?.paper) throw contractMissing();
    return documentUrl(keys, request.id, "paper", clock.now());
  }
  await ensureDocument(services, booking.id);
  if ((await documentKindsOf(database.db, request.id)).length === 0)
    throw conflict("There is no contract document until the date is booked.");
  return documentUrl(keys, request.id, isLaterOwner ? "agreement" : "copy", clock.now());
}
