import { implement } from "@orpc/server";
import { findBookingFor } from "#bookings/index.ts";
import { Problem } from "#platform/errors.ts";
import type { Context } from "#platform/http/context.ts";
import { invoicingApi } from "./api.ts";
import { fileUrl } from "./pdf/document-link.ts";
import { documentMissing, mayRead, viewerOf } from "./policy.ts";
import { documentsOf, findDocument } from "./views.ts";

const on = implement(invoicingApi).$context<Context>();

const userIdOf = ({ actor }: Context): string | null => actor?.userId ?? null;

/** Returns the caller's relation to the booking of a document. Throws not found (404) without one, as for a missing document. */
async function callerFor(context: Context, bookingId: string) {
  try {
    return await findBookingFor(context, bookingId);
  } catch (error) {
    if (error instanceof Problem && error.kind === "not_found") throw documentMissing();
    throw error;
  }
}

export const invoicingRoutes = on.router({
  ofBooking: on.ofBooking.handler(async ({ input, context }) => {
    const caller = await findBookingFor(context, input.id);
    return { items: await documentsOf(context.db, [input.id], viewerOf(caller, userIdOf(context))) };
  }),
  link: on.link.handler(async ({ input, context }) => {
    const document = await findDocument(context.db, input.id);
    if (!document) throw documentMissing();
    const userId = userIdOf(context);
    // A former owner of the artist profile can read the documents issued to them, without a relation to the booking.
    if (document.artist_owner_id === null || document.artist_owner_id !== userId) {
      const caller = await callerFor(context, document.booking_id);
      if (!mayRead(viewerOf(caller, userId), document)) throw documentMissing();
    }
    const { keys, clock } = context.services;
    return { url: fileUrl(keys, document.id, clock.now()) };
  }),
});
