import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { createRouterClient } from "@orpc/server";
import type { Db } from "#platform/db/index.ts";
import type { Context } from "#platform/http/context.ts";
import { guardCall } from "../edge.ts";
import { router } from "../routing/router.ts";
import type { Services } from "../services.ts";

export const publicDbOfPage = new AsyncLocalStorage<Db | undefined>();

export function visitorApi(services: Services) {
  const context = (): Context<Services> => ({
    actor: null,
    request: { id: randomUUID(), ip: "", headers: new Headers(), cookies: {}, browserKey: "" },
    reply: { setCookie: refuseCookie, header: () => undefined },
    db: services.database.db,
    publicDb: publicDbOfPage.getStore(),
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
