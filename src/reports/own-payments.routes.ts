import { implement } from "@orpc/server";
import type { Payments } from "#gateway/gateway.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { ownPaymentsApi } from "./own-payments.api.ts";
import { listPromoterPayments } from "./own-payments.views.ts";
import { readPayouts } from "./payouts.views.ts";

const route = implement(ownPaymentsApi).$context<Context<Payments>>();

export const ownPaymentsRoutes = {
  payouts: route.payouts.handler(({ input, context }) => {
    const { clock, gateway } = context.services;
    return readPayouts(context.db, requireActor(context).userId, {
      now: clock.now(),
      payments: gateway !== null,
      page: input,
    });
  }),
  promoter: route.promoter.handler(({ input, context }) =>
    listPromoterPayments(context.db, requireActor(context).userId, input),
  ),
};
