import { implement } from "@orpc/server";
import type { Tx } from "#platform/db/index.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { samplesApi } from "./samples.api.ts";
import { changeTitle, orderSamples, removeSample } from "./samples.ts";
import { listOwnSamples } from "./views.ts";

const on = implement(samplesApi).$context<Context>();

function change(context: Context, work: (tx: Tx, userId: string) => Promise<void>) {
  const { userId } = requireActor(context);
  return context.transaction(async (tx) => {
    await work(tx, userId);
    return { items: await listOwnSamples(tx, userId) };
  });
}

export const samplesRoutes = on.router({
  list: on.list.handler(async ({ context }) => ({
    items: await listOwnSamples(context.db, requireActor(context).userId),
  })),
  rename: on.rename.handler(({ input, context }) => change(context, (tx, userId) => changeTitle(tx, userId, input))),
  order: on.order.handler(({ input, context }) => change(context, (tx, userId) => orderSamples(tx, userId, input.ids))),
  delete: on.delete.handler(({ input, context }) =>
    change(context, (tx, userId) => removeSample(tx, userId, input.id)),
  ),
});
