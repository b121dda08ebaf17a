import { context, diag, DiagLogLevel, propagation, trace } from "@opentelemetry/api";
import { traceStatements } from "#platform/db/index.ts";
import { productVersion } from "#platform/version.ts";
import type { Services } from "./services.ts";

const exportMs = 5_000;

/** Sends traces to OTEL_EXPORTER_OTLP_ENDPOINT, if set. The returned function sends the remaining ones, and never throws. */
export async function startTracing({ config, database, log }: Services): Promise<() => Promise<void>> {
  if (config.tracesUrl === undefined) return async () => undefined;
  const [
    { OTLPTraceExporter },
    { AlwaysOnSampler, BatchSpanProcessor, TracerProvider },
    { AsyncLocalStorageContextManager },
  ] = await Promise.all([
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/context-async-hooks"),
  ]);
  const [{ W3CTraceContextPropagator }, resources] = await Promise.all([
    import("@opentelemetry/core"),
    import("@opentelemetry/resources"),
  ]);
  const complain = (message: string) => log.warn({ message }, "traces could not be sent");
  diag.setLogger(
    { error: complain, warn: complain, info: () => undefined, debug: () => undefined, verbose: () => undefined },
    DiagLogLevel.WARN,
  );
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const exporter = new OTLPTraceExporter({ url: config.tracesUrl, timeoutMillis: exportMs });
  const resource = resources
    .resourceFromAttributes({ "service.name": "stagedoor", "service.version": productVersion() })
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  // Headers of a request do not decide about its recording. A collector can sample.
  const sampler = new AlwaysOnSampler();
  const provider = new TracerProvider({ resource, sampler, spanProcessors: [new BatchSpanProcessor({ exporter })] });
  trace.setGlobalTracerProvider(provider);
  traceStatements(database);
  return () =>
    provider.shutdown().catch((error: unknown) => complain(error instanceof Error ? error.message : "unknown"));
}
