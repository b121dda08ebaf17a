import { implement } from "@orpc/server";
import { limitBlock } from "#platform/http/client-address.ts";
import type { Context } from "#platform/http/context.ts";
import { retryOnDuplicate } from "../store.ts";
import { accountChangesApi } from "./api.ts";
import { undoChange } from "./undo.store.ts";

const route = implement(accountChangesApi).$context<Context>();

export const accountChangesRoutes = {
  undo: route.undo.handler(async ({ input, context }) => {
    const { services } = context;
    await services.limits.hit(`undo change ${limitBlock(context.request)}`, 30, 900);
    const site = services.config.publicUrl;
    const undone = await retryOnDuplicate(services, (tx) => undoChange(tx, { services, site }, input.token));
    services.wake();
    return undone;
  }),
};
