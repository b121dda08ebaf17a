/** A trace for each request, continued from the proxy's where it sends one (W3C Trace Context). */
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { tracer } from "#platform/db/index.ts";

/** Neither address, query nor account is in a trace: its route says what was asked. */
export function traceRequests(app: FastifyInstance): void {
  const contexts = new WeakMap<FastifyRequest, Context>();
  app.addHook("onRequest", (request, _reply, done) => {
    const before = propagation.extract(ROOT_CONTEXT, request.headers);
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER }, before);
    contexts.set(request, trace.setSpan(before, span));
    done();
  });
  // After the body: its arrival begins a chain of calls of its own, without the context.
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
