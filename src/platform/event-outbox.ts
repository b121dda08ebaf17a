/**
 * Events between rooms. A room publishes in the transaction of its own change; afterwards each event is answered in a
 * transaction of its own. At least once in the face of crashes, exactly once in effect: the event is deleted where it is answered.
 */
import { sql } from "kysely";
import type { Clock } from "./clock.ts";
import { type Database, json, type Tx } from "./db/index.ts";
import type { Log } from "./log.ts";

/** What answers one topic. Runs inside the event's transaction. */
export type EventHandler = (tx: Tx, body: never) => Promise<unknown>;
/** Every topic that exists, and who answers it. */
export type EventHandlers = Readonly<Record<string, EventHandler>>;

/** Publishes an event with its cause: both are kept, or neither. */
export async function publish(tx: Tx, topic: string, body: object): Promise<void> {
  await tx
    .insertInto("event_outbox")
    .values({ topic, body: json(body) })
    .execute();
}

/** After so many failures an event stops being tried and waits for a person (a dead letter). */
export const maxAttempts = 8;
const pollMs = 1_000;
/** Waits 1, 2, 4 … seconds between tries, at most five minutes. */
const backoffSeconds = (attempts: number) => Math.min(300, 2 ** (attempts - 1));

export type EventOutbox = {
  /** Says that something may have been published. */
  wake(): void;
  /** Answers everything that waits, follow-up events included. */
  drain(): Promise<void>;
  stop(): Promise<void>;
};

type Waiting = { id: number; topic: string; body: never; attempts: number };

/** Starts answering events; several processes may do so side by side. */
export function startEventOutbox(parts: {
  database: Database;
  reactions: EventHandlers;
  log: Log;
  clock: Clock;
  poll?: boolean;
}): EventOutbox {
  const { database, reactions, log } = parts;
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  async function drain(): Promise<void> {
    if (running) {
      again = true;
      return running;
    }
    running = (async () => {
      do {
        again = false;
        while (!stopped && (await answerNext(database, reactions, log)));
      } while (again && !stopped);
    })().finally(() => {
      running = undefined;
    });
    return running;
  }

  const wake = () => {
    drain().catch((error: unknown) => log.error({ err: error }, "the outbox could not be read; it is tried again"));
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

async function answerNext(database: Database, reactions: EventHandlers, log: Log): Promise<boolean> {
  let event: Waiting | undefined;
  try {
    return await database.transaction(async (tx) => {
      event = await takeNext(tx);
      if (!event) return false;
      const reaction = reactions[event.topic];
      if (!reaction) throw new Error(`nobody answers the topic "${event.topic}"`);
      await reaction(tx, event.body);
      return true;
    });
  } catch (error) {
    if (!event) throw error;
    await putOff(database, event, error, log);
    return true;
  }
}

async function takeNext(tx: Tx): Promise<Waiting | undefined> {
  const { rows } = await sql<Waiting>`
    delete from event_outbox where id = (
      select id from event_outbox where dead_at is null and available_at <= now() order by available_at, id limit 1 for update skip locked
    ) returning id, topic, body, attempts`.execute(tx);
  return rows[0];
}

async function putOff(database: Database, event: Waiting, error: unknown, log: Log): Promise<void> {
  const attempts = event.attempts + 1;
  const dead = attempts >= maxAttempts;
  const message = error instanceof Error ? error.message : String(error);
  log.error({ err: error, topic: event.topic, event: event.id, attempts, dead }, "an event could not be answered");
  await database.transaction((tx) =>
    tx
      .updateTable("event_outbox")
      .set({
        attempts,
        last_error: message,
        available_at: sql<Date>`now() + make_interval(secs => ${backoffSeconds(attempts)})`,
        dead_at: dead ? sql<Date>`now()` : null,
      })
      .where("id", "=", event.id)
      .execute(),
  );
}
