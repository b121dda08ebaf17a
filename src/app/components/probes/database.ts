import { statfs } from "node:fs/promises";
import { sql } from "kysely";
import { findNewestEntry } from "#activity/index.ts";
import { firstRowOf, isOutage } from "#platform/db/index.ts";
import { errorMessage } from "#platform/errors.ts";
import { dayMs, hourMs, minuteMs } from "#platform/time/durations.rules.ts";
import type { Component } from "../component.ts";
import { findWrongClock } from "../recent-work.views.ts";
import { ComponentFailure } from "../rules.ts";
import { testWrite } from "../store.ts";

export const maxClockDifferenceMs = 60_000;

export const database: Component = {
  inUse: async ({ database: { db, engine } }) => {
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
    const version = rows[0]?.server_version.split(" ")[0] ?? "";
    return engine === "embedded"
      ? { product: `Embedded PostgreSQL ${version}`, mode: "embedded" }
      : { product: `PostgreSQL ${version}`, mode: "external" };
  },
  slowMs: 1_000,
  check: ({ config }) =>
    config.databaseUrl
      ? "Check that the server of DATABASE_URL is running and accepts connections."
      : "Check the disk of DATA_DIR, and start the server again.",
  address: ({ config }) => (config.databaseUrl ? new URL(config.databaseUrl).host : "the embedded database"),
  test: async ({ database: { db, transaction, engine }, config, realClock }) => {
    const before = realClock.now().getTime();
    const at = await testWrite(transaction).catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      throw outageOf(error);
    });
    const own = (before + realClock.now().getTime()) / 2;
    const difference = Math.abs(at.getTime() - own);
    if (difference > maxClockDifferenceMs)
      throw new ComponentFailure(
        `The clocks of the database and of this server differ by ${span(difference)}.`,
        "Set both clocks by NTP.",
        `database ${at.toISOString()}, server ${new Date(own).toISOString()}`,
        wrongTimes,
      );
    const other = await findWrongClock(db, config);
    if (other)
      throw new ComponentFailure(
        `The clock of another process differs from that of the database: ${other}.`,
        "Set it by NTP. The log of that process has the difference.",
        undefined,
        wrongTimes,
      );
    const newest = await findNewestEntry(db);
    if (newest && newest.ahead > maxClockDifferenceMs)
      throw new ComponentFailure(
        `The newest log entry is dated ${span(newest.ahead)} in the future: the clock was ahead before, or is behind now.`,
        "Set the clock by NTP. Queued work can wait until that time.",
        `newest log entry ${newest.at.toISOString()}`,
        wrongTimes,
      );
    const row = await firstRowOf<{ bytes: number }>(db)`select pg_database_size(current_database()) as bytes`;
    const free = engine === "embedded" ? `, ${size(await freeBytes(config.dataDir))} free` : "";
    return `A row was written, read and rolled back. ${size(row?.bytes ?? 0)} used${free}.`;
  },
};

const wrongTimes = "Holds, deadlines and reminders are wrong.";

const causes: readonly (readonly [RegExp, string, string])[] = [
  [/space|ENOSPC|53100/, "The disk of the database is full.", "Free some space on it."],
  [/read-only/, "The database is read-only.", "Check whether it is a standby, or was set to read-only."],
];

function outageOf(error: unknown): ComponentFailure | Error {
  const message = errorMessage(error);
  for (const [pattern, failed, check] of causes)
    if (pattern.test(message))
      return new ComponentFailure(
        failed,
        check,
        message,
        "Visitors see the pages, but nothing can be booked, paid or changed.",
      );
  return error instanceof Error ? error : new Error(message);
}

function span(ms: number): string {
  const [unit, unitMs] =
    ms >= 2 * dayMs
      ? (["day", dayMs] as const)
      : ms >= 2 * hourMs
        ? (["hour", hourMs] as const)
        : (["minute", minuteMs] as const);
  const count = Math.round(ms / unitMs);
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

const size = (bytes: number) =>
  bytes < 1e9 ? `${Math.max(1, Math.round(bytes / 1e6))} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
