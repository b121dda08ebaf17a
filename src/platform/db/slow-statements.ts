/** Writes statements that took long into the log, with the request or the job that sent them. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Log } from "../log.ts";
import type { Database } from "./handles.ts";

const current = new AsyncLocalStorage<string>();

/** Runs work under the name that its slow statements have in the log: "GET /api/artists", or the name of a job. */
export const runNamed = <T>(name: string, work: () => T): T => current.run(name, work);

const longestText = 2_000;

/** Logs each statement that takes at least `ms` milliseconds: its text with placeholders, never its values. 0 logs none. */
export function logSlowStatements(database: Database, log: Log, ms: number): void {
  if (ms === 0) return;
  database.onStatement((statement) => {
    if (statement.ms < ms) return;
    const work = current.getStore() ?? "none";
    log.warn({ ms: Math.round(statement.ms), work, statement: statement.text.slice(0, longestText) }, "slow statement");
  });
}
