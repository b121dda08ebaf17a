import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { createRouterClient } from "@orpc/server";
import type { Db } from "#platform/db/index.ts";
import type { Context } from "#platform/http/context.ts";
import { guardCall } from "../edge.ts";
import { router } from "../routing/router.ts";
import type { Services } from "../services.ts";

/** The page that is rendered. A private page has the context of its request, without the account. */
export const renderedPage = new AsyncLocalStorage<{ publicDb?: Db | undefined; visit?: Context<Services> }>();

export function visitorApi(services: Services) {
  // The same for all visitors, because their page is cached.
  const visitors = (): Context<Services> => ({
    actor: null,
    request: { id: randomUUID(), ip: "", headers: new Headers(), cookies: {}, browserKey: "" },
    reply: { setCookie: refuseCookie, header: () => undefined },
    db: services.database.db,
    publicDb: renderedPage.getStore()?.publicDb,
    transaction: (work) => services.database.transaction(work),
    services,
  });
  return createRouterClient(router, {
    context: () => renderedPage.getStore()?.visit ?? visitors(),
    interceptors: [(call) => guardCall(call) as ReturnType<typeof call.next>],
  });
}

function refuseCookie(name: string): never {
  throw new Error(`a public page tried to set the cookie "${name}"`);
}
