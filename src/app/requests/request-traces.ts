import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { tracer } from "#platform/db/index.ts";

/** Records route and status, never address, query or account. `behindProxy`: without a trusted proxy the trace header is the visitor's and is ignored. */
export function traceRequests(app: FastifyInstance, { behindProxy }: { behindProxy: boolean }): void {
  const contexts = new WeakMap<FastifyRequest, Context>();
  app.addHook("onRequest", (request, _reply, done) => {
    const before = behindProxy ? propagation.extract(ROOT_CONTEXT, request.headers) : ROOT_CONTEXT;
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER }, before);
    contexts.set(request, trace.setSpan(before, span));
    done();
  });
  // After the body: the context of earlier hooks is lost while it arrives.
  app.addHook("preHandler", (request, _reply, done) => context.with(contexts.get(request) ?? ROOT_CONTEXT, done));
  app.addHook("onResponse", (request, reply, done) => {
    const span = trace.getSpan(contexts.get(request) ?? ROOT_CONTEXT);
    const { method, routeOptions } = request;
    if (routeOptions.url) span?.updateName(`${method} ${routeOptions.url}`);
    span?.setAttributes({
      "http.request.method": method,
      "http.response.status_code": reply.statusCode,
      ...(routeOptions.url ? { "http.route": routeOptions.url } : {}),
    });
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
}
