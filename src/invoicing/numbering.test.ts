import { afterAll, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { documentsIn, expectDocumented, issueDocuments } from "#test/harness/documents.ts";
import { testApp } from "#test/test-app.ts";
import { issueBatch } from "./issue.ts";

const app = closeAfterFile(await testApp());
afterAll(() => expectDocumented(app.database.db));

const batch = (limit: number, end?: () => Promise<void>) =>
  app.database.transaction(async (tx) => {
    const result = await issueBatch(tx, app.clock.now(), limit);
    await end?.();
    return result.issued;
  });

function held(limit: number) {
  const issued = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const done = batch(limit, () => {
    issued.resolve();
    return end.promise;
  });
  return { issued: issued.promise, end, done };
}

const dates = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ eventDate: `2027-03-${String(at + 1).padStart(2, "0")}` }));

async function artistWithDeposits(count: number) {
  const artist = await app.make.artist({ baseRate: 150_000 });
  const bookings: { id: string }[] = [];
  for (const { eventDate } of dates(count))
    bookings.push(await app.make.booking({ artist, status: "deposit_paid", eventDate }));
  const numbers = async () => {
    const found = await Promise.all(bookings.map((one) => documentsIn(app.database.db, one.id)));
    return found
      .flat()
      .map((one) => one.sequence_number)
      .sort((one, other) => one - other);
  };
  return { numbers };
}

test("waits for the numbers of a concurrent process, and continues after them", async () => {
  const { numbers } = await artistWithDeposits(4);
  const first = held(2);
  await first.issued;
  const second = batch(2);
  first.end.resolve();
  expect([await first.done, await second]).toEqual([2, 2]);
  expect(await numbers()).toEqual([1, 2, 3, 4]);
});

test("reuses the numbers of a process that died", async () => {
  const { numbers } = await artistWithDeposits(4);
  const first = held(2);
  await first.issued;
  const second = batch(2);
  first.end.reject(new Error("the process died"));
  await expect(first.done).rejects.toThrow("the process died");
  expect(await second).toBe(2);
  expect(await numbers()).toEqual([1, 2]);
  await issueDocuments(app.services);
  expect(await numbers()).toEqual([1, 2, 3, 4]);
});

test("issues each document once with concurrent processes", async () => {
  const { numbers } = await artistWithDeposits(12);
  const issued = await Promise.all(Array.from({ length: 6 }, () => issueDocuments(app.services)));
  expect(issued.reduce((sum, one) => sum + one, 0)).toBe(12);
  expect(await numbers()).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
});

test("leaves no gap after a rolled back transaction", async () => {
  const booking = await app.make.booking({ status: "contract_signed", balancePaid: true, fee: 150_000 });
  const counters = () => app.database.db.selectFrom("document_sellers").selectAll().orderBy("id").execute();
  const before = await counters();
  await expect(
    app.database.transaction(async (tx) => {
      expect((await issueBatch(tx, app.clock.now(), 40)).issued).toBe(2);
      throw new Error("the process dies");
    }),
  ).rejects.toThrow("the process dies");
  expect(await counters()).toEqual(before);
  expect(await documentsIn(app.database.db, booking.id)).toEqual([]);
  await issueDocuments(app.services);
  expect((await documentsIn(app.database.db, booking.id)).map((row) => row.sequence_number)).toEqual([1, 2]);
});
