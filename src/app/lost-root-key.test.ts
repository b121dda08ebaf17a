import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { browser } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { testComponent } from "./components/test-component.ts";

const guide = readFileSync(path.resolve(import.meta.dirname, "../../docs/operate/keys.md"), "utf8");
const statements = /## A lost key[\s\S]*?```sql\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
const freshKey = () => ({ SECRETS_KEY: randomBytes(32).toString("base64") });

test("the guide's statements let the site work again with a new root key after the former one was lost", async () => {
  await using before = await testApp({ env: freshKey() });
  const { database, dataDir, clock } = before;
  const [admin, owner] = [await before.make.user({ role: "admin" }), await before.make.user({ role: "artist" })];
  const artist = await before.make.artist({ userId: owner.id });
  const own = browser(before, await before.signIn(owner));
  const connection = { server_url: "https://dav.example.org/", username: "riley", password: "an app password" };
  expect((await own.json("/api/me/calendar-connections", connection)).status).toBeLessThan(300);
  expect((await own.json("/api/me/calendar-feeds/private/renew", {})).status).toBe(200);
  await database.db
    .insertInto("external_calendars")
    .values({
      artist_id: artist.id,
      name: "Other",
      url_sealed: before.services.keys.encrypt("external calendar", "https://calendar.example.org/own.ics"),
      url_host: "calendar.example.org",
    })
    .execute();
  const esignKey = { method: "PUT", body: { service: "docuseal", api_key: "key-of-the-signing-service" } };
  const asAdmin = { ...esignKey, headers: await before.signIn(admin) };
  expect((await before.request("/api/admin/settings/esign-key", asAdmin)).status).toBe(200);

  await database.exec(statements);
  const newKey = freshKey();
  await using after = await testApp({ env: newKey, beside: { database, dataDir, clock } });
  expect(after.services.keys.installation).toBe(before.services.keys.installation);
  const headers = await after.signIn(admin);
  const settings = await after.json<{ esign_keys: object }>("/api/admin/settings", { headers });
  expect(settings.body.esign_keys).toMatchObject({ docuseal: { stored: false } });
  expect((await after.request("/api/admin/settings/esign-key", { ...esignKey, headers })).status).toBe(200);
  const again = browser(after, await after.signIn(owner));
  expect((await again.json("/api/me/calendar-feeds")).status).toBe(200);
  expect((await again.json("/api/me/calendar-connections")).body).toEqual({ items: [] });
  const unread = { name: "Mine", url: "https://127.0.0.1/own.ics" };
  expect((await again.json("/api/artist/external-calendars", unread)).status).toBe(400);
  const calendars = await testComponent(after.services, "calendars");
  expect(calendars.message).toContain("The only calendar cannot be read.");

  const renewed = { ...freshKey(), SECRETS_KEY_OLD: newKey.SECRETS_KEY };
  await using rotated = await testApp({ env: renewed, beside: { database, dataDir, clock } });
  expect((await rotated.request("/api/admin/settings", { headers: await rotated.signIn(admin) })).status).toBe(200);
});
