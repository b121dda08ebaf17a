import { implement } from "@orpc/server";
import type { Context } from "#platform/http/context.ts";
import { activityApi } from "./api.ts";
import { findMoneyCases, findWaiting } from "./attention.views.ts";
import { listLog } from "./views.ts";

const on = implement(activityApi).$context<Context>();

export const activityRoutes = on.router({
  log: on.log.handler(({ input, context }) => listLog(context.db, input)),
  attention: on.attention.handler(async ({ context }) => ({
    items: (await findWaiting(context.db)).filter(({ count }) => count > 0),
  })),
  moneyCases: on.moneyCases.handler(async ({ context }) => ({ items: await findMoneyCases(context.db) })),
});
