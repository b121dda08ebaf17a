import { implement } from "@orpc/server";
import type { Payments } from "#gateway/gateway.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { refusedRefundsApi } from "./refused-refunds.api.ts";
import { retryRefund, recordRefundPaidOutside } from "./refused-refunds.ts";
import { refusedRefunds } from "./refused-refunds.views.ts";

const on = implement(refusedRefundsApi).$context<Context<Payments>>();

export const refusedRefundsRoutes = on.router({
  list: on.list.handler(async ({ context }) => ({ items: await refusedRefunds(context.db) })),

  retry: on.retry.handler(async ({ input: { id }, context }) => {
    await context.transaction((tx) => retryRefund(tx, id, context.services.clock.now()));
    return { id };
  }),

  settle: on.settle.handler(async ({ input: { id, how }, context }) => {
    const by = requireActor(context).userId;
    const now = context.services.clock.now();
    await context.transaction((tx) => recordRefundPaidOutside(tx, { id, how, by, now }));
    return { id };
  }),
});
