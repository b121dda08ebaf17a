/** The background half of a process: handles events and runs jobs until it is stopped. */
import { PgBoss } from "pg-boss";
import { coalesce } from "#platform/time/coalesce.ts";
import { isOutage } from "#platform/db/index.ts";
import type { Job } from "#platform/jobs.ts";
import { jitteredBackoffMs } from "#platform/time/retry.ts";
import { startEventOutbox } from "#platform/event-outbox.ts";
import { jobs } from "./jobs.ts";
import { eventHandlersFor, urgentTopics } from "./event-handlers.ts";
import type { OpenServices, Services } from "./services.ts";

export type Work = { stop(): Promise<void> };

/** Every commit wakes the outbox; the loops are woken by the topics that they name. On a busy evening one look is enough for the commits of this time. */
const wakePauseMs = 50;

/** Events that are handled at the same time on PostgreSQL: more make a payment wait longer (decision 4). The embedded engine has one connection. */
const eventsAtOnce = 2;

/** Starts the event outbox, the loops and the schedule. Several processes may work side by side on one PostgreSQL. */
export async function startWork(services: OpenServices): Promise<Work> {
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
  const loops = jobs.flatMap((job) =>
    "everySeconds" in job.when ? [startLoop({ ...job, when: job.when }, services)] : [],
  );
  const schedule = await startSchedule(services);
  return {
    stop: async () => {
      wakeOutbox.cancel();
      await Promise.all([schedule.stop(), ...loops.map((loop) => loop.stop())]);
      await outbox.stop();
    },
  };
}

/** Runs a job, unless the demo's clock is being moved: then it runs with the clock's steps. */
async function inBackground(job: Job<Services>, services: Services): Promise<void> {
  const run = async () => void (await job.run(services));
  await (services.demoClock ? services.demoClock.inBackground(run) : run());
}

type Loop = Job<Services> & { when: Extract<Job<Services>["when"], { everySeconds: number }> };

/** Runs a job again and again with a pause between, which a commit with one of its topics ends. */
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

const scheduleBackoff = { firstSeconds: 1, maxSeconds: 30 };

/** Starts the cron jobs; while the database is away, tries again in the background until it is back. */
async function startSchedule(services: OpenServices): Promise<Work> {
  let boss: PgBoss | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let starting: Promise<void> = Promise.resolve();
  const start = async (attempt: number): Promise<void> => {
    try {
      boss = await openSchedule(services);
    } catch (error) {
      if (!isOutage(error)) throw error;
      services.log.warn({ err: error, attempt }, "the schedule could not be started; it is tried again");
      if (stopped) return;
      const again = () => {
        starting = start(attempt + 1).catch((fault: unknown) =>
          services.log.error({ err: fault }, "the schedule could not be started; no cron job runs in this process"),
        );
      };
      timer = setTimeout(again, jitteredBackoffMs(attempt, scheduleBackoff)).unref();
    }
  };
  await start(1);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await starting;
      await boss?.stop({ graceful: true, timeout: 10_000 });
    },
  };
}

const tz = "UTC";

/** Runs the cron jobs through pg-boss, once per tick however many processes there are. */
async function openSchedule(services: OpenServices): Promise<PgBoss> {
  const { database, log, config } = services;
  const boss = new PgBoss(
    database.jobStore
      ? { db: database.jobStore, backend: "pglite" }
      : { connectionString: config.databaseUrl ?? "", max: 4, application_name: "stagedoor jobs" },
  );
  boss.on("error", (error) => log.error({ err: error }, "the job queue reported an error"));
  try {
    await boss.start();
    const names = new Set(jobs.map((job) => job.name));
    // A job that was renamed or removed leaves its schedule in the database; nothing would run it.
    const schedules = await boss.getSchedules();
    for (const { name } of schedules) if (!names.has(name)) await boss.unschedule(name);
    // Every start but the first finds all of them: asking for each again is most of what a start of the schedule takes.
    const queues = new Set((await boss.getQueues()).map(({ name }) => name));
    const isScheduled = (name: string, cron: string) =>
      schedules.some((known) => known.name === name && known.cron === cron && known.timezone === tz);
    for (const job of jobs) {
      if (!("cron" in job.when)) continue;
      if (!queues.has(job.name)) await boss.createQueue(job.name, { retryLimit: 2, retryDelay: 30 });
      if (!isScheduled(job.name, job.when.cron)) await boss.schedule(job.name, job.when.cron, {}, { tz });
      await boss.work(job.name, { pollingIntervalSeconds: 5, notifyPollingIntervalSeconds: 5 }, async () =>
        inBackground(job, services),
      );
    }
    return boss;
  } catch (error) {
    await boss
      .stop({ graceful: false })
      .catch((fault: unknown) => log.warn({ err: fault }, "the job queue did not stop"));
    throw error;
  }
}
