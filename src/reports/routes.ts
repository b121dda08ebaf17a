import { implement } from "@orpc/server";
import type { Payments } from "#gateway/gateway.ts";
import { allowCall } from "#platform/http/access.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { overviewsApi, reportsApi } from "./api.ts";
import { readBackups } from "./backup.views.ts";
import { listContracts } from "./lists/contracts.views.ts";
import { listPayments, readPayment, readPaymentTotals } from "./lists/payments.views.ts";
import { searchAll } from "./search/search.views.ts";
import { readAdminOverview, readArtistOverview } from "./views.ts";

const route = implement(overviewsApi).$context<Context<Payments>>();

export const overviewsRoutes = {
  admin: route.admin.handler(async ({ context: { db, services } }) => ({
    ...(await readAdminOverview(db, services.clock.now())),
    backup: await readBackups(db, services.realClock.now()),
  })),
  artist: route.artist.handler(({ context }) =>
    readArtistOverview(context.db, requireActor(context).userId, {
      now: context.services.clock.now(),
      payments: context.services.gateway !== null,
    }),
  ),
};

const list = implement(reportsApi).$context<Context<Payments>>();

export const reportsRoutes = list.router({
  contracts: { list: list.contracts.list.handler(({ input, context }) => listContracts(context.db, input)) },
  payments: {
    list: list.payments.list.handler(({ input, context }) => listPayments(context.db, input)),
    totals: list.payments.totals.handler(({ input, context }) => readPaymentTotals(context.db, input)),
    get: list.payments.get.handler(({ input, context }) => readPayment(context.db, input.id)),
  },
  search: {
    find: list.search.find.handler(({ input, context }) => {
      const who = requireActor(context);
      // An admin search requires the same access as every admin endpoint.
      if (who.role === "admin") allowCall("admin", context);
      const { clock, gateway } = context.services;
      return searchAll(context.db, { text: input.q ?? "", who, now: clock.now(), payments: gateway !== null });
    }),
  },
});
