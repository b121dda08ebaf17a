/** Moves the demo's clock in steps: at each time at which something is due, all jobs, events, webhooks and messages run until none is left. 28 days in one call end in the same state as 28 single days. */

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { firstRowOf, earliestMoments, type Database, type Tx } from "#platform/db/index.ts";
import {
  ageWaitingEvents,
  hasDueEvents,
  writeClockAhead,
  acquireClockLease,
  releaseClock,
  renewClockLease,
} from "#platform/db/platform.store.ts";
import type { DemoClock } from "#platform/demo-clock.ts";
import { Problem, conflict, invalid } from "#platform/errors.ts";
import { startEventOutbox } from "#platform/event-outbox.ts";
import type { Job } from "#platform/jobs/jobs.ts";
import type { Log } from "#platform/log.ts";
import { hourMs, secondMs } from "#platform/time/durations.rules.ts";
import { eventHandlersFor, urgentTopics } from "../event-handlers.ts";
import { jobs } from "../jobs.ts";
import type { Services } from "../services.ts";
import { isTooFarAhead, maxYearsAhead, targetOf } from "./duration.rules.ts";

/** More rounds mean a job that finds the same work forever. */
const maxRounds = 30;
/** In ms, the longest wait for an event that another process handles. Afterwards the clock moves on. */
const patienceMs = 10_000;

const gridMs = { hourly: hourMs, daily: 24 * hourMs };

type Travel = {
  services: Services;
  demoClock: DemoClock;
  leaseOwner: string;
  drain(): Promise<void>;
  seen: Map<string, Date>;
  /** By job: the transactions that had ended when its last run without writes began, or earlier. */
  idleSince: Map<string, string>;
  /** The transactions that had ended before the last action, if it wrote nothing. `isNow`: nothing was done since. */
  ended: { transactions: string; isNow: boolean } | undefined;
  ran: Map<string, number>;
};
type Ran = { name: string; times: number };

/** A killed process blocks the clock at most this long. A living one renews its lease three times in that time. */
export const leaseSeconds = 12;
const renewMs = (leaseSeconds * secondMs) / 4;

export const movingMessage = `The clock is already being moved. Wait until it has finished. If its process was stopped, try again in ${leaseSeconds} seconds.`;

export const clockProblems = {
  provider: "A real payment provider's clock does not move: unset STRIPE_SECRET_KEY to use the sandbox.",
  moving: movingMessage,
  too_far: `The clock would be more than ${maxYearsAhead} years ahead of the real one. Start over with a fresh DATA_DIR.`,
};

/** Moves the clock by an ISO 8601 duration. Returns the new time and how often each job had something to do. */
export async function advanceClock(services: Services, advance: string): Promise<{ now: Date; ran: Ran[] }> {
  const { demoClock } = services;
  if (services.gateway && !services.sandbox) throw conflict(clockProblems.provider);
  if (!demoClock) throw new Problem("not_found", "There is nothing at this address.");
  const wanted = targetOf(advance, services.clock.now());
  if ("message" in wanted) throw invalid(wanted.message);
  if (isTooFarAhead(wanted.target.getTime() - services.realClock.now().getTime())) throw invalid(clockProblems.too_far);
  try {
    return await withClockLease(services, (owner) =>
      demoClock.whileMoving(() => travel({ ...services, demoClock }, wanted.target, owner)),
    );
  } finally {
    services.wake();
  }
}

