/** Traces of a server as received by a collector: OTLP over HTTP with JSON (opentelemetry.io/docs/specs/otlp). */

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { emptyMarketFolder, endAll, freePort, startServer } from "./server.ts";

type Attribute = { key: string; value: { stringValue?: string; intValue?: number | string } };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code?: number };
};
type Sent = { resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[] };

const [server, client] = [2, 3];
const valueOf = (attributes: Attribute[], key: string) => {
  const value = attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? (value?.intValue === undefined ? undefined : Number(value.intValue));
};

afterAll(endAll);

test("sends each request with its statements to a collector, as a part of the proxy's trace and without user input", async () => {
  const received: { path: string | undefined; headers: IncomingHttpHeaders; body: Sent }[] = [];
  await using collector = createServer((request, response) => {
    void json(request).then((body) => {
      received.push({ path: request.url, headers: request.headers, body: body as Sent });
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const { address, kill, ended } = await startServer({
    DATA_DIR: emptyMarketFolder(),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=one",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    TRUSTED_PROXIES: "loopback",
  });
  const proxy = { trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331" };
  const typed = "typed-by-a-person";
  await fetch(`${address}/api/artists?search=${typed}`, {
    // The last two digits request no recording, which only the collector decides.
    headers: { traceparent: `00-${proxy.trace}-${proxy.span}-00` },
  });
  await fetch(`${address}/api/contact`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: typed, email: `${typed}@example.test`, subject: "General", message: typed.repeat(5) }),
  });
  kill("SIGTERM");
  expect((await ended).code).toBe(0);

  for (const { path, headers } of received) {
    expect(path).toBe("/v1/traces");
    expect(headers).toMatchObject({ "content-type": "application/json", "x-collector-key": "one" });
  }
  const sent = received.flatMap(({ body }) => body.resourceSpans);
  for (const { resource } of sent) {
    expect(valueOf(resource.attributes, "service.name")).toBe("stagedoor");
    expect(valueOf(resource.attributes, "deployment.environment.name")).toBe("test");
  }
  const spans = sent.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  for (const span of spans) {
    expect(span.traceId).toMatch(/^[\da-f]{32}$/);
    expect(span.spanId).toMatch(/^[\da-f]{16}$/);
    expect(Number(span.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(span.startTimeUnixNano));
  }
  const requested = (name: string) => {
    const request = spans.find((span) => span.name === name);
    const statements = spans.filter(({ parentSpanId, kind }) => kind === client && parentSpanId === request?.spanId);
    return { request, statements: statements.map((span) => String(valueOf(span.attributes, "db.query.text"))) };
  };
  const search = requested("GET /api/artists");
  expect(search.request).toMatchObject({ traceId: proxy.trace, parentSpanId: proxy.span, kind: server });
  expect(valueOf(search.request?.attributes ?? [], "http.response.status_code")).toBe(200);
  expect(search.statements.join()).toMatch(/from artists a/);
  const contact = requested("POST /api/contact");
  expect(contact.request?.traceId).not.toBe(proxy.trace);
  expect(contact.statements.join()).toMatch(/insert into/);
  expect(JSON.stringify(sent)).not.toContain(typed);
  // Jobs and events have separate traces.
  expect(spans.filter(({ parentSpanId, kind }) => !parentSpanId && kind !== server).length).toBeGreaterThan(0);
});

test("logs a collector that does not respond, and delays neither a response nor the end", async () => {
  const { address, kill, ended, output } = await startServer({
    DATA_DIR: emptyMarketFolder(),
    LOG_LEVEL: "warn",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
  });
  expect((await fetch(`${address}/api/artists/count`)).status).toBe(200);
  kill("SIGTERM");
  expect((await ended).code).toBe(0);
  expect(output()).toContain("traces could not be sent");
});
