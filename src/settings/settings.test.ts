import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testPlatform } from "#test/platform.ts";
import { artistDefaults } from "./defaults.rules.ts";
import {
  artistSettings,
  findEsignApiKey,
  platformSettings,
  promoterSettings,
  saveArtistSettings,
  reencryptSettings,
  saveEsignApiKey,
  savePlatformSettings,
  savePromoterSettings,
} from "./index.ts";
import { type ArtistSettings, platformOwner } from "./rules.ts";
import { readSettings } from "./settings.ts";

const platform = closeAfterFile(await testPlatform());

const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("was not refused"),
    (error: unknown) => (error instanceof Problem ? error : expect.fail(String(error))),
  );
const artistId = "8a7b1f9e-0000-4000-8000-000000000001";
const userId = "8a7b1f9e-0000-4000-8000-000000000002";

test("returns the defaults of a new platform and stores nothing", async () => {
  expect((await platformSettings(platform.database.db)).depositPercent).toBe(25);
  expect(await platform.database.db.selectFrom("settings").selectAll().execute()).toEqual([]);
});

test("returns saved values, and the defaults of the rest", async () => {
  const { version } = await readSettings(platform.database.db, "platform", platformOwner);
  const saved = await platform.database.transaction((tx) =>
    savePlatformSettings(tx, { values: { depositPercent: 40, primaryColor: "#AA0011" }, version, by: null }),
  );
  expect(saved).toMatchObject({
    version: version + 1,
    values: { depositPercent: 40, primaryColor: "#aa0011", currency: "usd" },
  });
  expect(await platformSettings(platform.database.db)).toEqual(saved.values);
});

test("refuses a minimum notice above the maximum advance, of which either is stored or given", async () => {
  const owner = "8a7b1f9e-0000-4000-8000-000000000004";
  const save = (values: Partial<ArtistSettings>, version: number) =>
    platform.database.transaction((tx) => saveArtistSettings(tx, owner, { values, version, by: userId }));
  await save({ minimumNotice: 10, maximumBookingDays: 10 }, 0);
  const { message, data } = await problemOf(save({ minimumNotice: 11 }, 1));
  expect(message).toBe("The minimum notice of 11 days is longer than the maximum advance booking of 10 days.");
  expect(data).toEqual({ fields: [{ field: "values.minimumNotice", message }] });
  const tooFew = await problemOf(save({ maximumBookingDays: 1 }, 1));
  expect(tooFew.message).toMatch(/ of 10 days is longer than the maximum advance booking of 1 day\.$/);
  expect(tooFew.data).toMatchObject({ fields: [{ field: "values.maximumBookingDays" }] });
});

test("stores only what was given, and replaces stored values that are not allowed by defaults", async () => {
  const { db } = platform.database;
  const owner = "8a7b1f9e-0000-4000-8000-000000000003";
  const stored = async () =>
    (await db.selectFrom("settings").select("value").where("owner_id", "=", owner).executeTakeFirstOrThrow()).value;
  const save = (values: Partial<ArtistSettings>, version: number) =>
    platform.database.transaction((tx) => saveArtistSettings(tx, owner, { values, version, by: userId }));
  const { values } = await save({ availabilityNote: "weekends" }, 0);
  expect(values).toEqual({ ...artistDefaults, availabilityNote: "weekends" });
  expect(await stored()).toEqual({ availabilityNote: "weekends" });
  await save({ minimumNotice: artistDefaults.minimumNotice }, 1);
  expect(await stored()).toEqual({ availabilityNote: "weekends", minimumNotice: artistDefaults.minimumNotice });
  await db
    .updateTable("settings")
    .set({ value: JSON.stringify({ holdDays: -1, unknown: 1 }) })
    .where("owner_id", "=", owner)
    .execute();
  await save({ bufferBefore: 30 }, 2);
  expect(await stored()).toEqual({ holdDays: artistDefaults.holdDays, unknown: 1, bufferBefore: 30 });
});

test("refuses one of two concurrent first changes", async () => {
  const first = (note: string) =>
    platform.database.transaction((tx) =>
      saveArtistSettings(tx, artistId, { values: { availabilityNote: note }, version: 0, by: userId }),
    );
  const outcomes = await Promise.allSettled([first("weekends"), first("weekdays")]);
  expect(outcomes.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(["weekends", "weekdays"]).toContain((await artistSettings(platform.database.db, artistId)).availabilityNote);
});

test("refuses a value out of bounds and an unknown name", async () => {
  const save = (values: object) =>
    platform.database.transaction((tx) => savePromoterSettings(tx, userId, { values, version: 0, by: userId }));
  expect((await problemOf(save({ defaultEventDuration: 25 }))).status).toBe(400);
  expect((await problemOf(save({ role: "admin" }))).status).toBe(400);
  expect((await promoterSettings(platform.database.db, userId)).defaultEventDuration).toBe(3);
});

test("stores each signing service's key encrypted, retains it at other changes and deletes each separately", async () => {
  const { db } = platform.database;
  const { keys } = platform.services;
  const transaction: Database["transaction"] = (work) => platform.database.transaction(work);
  const store = (service: "docuseal" | "docusign", apiKey: string) =>
    transaction((tx) => saveEsignApiKey(tx, keys, { service, apiKey }, null));
  const found = async () => [await findEsignApiKey(db, keys, "docuseal"), await findEsignApiKey(db, keys, "docusign")];
  await store("docuseal", "a-very-secret-key");
  await store("docusign", "another-secret-key");
  const { version, values } = await readSettings(db, "platform", platformOwner);
  expect(JSON.stringify(values)).not.toContain("secret");
  await transaction((tx) => savePlatformSettings(tx, { values: { depositPercent: 30 }, version, by: null }));
  const stored = async () =>
    JSON.stringify(
      await db.selectFrom("settings").select("value").where("scope", "=", "platform").executeTakeFirstOrThrow(),
    );
  const before = await stored();
  expect(before).not.toMatch(/a-very-secret-key|another-secret-key/);
  expect(await found()).toEqual(["a-very-secret-key", "another-secret-key"]);
  await transaction((tx) => reencryptSettings(tx, keys));
  expect(await stored()).not.toBe(before);
  expect(await found()).toEqual(["a-very-secret-key", "another-secret-key"]);
  await store("docuseal", "");
  expect(await found()).toEqual([undefined, "another-secret-key"]);
});

test("assigns the one key of an older version to the signing service of the settings", async () => {
  const { db } = platform.database;
  const { keys } = platform.services;
  const migration = readFileSync("migrations/0361_key_of_each_signing_service.sql", "utf8")
    // Renamed by a later migration.
    .replace("provider_asked_at", "provider_requested_at");
  const stored = keys.encrypt("settings esignApiKey", "the-only-key");
  for (const [esignProvider, service] of [
    ["docusign", "docusign"],
    ["docuseal", "docuseal"],
    ["embedded", "docuseal"],
  ] as const) {
    const value = JSON.stringify({ esignProvider, depositPercent: 30, esignApiKeySealed: stored });
    await db.updateTable("settings").set({ value }).where("scope", "=", "platform").execute();
    await sql.raw(migration).execute(db);
    const found = [await findEsignApiKey(db, keys, "docuseal"), await findEsignApiKey(db, keys, "docusign")];
    expect(found).toEqual(service === "docuseal" ? ["the-only-key", undefined] : [undefined, "the-only-key"]);
    expect((await readSettings(db, "platform", platformOwner)).values.depositPercent).toBe(30);
  }
});