async function travel(services: Services & { demoClock: DemoClock }, target: Date, owner: string) {
  const { demoClock, database, log, realClock } = services;
  const handlers = eventHandlersFor(services);
  const outbox = startEventOutbox({ database, handlers, urgent: urgentTopics, log, clock: realClock, poll: false });
  const on: Travel = {
    services,
    demoClock,
    leaseOwner: owner,
    drain: () => outbox.drain(),
    seen: new Map(),
    idleSince: new Map(),
    ended: undefined,
    ran: new Map(),
  };
  const from = services.clock.now();
  try {
    // Work that is already due runs before the clock moves.
    demoClock.clock.stopAt(from);
    await workAt(on, from, jobs.filter(followsEvents));
    for (const job of jobs) on.seen.set(job.name, from);
    for (let now = from; now < target;) {
      const due = await nextDue(on, now);
      const stop = due.at < target ? due.at : target;
      await moveTo(on, now, stop);
      // At the target, everything due runs, even at times that are not known in advance.
      const last = stop < target ? [] : jobs.filter((job) => isHourly(job) || followsEvents(job));
      await workAt(on, stop, due.at <= target ? [...due.jobs, ...last] : last);
      now = stop;
    }
    await moveTo(on, target, target);
  } finally {
    demoClock.clock.run();
    await outbox.stop();
  }
  const names = jobs.map(({ name }) => name).filter((name) => on.ran.has(name));
  return { now: services.clock.now(), ran: names.map((name) => ({ name, times: on.ran.get(name) ?? 0 })) };
}

/** Moves the clock of this process last, because it cannot go back if another move has the lease. */
async function moveTo({ services, demoClock, leaseOwner }: Travel, now: Date, stop: Date): Promise<void> {
  const { clock } = demoClock;
  const aheadMs = Math.max(clock.ahead(), stop.getTime() - services.realClock.now().getTime());
  await services.database.transaction(async (tx) => {
    await ageWaitingEvents(tx, stop.getTime() - now.getTime());
    if (!(await writeClockAhead(tx, leaseOwner, aheadMs, leaseSeconds))) throw conflict(movingMessage);
  });
  clock.follow(aheadMs);
  clock.stopAt(stop);
}

const isHourly = ({ whenMoved = "hourly" }: Job<Services>) => whenMoved === "hourly";
const isLoop = ({ when }: Job<Services>) => "everySeconds" in when;
const isDueByMoment = ({ whenMoved }: Job<Services>) => whenMoved === "never" || typeof whenMoved === "object";
const followsEvents = (job: Job<Services>) => job.whenMoved !== "real" && (isLoop(job) || isDueByMoment(job));

async function nextDue({ services, seen }: Travel, now: Date): Promise<{ at: Date; jobs: Job<Services>[] }> {
  const after = (job: Job<Services>) => seen.get(job.name) ?? now;
  const moments = await earliestMoments(
    services.database.db,
    jobs.flatMap((job) =>
      typeof job.whenMoved === "object" ? [{ name: job.name, moments: job.whenMoved, after: after(job) }] : [],
    ),
  );
  let at = Number.POSITIVE_INFINITY;
  let due: Job<Services>[] = [];
  for (const job of jobs) {
    const moment = moments.get(job.name) ?? nextOnGrid(job, after(job));
    const time = moment && Math.max(moment.getTime(), now.getTime());
    if (time === null || time > at) continue;
    if (time < at) due = [];
    at = time;
    due.push(job);
  }
  return { at: new Date(Math.min(at, 8.64e15)), jobs: due };
}

function nextOnGrid({ whenMoved = "hourly" }: Job<Services>, after: Date): Date | null {
  if (whenMoved !== "hourly" && whenMoved !== "daily") return null;
  const step = gridMs[whenMoved];
  return new Date((Math.floor(after.getTime() / step) + 1) * step);
}

/** Runs what is due and its consequences, until a round writes nothing. A job without work runs again only after a write. */
async function workAt(on: Travel, now: Date, due: readonly Job<Services>[]): Promise<void> {
  on.idleSince.clear();
  on.ended = undefined;
  for (const job of due) on.seen.set(job.name, now);
  let running = jobs.filter((job) => due.includes(job));
  for (let round = 0; round < maxRounds; round++) {
    let busy = await drainEvents(on);
    for (const job of running) busy = (await runToRest(on, job)) || busy;
    busy = (await drainEvents(on)) || busy;
    if (!busy) return;
    running = jobs.filter(followsEvents);
    for (const job of running) on.seen.set(job.name, now);
  }
  on.services.log.warn({ at: now }, "jobs found work in every round while the clock was moved; the clock moves on");
}

