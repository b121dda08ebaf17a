import { sql } from "kysely";
import { afterAll, beforeEach, expect, test } from "vitest";
import { verify } from "#app/admin/verify.ts";
import { freshDatabase, type TestDatabase } from "#test/database.ts";
import { findActivityViolations, findChainHead, linkActivity, parseChainHead } from "./chain.ts";
import { recordActivity } from "./store.ts";

let place: TestDatabase | undefined;
beforeEach(async () => {
  await place?.drop();
  place = await freshDatabase();
  for (const message of ["one", "two", "three"]) await write(message);
});
afterAll(() => place?.drop());

const database = () => {
  if (!place) throw new Error("no database was opened");
  return place.database;
};
const write = (message: string) =>
  database().transaction((tx) => recordActivity(tx, { type: "system", message, meta: { amount: 1, at: "21:30" } }));
const run = (text: string) => sql.raw(text).execute(database().db);
/** Changes the log as a database owner can. */
const behindItsBack = async (text: string) => {
  for (const table of ["activity", "activity_chain"]) await run(`alter table ${table} disable trigger user`);
  await run(text);
  for (const table of ["activity", "activity_chain"]) await run(`alter table ${table} enable trigger user`);
};
const violations = async () => (await findActivityViolations(database().db)).map((text) => text.replace(/: .*/, ""));

test.each([
  "update activity set message = 'other'",
  "delete from activity",
  "truncate activity",
  "update activity_chain set number = number + 1",
  "delete from activity_chain",
  "truncate activity_chain",
])("throws for the statement: %s", async (text) => {
  await linkActivity(database());
  await expect(run(text)).rejects.toThrow("append-only");
  expect(await violations()).toEqual([]);
});

test("continues linking from any process and finds nothing in an intact log", async () => {
  await Promise.all([linkActivity(database()), linkActivity(database())]);
  await write("four");
  await linkActivity(database());
  await linkActivity(database());
  const { rows } = await sql<{ number: number }>`select number from activity_chain order by number`.execute(
    database().db,
  );
  expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  expect(await violations()).toEqual([]);
  await run("set time zone 'Asia/Tokyo'");
  expect(await violations()).toEqual([]);
});

test.each([
  ["one byte of a message", "update activity set message = 'twp' where message = 'two'", "an entry was changed"],
  [
    "a moment",
    "update activity set created_at = created_at + interval '1 microsecond' where message = 'two'",
    "an entry was changed",
  ],
  ["the details", `update activity set meta = '{"amount": 2}' where message = 'two'`, "an entry was changed"],
  ["an entry removed", "delete from activity where message = 'two'", "an entry was removed"],
  ["a link removed", "delete from activity_chain where number = 2", "a link was removed before"],
])("finds a change made with disabled triggers, also in the operator's check: %s", async (_what, text, violation) => {
  await linkActivity(database());
  await behindItsBack(text);
  expect(await violations()).toContain(violation);
  const findings = await verify(database().db);
  expect(
    findings.find(({ check }) => check.startsWith("no entry of the activity log was changed or removed"))?.count,
  ).toBeGreaterThan(0);
});

test("finds entries that are not linked for more than an hour", async () => {
  await linkActivity(database());
  await write("late");
  expect(await violations()).toEqual([]);
  await behindItsBack("update activity set created_at = now() - interval '2 hours' where message = 'late'");
  expect(await violations()).toEqual(["entries have not been linked for more than 1 hour"]);
});

test("finds the removal of the newest entries and links by a link that was stored elsewhere", async () => {
  await linkActivity(database());
  const head = await findChainHead(database().db);
  const written = `${head?.number}:${head?.hash}`;
  const failed = async (...links: string[]) =>
    (await verify(database().db, links)).filter(({ count }) => count > 0).map(({ check }) => check);
  expect(await failed(written)).toEqual([]);
  await behindItsBack("delete from activity_chain where number = 3; delete from activity where message = 'three'");
  expect(await failed()).toEqual([]);
  expect(await failed(written)).toEqual(["the log has the links that were written down"]);
  expect(await failed("yesterday's")).toEqual(["the log has the links that were written down"]);
});

test.each(["", "0:ab", `1:${"g".repeat(64)}`, "1:"])("returns undefined for %o", (text) => {
  expect(parseChainHead(text)).toBeUndefined();
});
