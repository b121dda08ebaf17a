/** The API over HTTP: finds the caller, runs the endpoint, sends the reply. */
import { OpenAPIHandler } from "@orpc/openapi/fastify";
import type { FastifyPluginAsync, RouteOptions } from "fastify";
import { Problem } from "#platform/errors.ts";
import type { Context } from "#platform/http/context.ts";
import { contextOf } from "#platform/http/request.ts";
import { authenticate } from "#users/index.ts";
import { guardCall, errorBodyOf } from "./edge.ts";
import { cachedResponses, cacheablePaths } from "./response-cache.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import { publicDbOf } from "./public-reads.ts";
import { router } from "./routing/router.ts";
import type { Services } from "./services.ts";

/** A comment in every open stream, so that no proxy on the way closes it as idle. */
const keepAliveMs = 15_000;

export const apiPlugin =
  (services: Services): FastifyPluginAsync =>
  async (app) => {
    const handler = new OpenAPIHandler<Context<Services>>(router, {
      clientInterceptors: [(call) => guardCall(call)],
      customErrorResponseBodyEncoder: errorBodyOf,
      eventIteratorKeepAliveInterval: keepAliveMs,
    });
    const answer: RouteOptions["handler"] = async (request, reply) => {
      refuseOtherBodies(request.body);
      const bearer = bearerOf(request.headers);
      const actor = bearer ? await authenticate(services, bearer) : null;
      if (actor) request.accountId = actor.userId;
      reply.header("cache-control", "no-store");
      const ahead = services.demoClock?.clock.ahead();
      if (ahead) reply.header("x-clock-ahead", String(ahead));
      const publicDb = publicDbOf(services, request);
      const context = { ...contextOf(request, reply, services, actor), publicDb };
      const { matched } = await handler.handle(request, reply, { prefix: "/api", context });
      if (!matched) throw new Problem("not_found", "There is nothing at this address.");
      return reply;
    };
    for (const url of cacheablePaths())
      app.route({ method: "GET", url, exposeHeadRoute: false, ...cachedResponses(services, answer) });
    app.all("/*", answer);
  };

/** Every input is an object. Where the address has all of it, oRPC would ignore a list or a bare value instead of refusing it. */
function refuseOtherBodies(body: unknown): void {
  if (body === undefined || (typeof body === "object" && body !== null && !Array.isArray(body))) return;
  throw new Problem("invalid", "The body must be a JSON object.");
}