/** Runs a job, repeatedly if it leaves no work to others. Returns true if others may have work now. */
async function runToRest(on: Travel, job: Job<Services>): Promise<boolean> {
  const wrote = await runJob(on, job);
  if (job.leavesWork !== false) return wrote;
  for (let more = wrote, times = 1; more && times < maxRounds; times++) more = await runJob(on, job);
  return false;
}

/** Runs one job and logs a failure. Returns true if it wrote something that may be work for other jobs. */
async function runJob(on: Travel, job: Job<Services>): Promise<boolean> {
  const { services, ran, idleSince } = on;
  const idle = idleSince.get(job.name);
  if (!on.ended || (idle !== undefined && !on.ended.isNow))
    on.ended = { transactions: await transactionsSoFar(services.database), isNow: true };
  const before = on.ended.transactions;
  if (idle === before) return false;
  on.ended.isNow = false;
  const watched = watchWrites(services.database);
  let leavesNone = false;
  try {
    leavesNone = (await job.run({ ...services, database: watched.database })) === false;
  } catch (error) {
    services.log.error({ err: error, job: job.name }, "a job failed while the clock was moved; it runs again");
  }
  if (!watched.hasWritten()) {
    idleSince.set(job.name, before);
    return false;
  }
  on.ended = undefined;
  ran.set(job.name, (ran.get(job.name) ?? 0) + 1);
  return !leavesNone;
}

/** Delivers the sandbox's webhooks and handles events until none is due. Returns true if there was any. */
async function drainEvents(on: Travel): Promise<boolean> {
  const { services, drain } = on;
  const before = on.ended?.isNow ? on.ended.transactions : await transactionsSoFar(services.database);
  await services.sandbox?.settle();
  const after = await transactionsSoFar(services.database);
  on.ended = { transactions: after, isNow: true };
  let any = after !== before;
  const since = performance.now();
  while (await hasDueEvents(services.database.db)) {
    any = true;
    on.ended = undefined;
    await drain();
    if (performance.now() - since > patienceMs) {
      services.log.warn("an event is still being handled by another process; the clock moves on");
      return any;
    }
    if (await hasDueEvents(services.database.db)) await pause(20);
  }
  return any;
}

/** Runs `move` while it holds the lease to move the clock, as `owner`. Throws a conflict (409) if another move holds it. */
export async function withClockLease<T>(
  { database, log }: { database: Database; log: Log },
  move: (owner: string) => Promise<T>,
): Promise<T> {
  const owner = randomUUID();
  if (!(await database.transaction((tx) => acquireClockLease(tx, owner, leaseSeconds)))) throw conflict(movingMessage);
  const renewing = setInterval(() => {
    database
      .transaction((tx) => renewClockLease(tx, owner, leaseSeconds))
      .catch((error: unknown) => log.warn({ err: error }, "the lease of the demo clock could not be renewed"));
  }, renewMs);
  try {
    return await move(owner);
  } finally {
    clearInterval(renewing);
    await database.transaction((tx) => releaseClock(tx, owner));
  }
}

/** Returns the same database, which remembers if a transaction wrote. PostgreSQL gives a transaction an id when it first writes or locks a row. */
export function watchWrites(database: Database): { database: Database; hasWritten(): boolean } {
  let hasWritten = false;
  const wrote = async (tx: Tx) => {
    const row = await firstRowOf<{ wrote: boolean }>(tx)`
      select pg_current_xact_id_if_assigned() is not null as wrote`;
    return row?.wrote ?? false;
  };
  return {
    database: {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          const result = await work(tx);
          // `||=` would read the value before another transaction wrote.
          if (!hasWritten && (await wrote(tx))) hasWritten = true;
          return result;
        }),
    },
    hasWritten: () => hasWritten,
  };
}

/** Returns the ended transactions of the database: equal texts mean that no process committed a change. */
export async function transactionsSoFar({ db }: Pick<Database, "db">): Promise<string> {
  const row = await firstRowOf<{ ended: string }>(db)`select pg_current_snapshot()::text as ended`;
  return row?.ended ?? "";
}
