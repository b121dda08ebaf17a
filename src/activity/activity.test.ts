import { afterAll, beforeAll, expect, test } from "vitest";
import { testPlatform } from "#test/platform.ts";
import { type Entry, listActivity, record } from "./index.ts";

let platform: Awaited<ReturnType<typeof testPlatform>>;
const write = (entry: Entry) => platform.database.transaction((tx) => record(tx, entry));

beforeAll(async () => {
  platform = await testPlatform();
  for (let at = 1; at <= 5; at++)
    await write({ type: "booking", refId: `booking-${at}`, message: `Request ${at} came in` });
  await write({
    type: "payment",
    refId: "payment-1",
    message: "Deposit of 100% paid",
    meta: { amount: 37_500, client_secret: "pi_secret" },
  });
});
afterAll(async () => platform[Symbol.asyncDispose]());

const list = (query: Partial<Parameters<typeof listActivity>[1]> = {}) =>
  listActivity(platform.database.db, { limit: 50, ...query });

test("the newest entry stands first, and its details carry no secret", async () => {
  const [first] = (await list()).items;
  expect(first).toMatchObject({
    type: "payment",
    ref_id: "payment-1",
    meta: { amount: 37_500, client_secret: "[cut]" },
  });
});

test("the list is filtered by type and searched in message and reference, whatever the case", async () => {
  expect((await list({ type: "booking" })).items).toHaveLength(5);
  expect((await list({ search: "REQUEST 3" })).items.map((row) => row.ref_id)).toEqual(["booking-3"]);
  expect((await list({ search: "payment-1" })).items).toHaveLength(1);
  expect((await list({ search: "100%" })).items).toHaveLength(1);
  expect((await list({ search: "1__%" })).items).toHaveLength(0);
});

test("pages follow one another without a gap or a repetition", async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 2, ...(cursor ? { cursor } : {}) });
    seen.push(...page.items.map((row) => row.id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(new Set(seen).size).toBe(6);
  expect(seen).toHaveLength(6);
});

test("a cursor that was made up is refused", async () => {
  await expect(list({ cursor: "bm9uc2Vuc2U" })).rejects.toMatchObject({ status: 400 });
});

test("an entry whose cause is rolled back is not written", async () => {
  const failing = platform.database.transaction(async (tx) => {
    await record(tx, { type: "system", message: "never happened" });
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  expect((await list({ search: "never happened" })).items).toHaveLength(0);
});
