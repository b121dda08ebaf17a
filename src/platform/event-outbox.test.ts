import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "#test/database.ts";
import { systemClock } from "./clock.ts";
import type { Tx } from "./db/index.ts";
import { makeLog } from "./log.ts";
import { publish, type EventHandlers, startEventOutbox } from "./event-outbox.ts";

let place: TestDatabase;
beforeAll(async () => {
  place = await freshDatabase();
});
afterAll(() => place.drop());

const outboxWith = (reactions: EventHandlers) =>
  startEventOutbox({ database: place.database, reactions, log: makeLog("silent"), clock: systemClock, poll: false });

const waiting = () =>
  place.database.db.selectFrom("event_outbox").select(["topic", "attempts", "dead_at", "last_error"]).execute();

test("an event is answered once, and events it causes are answered too", async () => {
  const heard: unknown[] = [];
  const outbox = outboxWith({
    first: async (tx: Tx, body: object) => {
      heard.push(body);
      await publish(tx, "second", { after: body });
    },
    second: async (_tx: Tx, body: object) => heard.push(body),
  } as EventHandlers);
  await place.database.transaction((tx) => publish(tx, "first", { n: 1 }));
  await Promise.all([outbox.drain(), outbox.drain()]);
  expect(heard).toEqual([{ n: 1 }, { after: { n: 1 } }]);
  expect(await waiting()).toEqual([]);
});

test("an event of a transaction that failed was never published", async () => {
  const work = place.database.transaction(async (tx) => {
    await publish(tx, "first", {});
    throw new Error("stop");
  });
  await expect(work).rejects.toThrow("stop");
  expect(await waiting()).toEqual([]);
});

test("a reaction that fails keeps the event, undoes its own writes and counts the try", async () => {
  const outbox = outboxWith({
    fails: async (tx: Tx) => {
      await tx.insertInto("marks").values({ name: "of a failed reaction" }).execute();
      throw new Error("the mail room is on fire");
    },
  } as EventHandlers);
  await place.database.transaction((tx) => publish(tx, "fails", {}));
  await outbox.drain();
  expect(await waiting()).toEqual([
    { topic: "fails", attempts: 1, dead_at: null, last_error: "the mail room is on fire" },
  ]);
  expect(await place.database.db.selectFrom("marks").selectAll().execute()).toEqual([]);
});

test("an event that nobody answers is an error, not silence", async () => {
  await place.database.transaction((tx) => tx.deleteFrom("event_outbox").execute());
  await place.database.transaction((tx) => publish(tx, "unheard", {}));
  await outboxWith({}).drain();
  expect((await waiting())[0]?.last_error).toBe('nobody answers the topic "unheard"');
});

test("after the last try the event is laid aside for a person", async () => {
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
