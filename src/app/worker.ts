import { runTraced } from "#platform/db/index.ts";
import { startEventOutbox } from "#platform/event-outbox.ts";
import { claimJobRun, leaseMs, recordJobRun, renewJobLease } from "#platform/jobs/jobs.store.ts";
import { type Job, lastDue } from "#platform/jobs/jobs.ts";
import { coalesce } from "#platform/time/coalesce.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { eventHandlersFor, urgentTopics } from "./event-handlers.ts";
import { jobs } from "./jobs.ts";
import type { OpenServices, Services } from "./services.ts";

export type Work = { stop(): Promise<void> };

/** In ms. Every commit wakes the outbox, and the loops of its topics. Under load one run is enough for the commits of this time. */
const wakePauseMs = 50;

/** Events that are handled at the same time on PostgreSQL: more delay payments (decision 4). The embedded engine has one connection. */
const eventsAtOnce = 2;

export function startWork(services: OpenServices): Work {
  const { database, log, clock } = services;
  const outbox = startEventOutbox({
    database,
    handlers: eventHandlersFor(services),
    urgent: urgentTopics,
    atOnce: database.engine === "postgres" ? eventsAtOnce : 1,
    log,
    clock,
    handled: () => services.wake(),
  });
  const wakeOutbox = coalesce(outbox.wake, wakePauseMs);
  services.onWake(wakeOutbox);
  const loops = jobs.map((job) => startLoop(loopOf(job), services));
  return {
    stop: async () => {
      wakeOutbox.cancel();
      await Promise.all(loops.map((loop) => loop.stop()));
      await outbox.stop();
    },
  };
}

async function inBackground(job: Job<Services>, services: Services): Promise<void> {
  const run = () => runTraced(job.name, async () => void (await job.run(services)));
  await (services.demoClock ? services.demoClock.inBackground(run) : run());
}

type Loop = Job<Services> & { when: Extract<Job<Services>["when"], { everySeconds: number }> };

const checkSeconds = 60;
const renewMs = leaseMs / 3;
/** A job that runs longer hangs. Another process runs it then. */
const maxRunMs = 6 * hourMs;

/** Returns the job as a loop. An hourly or daily one is checked each minute, and runs again after a failure once the lease is over. */
export function loopOf(job: Job<Services>): Loop {
  const { when, name } = job;
  if ("everySeconds" in when) return { ...job, when };
  return {
    ...job,
    when: { everySeconds: checkSeconds },
    run: async (services) => {
      const { database, realClock, log } = services;
      const now = realClock.now();
      if (!(await claimJobRun(database, name, { due: lastDue(when, now), now }))) return;
      const renewing = setInterval(() => {
        if (realClock.now().getTime() - now.getTime() >= maxRunMs) {
          clearInterval(renewing);
          log.error({ job: name }, "a job has not ended for 6 hours; another process may run it");
          return;
        }
        database
          .transaction((tx) => renewJobLease(tx, name, realClock.now()))
          .catch((error: unknown) => log.warn({ err: error, job: name }, "the lease of a job could not be renewed"));
      }, renewMs).unref();
      try {
        await job.run(services);
      } finally {
        clearInterval(renewing);
      }
      await database.transaction((tx) => recordJobRun(tx, name, realClock.now()));
    },
  };
}

export function startLoop(job: Loop, services: OpenServices): Work {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let wokenMeanwhile = false;
  let stopped = false;
  const turn = () => {
    clearTimeout(timer);
    if (stopped) return;
    wokenMeanwhile = running !== undefined;
    running ??= inBackground(job, services)
      .catch((error: unknown) => services.log.error({ err: error, job: job.name }, "a job failed; it runs again"))
      .finally(() => {
        running = undefined;
        if (!stopped) timer = setTimeout(turn, wokenMeanwhile ? wakePauseMs : job.when.everySeconds * 1_000).unref();
        wokenMeanwhile = false;
      });
  };
  turn();
  const wake = coalesce(turn, wakePauseMs);
  const topics = job.when.wokenBy ?? [];
  services.database.onAnnounced((announced) => {
    if (topics.some((topic) => announced.has(topic))) wake();
  });
  return {
    stop: async () => {
      stopped = true;
      wake.cancel();
      clearTimeout(timer);
      await running;
    },
  };
}
