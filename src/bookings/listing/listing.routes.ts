import { implement } from "@orpc/server";
import type { Context } from "#platform/http/context.ts";
import { authorize, requireVerifiedMailbox } from "../policy.ts";
import { lockBookingFor, lockForArtist } from "../request/booking-for-caller.ts";
import { listingApi } from "./listing.api.ts";
import { setListing, takeOffProfile } from "./listing.ts";

const on = implement(listingApi).$context<Context>();

export const listingRoutes = on.router({
  set: on.set.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      const { booking } = await lockForArtist(tx, context, input.id);
      return setListing(tx, booking, { listed: input.listed, now: context.services.clock.now() });
    }),
  ),
  takeOff: on.takeOff.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      const { booking, relation } = await lockBookingFor(tx, context, input.id);
      authorize(relation.promoter);
      requireVerifiedMailbox(relation);
      return takeOffProfile(tx, booking, context.services.clock.now());
    }),
  ),
});
