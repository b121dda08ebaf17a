import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { createRouterClient } from "@orpc/server";
import type { Db } from "#platform/db/index.ts";
import type { Context } from "#platform/http/context.ts";
import { guardCall } from "../edge.ts";
import { router } from "../routing/router.ts";
import type { Services } from "../services.ts";

/** The page that is rendered. `ip` is empty unless the page is private: a cached page is the same for all visitors. */
export const renderedPage = new AsyncLocalStorage<{ publicDb: Db | undefined; ip: string }>();

export function visitorApi(services: Services) {
  const context = (): Context<Services> => ({
    actor: null,
    request: {
      id: randomUUID(),
      ip: renderedPage.getStore()?.ip ?? "",
      headers: new Headers(),
      cookies: {},
      browserKey: "",
    },
    reply: { setCookie: refuseCookie, header: () => undefined },
    db: services.database.db,
    publicDb: renderedPage.getStore()?.publicDb,
    transaction: (work) => services.database.transaction(work),
    services,
  });
  return createRouterClient(router, {
    context,
    interceptors: [(call) => guardCall(call) as ReturnType<typeof call.next>],
  });
}

function refuseCookie(name: string): never {
  throw new Error(`a public page tried to set the cookie "${name}"`);
}
