import { implement } from "@orpc/server";
import { refreshBeforeCommitment } from "#calendar/import/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Context } from "#platform/http/context.ts";
import { readingTimeOf } from "../checkout/http.ts";
import { callerOf } from "../request/booking-cookie.ts";
import { lockForArtist } from "../request/booking-for-caller.ts";
import { findBooking } from "../store.ts";
import { acceptanceApi } from "./acceptance.api.ts";
import { acceptRequest, declineRequest } from "./acceptance.ts";

const on = implement(acceptanceApi).$context<Context<Payments>>();

export const acceptanceRoutes = on.router({
  accept: on.accept.handler(async ({ input, context }) => {
    const known = await findBooking(context.db, input.id);
    if (known) await refreshBeforeCommitment(context.services, known.artist_id);
    return context.transaction(async (tx) => {
      const { booking, artist } = await lockForArtist(tx, context, input.id);
      await acceptRequest(tx, booking, artist, { caller: callerOf(context), ...readingTimeOf(context) });
      return { id: booking.id, status: booking.status };
    });
  }),
  decline: on.decline.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      const { booking } = await lockForArtist(tx, context, input.id);
      await declineRequest(tx, booking, { note: input.note || null, now: context.services.clock.now() });
      return { id: booking.id, status: booking.status };
    }),
  ),
});
