import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testPlatform } from "#test/platform.ts";
import { type Entry, recordActivity } from "./index.ts";
import { listLog } from "./views.ts";

const platform = closeAfterFile(await testPlatform());
const write = (entry: Entry) => platform.database.transaction((tx) => recordActivity(tx, entry));

for (let at = 1; at <= 5; at++)
  await write({ type: "booking", refId: `booking-${at}`, message: `Request ${at} came in` });
await write({
  type: "payment",
  refId: "payment-1",
  message: "Deposit of 100% paid",
  meta: { amount: 37_500, client_secret: "pi_secret" },
});

const list = (query: Partial<Parameters<typeof listLog>[1]> = {}) =>
  listLog(platform.database.db, { page: 1, ...query });

test("lists entries newest first, without secrets in their details", async () => {
  const [first] = (await list()).items;
  expect(first).toMatchObject({
    type: "payment",
    ref_id: "payment-1",
    meta: { amount: 37_500, client_secret: "[cut]" },
  });
});

test("filters by a period, from its start and before its end", async () => {
  const [first] = (await list()).items;
  const at = first?.created_at ?? new Date(0);
  const has = async (period: { from?: string; to?: string }) =>
    (await list(period)).items.some((one) => one.id === first?.id);
  expect([await has({ from: at.toISOString() }), await has({ to: at.toISOString() })]).toEqual([true, false]);
});

test("filters by type and searches message and reference, case-insensitively", async () => {
  expect((await list({ type: "booking" })).items).toHaveLength(5);
  expect((await list({ search: "REQUEST 3" })).items.map((row) => row.ref_id)).toEqual(["booking-3"]);
  expect((await list({ search: "payment-1" })).items).toHaveLength(1);
  expect((await list({ search: "100%" })).items).toHaveLength(1);
  expect((await list({ search: "1__%" })).items).toHaveLength(0);
});

test("returns each entry on one page only and counts the rows", async () => {
  for (let at = 0; at < 30; at++) await write({ type: "notification", message: `Paged ${at}` });
  const [one, two, three] = [
    await list({ search: "paged" }),
    await list({ search: "paged", page: 2 }),
    await list({ search: "paged", page: 3 }),
  ];
  expect([one.items.length, two.items.length, three.items.length]).toEqual([25, 5, 0]);
  expect(new Set([...one.items, ...two.items].map((row) => row.id)).size).toBe(30);
  expect([one.total, one.capped]).toEqual([30, false]);
});

test("writes no entry if its transaction is rolled back", async () => {
  const failing = platform.database.transaction(async (tx) => {
    await recordActivity(tx, { type: "system", message: "never happened" });
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  expect((await list({ search: "never happened" })).items).toHaveLength(0);
});
