import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "#test/database.ts";
import { systemClock } from "./time/clock.ts";
import type { Tx } from "./db/index.ts";
import { makeLog } from "./log.ts";
import { publish, type EventHandlers, startEventOutbox } from "./event-outbox.ts";

let place: TestDatabase;
beforeAll(async () => {
  place = await freshDatabase();
});
afterAll(() => place.drop());

const outboxWith = (handlers: EventHandlers, handled?: () => void) =>
  startEventOutbox({
    database: place.database,
    handlers,
    log: makeLog("silent"),
    clock: systemClock,
    poll: false,
    ...(handled ? { handled } : {}),
  });

const waiting = () =>
  place.database.db.selectFrom("event_outbox").select(["topic", "attempts", "dead_at", "last_error"]).execute();

test("an event is handled once, and so are the events that its handler publishes", async () => {
  const handled: unknown[] = [];
  const outbox = outboxWith({
    first: async (tx: Tx, body: object) => {
      handled.push(body);
      await publish(tx, "second", { after: body });
    },
    second: async (_tx: Tx, body: object) => handled.push(body),
  } as EventHandlers);
  await place.database.transaction((tx) => publish(tx, "first", { n: 1 }));
  await Promise.all([outbox.drain(), outbox.drain()]);
  expect(handled).toEqual([{ n: 1 }, { after: { n: 1 } }]);
  expect(await waiting()).toEqual([]);
});

test("it is said once that events were handled, after the last of them, and never when there was none", async () => {
  const seen: string[] = [];
  const outbox = outboxWith({ first: async () => seen.push("event") } as EventHandlers, () => seen.push("handled"));
  await outbox.drain();
  await place.database.transaction(async (tx) => {
    await publish(tx, "first", {});
    await publish(tx, "first", {});
  });
  await outbox.drain();
  await outbox.drain();
  expect(seen).toEqual(["event", "event", "handled"]);
});

test("an event of a transaction that failed was never published", async () => {
  const work = place.database.transaction(async (tx) => {
    await publish(tx, "first", {});
    throw new Error("stop");
  });
  await expect(work).rejects.toThrow("stop");
  expect(await waiting()).toEqual([]);
});

test("a handler that fails leaves the event, undoes its own writes and counts the attempt", async () => {
  const outbox = outboxWith({
    fails: async (tx: Tx) => {
      await tx.insertInto("seed_markers").values({ name: "of a failed handler" }).execute();
      throw new Error("the mail server is down");
    },
  } as EventHandlers);
  await place.database.transaction((tx) => publish(tx, "fails", {}));
  await outbox.drain();
  expect(await waiting()).toEqual([
    { topic: "fails", attempts: 1, dead_at: null, last_error: "the mail server is down" },
  ]);
  expect(await place.database.db.selectFrom("seed_markers").selectAll().execute()).toEqual([]);
});

test("what a handler leaves for after the commit is done outside its transaction, once; a failure there is not repeated", async () => {
  await place.database.transaction((tx) => tx.deleteFrom("event_outbox").execute());
  const done: string[] = [];
  const outbox = outboxWith({
    // The handle for reads refuses to work inside a transaction.
    file: async () => ({ afterCommit: async () => done.push(`file, ${(await waiting()).length} waiting`) }),
    away: async () => ({
      afterCommit: async () => {
        done.push("away");
        throw new Error("the bucket does not answer");
      },
    }),
    fails: async () => {
      throw new Error("stop");
    },
  } as unknown as EventHandlers);
  for (const topic of ["file", "away"]) await place.database.transaction((tx) => publish(tx, topic, {}));
  await outbox.drain();
  await outbox.drain();
  expect(done).toEqual(["file, 1 waiting", "away"]);
  expect(await waiting()).toEqual([]);
});

test("an event without a handler is an error", async () => {
  await place.database.transaction((tx) => tx.deleteFrom("event_outbox").execute());
  await place.database.transaction((tx) => publish(tx, "unknown", {}));
  await outboxWith({}).drain();
  expect((await waiting())[0]?.last_error).toBe('no handler is registered for the topic "unknown"');
});

test("after the last attempt the event waits for an operator", async () => {
  await place.database.transaction((tx) =>
    tx
      .updateTable("event_outbox")
      .set({ attempts: 7, available_at: new Date(0) })
      .execute(),
  );
  await outboxWith({}).drain();
  const [event] = await waiting();
  expect(event?.attempts).toBe(8);
  expect(event?.dead_at).toBeInstanceOf(Date);
});
