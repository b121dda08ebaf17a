/** Sends traces to a collector of OpenTelemetry over OTLP/HTTP. Its packages are loaded only where one is named. */
import { context, diag, DiagLogLevel, propagation, trace } from "@opentelemetry/api";
import { traceStatements } from "#platform/db/index.ts";
import { productVersion } from "#platform/version.ts";
import type { Services } from "./services.ts";

/** What a collector that does not answer may take from the end of a process. */
const exportMs = 5_000;

/** Starts tracing, unless OTEL_EXPORTER_OTLP_ENDPOINT is not set. The returned function sends what is left. */
export async function startTracing({ config, database, log }: Services): Promise<() => Promise<void>> {
  if (config.tracesUrl === undefined) return async () => undefined;
  const [{ OTLPTraceExporter }, { BatchSpanProcessor, TracerProvider }, { AsyncLocalStorageContextManager }] =
    await Promise.all([
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
  const provider = new TracerProvider({ resource, spanProcessors: [new BatchSpanProcessor({ exporter })] });
  trace.setGlobalTracerProvider(provider);
  traceStatements(database);
  // What cannot be sent at the end is lost, and the process ends as usual.
  return () =>
    provider.shutdown().catch((error: unknown) => complain(error instanceof Error ? error.message : "unknown"));
}
