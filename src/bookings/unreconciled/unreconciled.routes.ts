import { implement } from "@orpc/server";
import { recordActivity } from "#activity/index.ts";
import { type Payments } from "#gateway/gateway.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { recordExplanation } from "#reconciliation/index.ts";
import { unreconciledApi } from "./unreconciled.api.ts";
import { applyItem, listItems, matchItem, returnItem } from "./unreconciled.ts";

type Http = Context<Payments>;
const on = implement(unreconciledApi).$context<Http>();

export const unreconciledRoutes = on.router({
  list: on.list.handler(async ({ context }) => ({ items: await listItems(context.db) })),

  match: on.match.handler(({ input, context }) => matchItem(context.db, input, context.services.clock.now())),

  apply: on.apply.handler(async ({ input, context }) => {
    await applyItem(context.services, { ...input, by: requireActor(context).userId });
    return { id: input.id };
  }),

  sendBack: on.sendBack.handler(async ({ input, context }) => {
    await returnItem(context.services, { ...input, by: requireActor(context).userId });
    return { id: input.id };
  }),

  explain: on.explain.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      const by = requireActor(context).userId;
      const item = await recordExplanation(tx, { ...input, by, now: context.services.clock.now() });
      const message = `An admin has explained a difference with the payment provider (${item.what}): ${input.reason}`;
      await recordActivity(tx, { type: "payment", refId: null, message, meta: { ref: item.ref, by } });
      return { id: item.id };
    }),
  ),
});
