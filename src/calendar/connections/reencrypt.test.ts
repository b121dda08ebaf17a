import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { loadKeys } from "#platform/security/keys.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { peopleOf } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { reencryptFeeds } from "../feeds/index.ts";
import { reencryptExternalCalendars } from "../import/index.ts";
import { reencryptConnections } from "./index.ts";

const [first, second] = [randomBytes(32), randomBytes(32)];
const app = closeAfterFile(await testApp({ env: { SECRETS_KEY: first.toString("base64") } }));

const startWith = (secretsKey: Buffer, secretsKeyOld?: Buffer) =>
  loadKeys(app.services.database, { secretsKey, secretsKeyOld, dataDir: "/nowhere" }, async (tx, keys) => {
    await reencryptFeeds(tx, keys);
    await reencryptExternalCalendars(tx, keys);
    await reencryptConnections(tx, keys);
  });

test("retains readable feeds, imported calendars and passwords of connections after a change of the root key", async () => {
  const { user, at } = await peopleOf(() => app).person("artist");
  const artist = await app.make.artist({ userId: user.id });
  await at.json("/api/me/calendar-connections", {
    server_url: "https://dav.example.org/",
    username: "riley",
    password: "an app password",
  });
  const { db } = app.services.database;
  const address = "https://calendar.example.org/own.ics";
  const url_sealed = app.services.keys.encrypt("external calendar", address);
  await db
    .insertInto("external_calendars")
    .values({ artist_id: artist.id, name: "Other", url_sealed, url_host: "calendar.example.org" })
    .execute();
  const feeds = async () => (await at.json("/api/me/calendar-feeds")).body["items"];
  await at.json("/api/me/calendar-feeds/private/renew", {});
  const before = await feeds();
  expect(JSON.stringify(before)).toContain(".ics");

  Object.assign(app.services, { keys: await startWith(second, first) });
  const keys = await startWith(second);
  expect(await feeds()).toEqual(before);
  const connection = await db.selectFrom("calendar_connections").select("password_sealed").executeTakeFirstOrThrow();
  expect(keys.decrypt("calendar connection", connection.password_sealed)).toBe("an app password");
  const external = await db.selectFrom("external_calendars").select("url_sealed").executeTakeFirstOrThrow();
  expect(keys.decrypt("external calendar", external.url_sealed)).toBe(address);
});
