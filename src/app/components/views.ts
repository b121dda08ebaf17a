import type { Selectable } from "kysely";
import type { Payments } from "#gateway/gateway.ts";
import type { DB, Reader } from "#platform/db/index.ts";
import { lastDue } from "#platform/jobs/jobs.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { readBackups } from "#reports/index.ts";
import { backupTime } from "../backup/daily-backup.ts";
import type { BackupReport, ComponentReport } from "./api.ts";
import { maxClockDifferenceMs } from "./probes/database.ts";
import { components } from "./probes/index.ts";
import { replicaWork } from "./probes/replica.ts";
import { isRefusing, type RecentWork, recentWork } from "./recent-work.views.ts";
import {
  notSetUpTexts,
  componentLabels,
  type ComponentName,
  componentNames,
  type ComponentStatus,
  describeFailure,
  latestOf,
  statusOf,
} from "./rules.ts";

type LastTest = Selectable<DB["component_tests"]>;

export async function reportComponents(services: Payments, names: readonly ComponentName[] = componentNames) {
  const tests = await services.database.db.selectFrom("component_tests").selectAll().execute();
  return Promise.all(
    names.map((name) =>
      report(
        services,
        name,
        tests.find((test) => test.name === name),
      ),
    ),
  );
}

async function report(services: Payments, name: ComponentName, last: LastTest | undefined): Promise<ComponentReport> {
  const component = components[name];
  const used = await component.inUse(services);
  const test = last?.product === used?.product ? last : undefined;
  const now = services.clock.now();
  // Later times were recorded while the clock was ahead.
  const isPast = (at: Date) => at.getTime() <= now.getTime() + maxClockDifferenceMs;
  const recorded = name === "replica" ? replicaWork(services) : await recentWork(services, name);
  const { lastFailure } = recorded;
  const work = lastFailure && !isPast(lastFailure.at) ? { ...recorded, lastFailure: null } : recorded;
  // A database that answers can still have a full disk or a wrong clock.
  const answeredAt = name === "database" && test?.works !== false ? now : null;
  const since = test?.in_use_since ?? (last ? now : new Date(0));
  const workedAt = work.lastSuccessAt && work.lastSuccessAt >= since ? work.lastSuccessAt : null;
  const successes = isRefusing(work) ? [workedAt] : [test?.succeeded_at, workedAt, answeredAt];
  const latestPast = (...moments: readonly (Date | null | undefined)[]) =>
    latestOf(...moments.filter((at) => at && isPast(at)));
  const succeededAt = latestPast(...successes);
  const failedAt = latestPast(test?.failed_at, work.lastFailure?.at);
  const missing = await component.missing?.(services);
  const evidence = {
    isSetUp: used !== undefined,
    succeededAt,
    failedAt,
    tookMs: test?.works ? test.took_ms : null,
    slowMs: component.slowMs,
  };
  const status = missing ? "failing" : statusOf(evidence);
  return {
    name,
    label: componentLabels[name],
    product: used?.product ?? "Not set up",
    mode: used?.mode ?? "embedded",
    status,
    in_use_since: test?.in_use_since ?? null,
    last_success_at: succeededAt,
    last_failure_at: failedAt,
    queue: work.queue,
    ...textFor(name, { status, missing, test, work, check: component.check(services, used?.product ?? "") }),
  };
}

type Known = Readonly<{
  status: ComponentStatus;
  missing: string | undefined;
  test: LastTest | undefined;
  work: RecentWork;
  check: string;
}>;

function textFor(name: ComponentName, { status, missing, test, work, check }: Known) {
  if (missing) return { message: missing, details: null };
  if (status === "not_set_up") return { message: notSetUpTexts[name] ?? "", details: null };
  const isTest = !work.lastFailure || (test && !test.works && test.tested_at >= work.lastFailure.at);
  if (status === "failing" && !isTest)
    return {
      message: describeFailure(name, "The last attempt failed.", check),
      details: work.lastFailure?.message ?? null,
    };
  if (status === "failing") return { message: test?.message ?? "", details: test?.details ?? null };
  const slow = status === "slow" ? `Works, but slowly: ${((test?.took_ms ?? 0) / 1_000).toFixed(1)} s.` : "";
  const message = [slow, test?.works ? test.message : "", work.words].filter(Boolean).join(" ");
  return { message, details: null };
}

export async function listSetUp(services: Payments): Promise<ComponentName[]> {
  const used = await Promise.all(componentNames.map(async (name) => components[name].inUse(services)));
  return componentNames.filter((_name, at) => used[at] !== undefined);
}

export async function listFailing(services: Payments): Promise<ComponentName[]> {
  const tested = await listTested(services.database.db);
  return (await listSetUp(services)).filter((name) => tested.some((test) => test.name === name && !test.works));
}

export const listTested = (reader: Reader) =>
  reader.selectFrom("component_tests").select(["name", "works"]).orderBy("name").execute();

export async function reportBackups({ database, config, realClock }: Payments): Promise<BackupReport> {
  const now = realClock.now();
  const { keep, folder, bucket } = config.backup;
  const places = [folder, bucket && `the bucket ${bucket.bucket}`].filter(Boolean);
  return {
    ...(await readBackups(database.db, now)),
    place: places.join(" and ") || null,
    keep,
    next_at: places.length > 0 ? new Date(lastDue(backupTime, now).getTime() + dayMs) : null,
  };
}
