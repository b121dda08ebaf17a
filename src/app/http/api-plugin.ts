import { OpenAPIHandler } from "@orpc/openapi/fastify";
import type { FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import { Problem, invalid } from "#platform/errors.ts";
import type { Context } from "#platform/http/context.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import { contextOf } from "#platform/http/request.ts";
import { authenticate, lockAccount } from "#users/index.ts";
import { guardCall, errorBodyOf } from "../edge.ts";
import { publicDbOf } from "../public-reads.ts";
import { endpoints } from "../routing/endpoints.ts";
import { router } from "../routing/router.ts";
import type { Services } from "../services.ts";
import { cachedResponses } from "./response-cache.ts";

/** In ms. A comment in every open stream prevents proxies from closing it as idle. */
const keepAliveMs = 15_000;

const methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

export const apiPlugin = (services: Services) => async (app: FastifyInstance) => {
  const handler = new OpenAPIHandler<Context<Services>>(router, {
    clientInterceptors: [(call) => guardCall(call)],
    customErrorResponseBodyEncoder: errorBodyOf,
    eventIteratorKeepAliveInterval: keepAliveMs,
  });
  const routeHandler: RouteOptions["handler"] = async (request, reply) => {
    refuseOtherBodies(request);
    const bearer = bearerOf(request.headers);
    const actor = bearer ? await authenticate(services, bearer) : null;
    if (actor) request.accountId = actor.userId;
    reply.header("cache-control", "no-store");
    const ahead = services.demoClock?.clock.ahead();
    if (ahead) reply.header("x-clock-ahead", String(ahead));
    const publicDb = publicDbOf(services, request);
    const plain = contextOf(request, reply, services, actor);
    const transaction = actor ? accountTransaction(plain, actor.userId) : plain.transaction;
    const context = { ...plain, transaction, publicDb };
    const { matched } = await handler.handle(request, reply, { prefix: "/api", context });
    if (!matched) throw new Problem("not_found", "There is nothing at this address.");
    return reply;
  };
  // Each endpoint is a separate route, because the log, metrics and traces name it. The handler answers 404 to all others.
  for (const { method, url, meta } of endpoints()) {
    const handlers = meta.cacheable ? cachedResponses(services, routeHandler) : { handler: routeHandler };
    app.route({ method, url, exposeHeadRoute: false, ...handlers });
  }
  for (const url of new Set(endpoints().map((endpoint) => endpoint.url))) {
    const allowed = methods.filter((method) => app.hasRoute({ method, url: `${app.prefix}${url}` }));
    app.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url,
      handler: async ({ method }, reply) => {
        reply.header("allow", allowed.join(", "));
        throw new Problem(
          "method_not_allowed",
          `This address does not accept ${method}, only ${allowed.join(" and ")}.`,
        );
      },
    });
  }
  app.all("/*", routeHandler);
};

/** Every transaction of a signed-in caller: its account is not deleted before the commit. */
const accountTransaction =
  ({ transaction }: Context, userId: string): Context["transaction"] =>
  (work) =>
    transaction(async (tx) => {
      await lockAccount(tx, userId);
      return work(tx);
    });

/** Throws unless the body is an object. oRPC would ignore a list or a bare value if the address has the whole input. A missing body is an empty one, so an error names the missing fields. */
function refuseOtherBodies(request: FastifyRequest): void {
  if (request.body === undefined) request.body = {};
  if (typeof request.body === "object" && request.body !== null && !Array.isArray(request.body)) return;
  throw invalid("The body must be a JSON object.");
}
