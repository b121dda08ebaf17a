import { announce, type Database, runTraced, type Tx } from "./db/index.ts";
import { type StoredEvent, postponeEvent, claimNext } from "./db/platform.store.ts";
import { errorMessage } from "./errors.ts";
import type { Log } from "./log.ts";
import type { Clock } from "./time/clock.ts";
import { backoffSeconds } from "./time/retry.ts";

export { publish } from "./db/platform.store.ts";

/** Handles one topic in the event's transaction. `eventId`: the same in every attempt. `afterCommit`: work outside the database, which is not retried. */
type EventHandler = (tx: Tx, body: never, eventId: number) => Promise<unknown>;
type AfterCommit = Readonly<{ afterCommit(): Promise<unknown> }>;
export type EventHandlers = Readonly<Record<string, EventHandler>>;

export const maxAttempts = 8;
const pollMs = 1_000;
const backoff = { firstSeconds: 1, maxSeconds: 300 };

type EventOutbox = { wake(): void; drain(): Promise<void>; stop(): Promise<void> };

type OutboxParts = {
  database: Database;
  handlers: EventHandlers;
  log: Log;
  clock: Clock;
  /** Topics that are handled first, together with the waiting events of the same booking. */
  urgent?: readonly string[];
  atOnce?: number;
  poll?: boolean;
  handled?: () => void;
};

/** Starts handling events, on any number of processes. `poll: false`: only on `wake` and `drain`. `handled`: called if none is due. */
export function startEventOutbox(parts: OutboxParts): EventOutbox {
  const { log, atOnce = 1 } = parts;
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  async function drain(): Promise<void> {
    if (running) {
      again = true;
      return running;
    }
    running = (async () => {
      let any = false;
      do {
        again = false;
        if (stopped || !(await handleNext(parts))) continue;
        any = true;
        // Waits for all, even if the database fails under one of them.
        const ends = await Promise.allSettled(Array.from({ length: atOnce }, handleAll));
        for (const end of ends) if (end.status === "rejected") throw end.reason;
      } while (again && !stopped);
      if (any) parts.handled?.();
    })().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function handleAll(): Promise<void> {
    while (!stopped && (await handleNext(parts)));
  }

  const wake = () => {
    drain().catch((error: unknown) =>
      log.error({ err: error }, "the event outbox could not be read; it is tried again"),
    );
  };
  const timer = parts.poll === false ? undefined : setInterval(wake, pollMs);
  timer?.unref();
  return {
    wake,
    drain,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** Handles the next due event. Returns false if none is due. A failed handler undoes its own writes and leaves the event for later. */
async function handleNext({ database, handlers, log, urgent }: OutboxParts): Promise<boolean> {
  let event: StoredEvent | undefined;
  let result: unknown;
  try {
    await database.transaction(async (tx) => {
      event = await claimNext(tx, urgent);
      if (!event) return;
      const handle = handlers[event.topic];
      if (!handle) throw new Error(`no handler is registered for the topic "${event.topic}"`);
      const { id, topic, body } = event;
      result = await runTraced(topic, () => handle(tx, body, id));
      announce(tx, event.topic);
    });
  } catch (error) {
    if (!event) throw error;
    await postpone(database, event, error, log);
    return true;
  }
  if (event && hasAfterCommit(result))
    await result.afterCommit().catch((error: unknown) => {
      log.warn({ err: error, event: event?.id, topic: event?.topic }, "the work that follows an event failed");
    });
  return event !== undefined;
}

const hasAfterCommit = (result: unknown): result is AfterCommit =>
  typeof result === "object" && result !== null && "afterCommit" in result && typeof result.afterCommit === "function";

async function postpone(database: Database, event: StoredEvent, error: unknown, log: Log): Promise<void> {
  const attempts = event.attempts + 1;
  const dead = attempts >= maxAttempts;
  const message = errorMessage(error);
  log.error({ err: error, topic: event.topic, event: event.id, attempts, dead }, "an event could not be handled");
  const failure = { attempts, message, dead, waitSeconds: backoffSeconds(attempts, backoff) };
  await database.transaction((tx) => postponeEvent(tx, event.id, failure));
}
