import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { floor } from "#test/floor.ts";
import {
  artistSettings,
  findEsignApiKey,
  platformSettings,
  promoterSettings,
  saveArtistSettings,
  saveEsignApiKey,
  savePlatformSettings,
  savePromoterSettings,
} from "./index.ts";
import { read } from "./settings.ts";
import { platformOwner } from "./store.ts";

let home: Awaited<ReturnType<typeof floor>>;
beforeAll(async () => {
  home = await floor();
});
afterAll(async () => home[Symbol.asyncDispose]());

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("was not refused"),
    (error: unknown) => (error instanceof Problem ? error : expect.fail(String(error))),
  );
const artistId = "8a7b1f9e-0000-4000-8000-000000000001";
const userId = "8a7b1f9e-0000-4000-8000-000000000002";

test("a fresh platform has the defaults, and reading stores nothing", async () => {
  expect((await platformSettings(home.database.db)).depositPercent).toBe(25);
  expect(await home.database.db.selectFrom("settings").selectAll().execute()).toEqual([]);
});

test("what was saved holds, and the rest keeps its default", async () => {
  const { version } = await read(home.database.db, "platform", platformOwner);
  const saved = await home.database.transaction((tx) =>
    savePlatformSettings(tx, { values: { depositPercent: 40, primaryColor: "#AA0011" }, version, by: null }),
  );
  expect(saved).toMatchObject({
    version: version + 1,
    values: { depositPercent: 40, primaryColor: "#aa0011", currency: "usd" },
  });
  expect(await platformSettings(home.database.db)).toEqual(saved.values);
});

test("a stale change is refused with the fresh state, and changes nothing", async () => {
  const now = await read(home.database.db, "platform", platformOwner);
  const problem = await refusal(
    home.database.transaction((tx) =>
      savePlatformSettings(tx, { values: { depositPercent: 1 }, version: now.version - 1, by: null }),
    ),
  );
  expect(problem.status).toBe(409);
  expect(problem.data).toEqual(now);
  expect(await read(home.database.db, "platform", platformOwner)).toEqual(now);
});

test("of two first changes at once, one is refused", async () => {
  const first = (note: string) =>
    home.database.transaction((tx) =>
      saveArtistSettings(tx, artistId, { values: { availabilityNote: note }, version: 0, by: userId }),
    );
  const outcomes = await Promise.allSettled([first("weekends"), first("weekdays")]);
  expect(outcomes.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(["weekends", "weekdays"]).toContain((await artistSettings(home.database.db, artistId)).availabilityNote);
});

test("a value out of bounds and an unknown name are refused", async () => {
  const save = (values: object) =>
    home.database.transaction((tx) => savePromoterSettings(tx, userId, { values, version: 0, by: userId }));
  expect((await refusal(save({ defaultEventDuration: 25 }))).status).toBe(400);
  expect((await refusal(save({ role: "admin" }))).status).toBe(400);
  expect((await promoterSettings(home.database.db, userId)).defaultEventDuration).toBe(3);
});

test("the signing service's key is stored encrypted, survives other changes and can be forgotten", async () => {
  const { db } = home.database;
  const transaction: Database["transaction"] = (work) => home.database.transaction(work);
  await transaction((tx) => saveEsignApiKey(tx, home.services.keys, "a-very-secret-key", null));
  const { version, values } = await read(db, "platform", platformOwner);
  expect(JSON.stringify(values)).not.toContain("secret");
  await transaction((tx) => savePlatformSettings(tx, { values: { depositPercent: 30 }, version, by: null }));
  const row = await db.selectFrom("settings").select("value").where("scope", "=", "platform").executeTakeFirstOrThrow();
  expect(JSON.stringify(row.value)).not.toContain("a-very-secret-key");
  expect(await findEsignApiKey(db, home.services.keys)).toBe("a-very-secret-key");
  await transaction((tx) => saveEsignApiKey(tx, home.services.keys, "", null));
  expect(await findEsignApiKey(db, home.services.keys)).toBeUndefined();
});
