import { AsyncLocalStorage } from "node:async_hooks";
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Log } from "../log.ts";
import type { Database } from "./handles.ts";

const current = new AsyncLocalStorage<string>();
/** Records nothing until src/app/tracing.ts has started traces. */
export const tracer = trace.getTracer("stagedoor");

/** Runs work under the name that its slow statements have in the log: "GET /api/artists". */
export const runNamed = <T>(name: string, work: () => T): T => current.run(name, work);

export const runTraced = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  runNamed(name, () =>
    tracer.startActiveSpan(name, { root: true }, async (span) => {
      try {
        return await work();
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : "unknown" });
        throw error;
      } finally {
        span.end();
      }
    }),
  );

const maxTextLength = 2_000;

/** Logs each statement that takes at least `ms` milliseconds: its text with placeholders, never its values. 0 logs none. */
export function logSlowStatements(database: Database, log: Log, ms: number): void {
  if (ms === 0) return;
  database.onStatement((statement) => {
    if (statement.ms < ms) return;
    const work = current.getStore() ?? "none";
    log.warn(
      { ms: Math.round(statement.ms), work, statement: statement.text.slice(0, maxTextLength) },
      "slow statement",
    );
  });
}

/** Adds each statement to the trace of the request, job or event that sent it: its text with placeholders, never its values. */
export function traceStatements(database: Database): void {
  database.onStatement(({ ms, text }) => {
    if (!trace.getSpan(context.active())) return;
    const end = performance.now();
    const span = tracer.startSpan(text.trimStart().split(/\s/, 1)[0] ?? "", {
      kind: SpanKind.CLIENT,
      startTime: end - ms,
      attributes: { "db.system.name": "postgresql", "db.query.text": text },
    });
    span.end(end);
  });
}
