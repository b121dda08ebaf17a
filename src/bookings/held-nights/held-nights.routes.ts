import { implement } from "@orpc/server";
import { refreshBeforeCommitment } from "#calendar/import/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { checkoutOf, requesterFrom } from "../checkout/http.ts";
import { callerOf } from "../request/booking-cookie.ts";
import { withinMailboxLimit } from "../request/form-limits.ts";
import { heldNightsApi } from "./held-nights.api.ts";
import { convertHeldNight, findHeldNight, findNightToConvert, requestHeldNight } from "./held-nights.ts";

const on = implement(heldNightsApi).$context<Context<Payments>>();

const convertedPerHour = 30;

export const heldNightRoutes = on.router({
  book: on.book.handler(async ({ input, context }) => {
    const held = await findHeldNight(context.db, requireActor(context), input);
    const by = requesterFrom(context);
    return checkoutOf(context, await context.transaction((tx) => requestHeldNight(tx, held, by)));
  }),
  convert: on.convert.handler(async ({ input, context }) => {
    const { services, db } = context;
    const { userId } = requireActor(context);
    await services.limits.hit(`convert hold ${userId}`, convertedPerHour, 3_600);
    const { id, night, email } = input;
    const held = await findNightToConvert(db, { id, night, email, userId }, services.gateway !== null);
    await refreshBeforeCommitment(services, held.offer.artist.id);
    const by = { now: services.clock.now(), keys: services.keys, artistCaller: callerOf(context) };
    const convert = () => context.transaction((tx) => convertHeldNight(tx, held, by));
    if (held.hold.entered_name === null) return convert();
    const refused = "Many requests were sent with the promoter's address today. Try again tomorrow.";
    return withinMailboxLimit(context, held.form.clientEmail, convert, refused);
  }),
});
