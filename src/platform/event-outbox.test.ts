import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { freshDatabase, testEngine } from "#test/database.ts";
import type { Tx } from "./db/index.ts";
import { publish, type EventHandlers, startEventOutbox } from "./event-outbox.ts";
import { makeLog } from "./log.ts";
import { systemClock } from "./time/clock.ts";

const place = closeAfterFile(await freshDatabase());

type Options = Partial<Parameters<typeof startEventOutbox>[0]>;
/** Handlers may have any body, because each test publishes its own. */
type Handlers = Record<string, (tx: Tx, body: { bookingId: string; n: number }) => Promise<unknown>>;
const outboxWith = (handlers: Handlers, more: Options = {}) =>
  startEventOutbox({
    database: place.database,
    handlers: handlers as EventHandlers,
    log: makeLog("silent"),
    clock: systemClock,
    poll: false,
    ...more,
  });
const publishOne = (topic: string) => place.database.transaction((tx) => publish(tx, topic, {}));
const clear = () => place.database.db.deleteFrom("event_outbox").execute();

const waiting = () =>
  place.database.db.selectFrom("event_outbox").select(["topic", "attempts", "dead_at", "last_error"]).execute();

test("handles an event once, and the events that its handler publishes", async () => {
  const handled: unknown[] = [];
  const outbox = outboxWith({
    first: async (tx, body) => {
      handled.push(body);
      await publish(tx, "second", { after: body });
    },
    second: async (_tx, body) => handled.push(body),
  });
  await place.database.transaction((tx) => publish(tx, "first", { n: 1 }));
  await Promise.all([outbox.drain(), outbox.drain()]);
  expect(handled).toEqual([{ n: 1 }, { after: { n: 1 } }]);
  expect(await waiting()).toEqual([]);
});

test("reports handled events once, after the last of them, and never if there was none", async () => {
  const seen: string[] = [];
  const outbox = outboxWith({ first: async () => seen.push("event") }, { handled: () => seen.push("handled") });
  await outbox.drain();
  for (const topic of ["first", "first"]) await publishOne(topic);
  await outbox.drain();
  await outbox.drain();
  expect(seen).toEqual(["event", "event", "handled"]);
});

test("publishes no event of a failed transaction", async () => {
  const work = place.database.transaction(async (tx) => {
    await publish(tx, "first", {});
    throw new Error("stop");
  });
  await expect(work).rejects.toThrow("stop");
  expect(await waiting()).toEqual([]);
});

test("leaves the event of a failed handler, undoes its writes and counts the attempt", async () => {
  const outbox = outboxWith({
    fails: async (tx) => {
      await tx.insertInto("seed_markers").values({ name: "of a failed handler" }).execute();
      throw new Error("the mail server is down");
    },
  });
  await publishOne("fails");
  await outbox.drain();
  expect(await waiting()).toEqual([
    { topic: "fails", attempts: 1, dead_at: null, last_error: "the mail server is down" },
  ]);
  expect(await place.database.db.selectFrom("seed_markers").selectAll().execute()).toEqual([]);
});

test("runs work after the commit outside the transaction, once, without a retry on failure", async () => {
  await clear();
  const done: string[] = [];
  const outbox = outboxWith({
    // The handle for reads throws inside a transaction.
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
  });
  for (const topic of ["file", "away"]) await publishOne(topic);
  await outbox.drain();
  await outbox.drain();
  expect(done).toEqual(["file, 1 waiting", "away"]);
  expect(await waiting()).toEqual([]);
});

test("reports an event without a handler as an error", async () => {
  await clear();
  await publishOne("unknown");
  await outboxWith({}).drain();
  expect((await waiting())[0]?.last_error).toBe('no handler is registered for the topic "unknown"');
});

test("leaves the event to an operator after the last attempt", async () => {
  await place.database.db
    .updateTable("event_outbox")
    .set({ attempts: 7, available_at: new Date(0) })
    .execute();
  await outboxWith({}).drain();
  const [event] = await waiting();
  expect(event?.attempts).toBe(8);
  expect(event?.dead_at).toBeInstanceOf(Date);
});

const publishAll = (events: readonly (readonly [topic: string, bookingId: string, n: number])[]) =>
  place.database.transaction(async (tx) => {
    await tx.deleteFrom("event_outbox").execute();
    for (const [topic, bookingId, n] of events) await publish(tx, topic, { bookingId, n });
  });
const many = Array.from({ length: 20 }, (_, n) => ["told", `other ${n}`, n] as const);

test("claims an urgent event first, after the waiting events of its own booking", async () => {
  const seen: string[] = [];
  const see = (topic: string) => async (_tx: Tx, body: { bookingId: string }) =>
    seen.push(`${topic} ${body.bookingId}`);
  await publishAll([
    ...many,
    ["told", "paid", 20],
    ["told", "other 0", 21],
    ["money", "paid", 22],
    ["told", "paid", 23],
  ]);
  const handlers = { told: see("told"), money: see("money") };
  await outboxWith(handlers, { urgent: ["money"] }).drain();
  expect(seen).toEqual([
    "told paid",
    "money paid",
    ...many.map(([, booking]) => `told ${booking}`),
    "told other 0",
    "told paid",
  ]);
});

test("does not delay an urgent event behind a failed one of its booking", async () => {
  const seen: string[] = [];
  await publishAll([
    ["told", "paid", 1],
    ["money", "paid", 2],
  ]);
  const handlers = {
    told: () => Promise.reject(new Error("no template")),
    money: async () => seen.push("money"),
  };
  await outboxWith(handlers, { urgent: ["money"] }).drain();
  expect(seen).toEqual(["money"]);
  expect((await waiting()).map(({ topic }) => topic)).toEqual(["told"]);
});

// The embedded engine has one connection, so it handles one event at a time.
test.runIf(testEngine() === "postgres")(
  "handles several bookings at a time, at most `atOnce`, and the events of one in order",
  async () => {
    const begun: string[] = [];
    const running = new Set<string>();
    let max = 0;
    const gate = Promise.withResolvers<void>();
    const notify = async (_tx: Tx, { bookingId, n }: { bookingId: string; n: number }) => {
      begun.push(`${bookingId} ${n}`);
      expect(running).not.toContain(bookingId);
      running.add(bookingId);
      max = Math.max(max, running.size);
      if (bookingId !== "first") await gate.promise;
      running.delete(bookingId);
    };
    const events = ["a", "b", "a", "c", "b", "d", "a"].map((booking, n) => ["told", booking, n] as const);
    await publishAll([["told", "first", -1], ...events]);
    const outbox = outboxWith({ told: notify }, { atOnce: 3 });
    const drained = outbox.drain();
    await expect.poll(() => begun).toHaveLength(4);
    expect(begun.toSorted()).toEqual(["a 0", "b 1", "c 3", "first -1"]);
    gate.resolve();
    await drained;
    expect(max).toBe(3);
    for (const booking of ["a", "b"])
      expect(begun.filter((one) => one.startsWith(booking))).toEqual(
        events.filter(([, of]) => of === booking).map(([, of, n]) => `${of} ${n}`),
      );
    expect(await waiting()).toEqual([]);
  },
);
