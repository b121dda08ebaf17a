/** The background half of a process: handles events and runs jobs until it is stopped. */
import { PgBoss } from "pg-boss";
import type { Job } from "#platform/jobs.ts";
import { startEventOutbox } from "#platform/event-outbox.ts";
import { jobs } from "./jobs.ts";
import { eventHandlersFor } from "./event-handlers.ts";
import type { OpenServices, Services } from "./services.ts";

export type Work = { stop(): Promise<void> };

/** Starts the event outbox, the loops and the schedule. Several processes may work side by side on one PostgreSQL. */
export async function startWork(services: OpenServices): Promise<Work> {
  const { database, log, clock } = services;
  const outbox = startEventOutbox({ database, handlers: eventHandlersFor(services), log, clock });
  services.onWake(outbox.wake);
  const loops = jobs.flatMap((job) =>
    "everySeconds" in job.when ? [startLoop(job, job.when.everySeconds, services)] : [],
  );
  const schedule = await startSchedule(services);
  return {
    stop: async () => {
      await Promise.all([schedule.stop(), ...loops.map((loop) => loop.stop())]);
      await outbox.stop();
    },
  };
}

/** Runs a job again and again with a pause between; `wake` ends the pause. */
function startLoop(job: Job<Services>, seconds: number, services: OpenServices): Work {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;
  const turn = () => {
    clearTimeout(timer);
    if (running || stopped) return;
    running = job
      .run(services)
      .catch((error: unknown) => services.log.error({ err: error, job: job.name }, "a job failed; it runs again"))
      .finally(() => {
        running = undefined;
        if (!stopped) timer = setTimeout(turn, seconds * 1_000).unref();
      });
  };
  turn();
  services.onWake(turn);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Runs the cron jobs through pg-boss, once per tick however many processes there are. */
async function startSchedule(services: OpenServices): Promise<Work> {
  const { database, log, config } = services;
  const boss = new PgBoss(
    database.jobStore
      ? { db: database.jobStore, backend: "pglite" }
      : { connectionString: config.databaseUrl ?? "", max: 4, application_name: "stagedoor jobs" },
  );
  boss.on("error", (error) => log.error({ err: error }, "the job queue reported an error"));
  await boss.start();
  for (const job of jobs) {
    if (!("cron" in job.when)) continue;
    await boss.createQueue(job.name, { retryLimit: 2, retryDelay: 30 });
    await boss.schedule(job.name, job.when.cron, {}, { tz: "UTC" });
    await boss.work(job.name, { pollingIntervalSeconds: 5, notifyPollingIntervalSeconds: 5 }, async () =>
      job.run(services),
    );
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 10_000 }) };
}
