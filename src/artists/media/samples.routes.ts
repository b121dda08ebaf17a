import { implement } from "@orpc/server";
import { type Context, requireActor } from "#platform/http/context.ts";
import { samplesApi } from "./samples.api.ts";
import { changeTitle, orderSamples, removeSample } from "./samples.ts";
import { listOwnSamples } from "./views.ts";

const on = implement(samplesApi).$context<Context>();

export const samplesRoutes = on.router({
  list: on.list.handler(async ({ context }) => ({
    items: await listOwnSamples(context.db, requireActor(context).userId),
  })),
  rename: on.rename.handler(({ input, context }) => {
    const { userId } = requireActor(context);
    return context.transaction(async (tx) => {
      await changeTitle(tx, userId, input);
      return { items: await listOwnSamples(tx, userId) };
    });
  }),
  order: on.order.handler(({ input, context }) => {
    const { userId } = requireActor(context);
    return context.transaction(async (tx) => {
      await orderSamples(tx, userId, input.ids);
      return { items: await listOwnSamples(tx, userId) };
    });
  }),
  delete: on.delete.handler(({ input, context }) => {
    const { userId } = requireActor(context);
    return context.transaction(async (tx) => {
      await removeSample(tx, userId, input.id);
      return { items: await listOwnSamples(tx, userId) };
    });
  }),
});
