import { describe, expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { savePlatformSettings } from "#settings/index.ts";
import type { ArtistSettings, PlatformSettings } from "#settings/rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser, dayAhead, press } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));

async function act() {
  const user = await app.make.user({ role: "artist" });
  const artist = await app.make.artist({ userId: user.id, location: "Austin, Texas", baseRate: 150_000 });
  const headers = await app.signIn(user);
  const visitor = browser(app);
  const read = async () => {
    const response = await app.request("/api/artist/settings", { headers });
    return (await response.json()) as { version: number; values: ArtistSettings; artist: Record<string, unknown> };
  };
  const save = async (values: Partial<ArtistSettings>, expected = 200) => {
    const { version } = await read();
    const response = await app.request("/api/artist/settings", { method: "PATCH", headers, body: { values, version } });
    expect(response.status, await response.clone().text()).toBe(expected);
  };
  const shown = async () => (await visitor.json(`/api/artists/${artist.slug}`)).body["cancellation_policy"];
  const offered = async () => {
    const { body } = await visitor.check({ artistId: artist.slug, eventDate: dayAhead(app, 60), eventTime: "20:30" });
    return (body["price"] as Record<string, unknown>)["policy_name"];
  };
  return { artist, visitor, read, save, shown, offered };
}

async function setPlatform(values: Partial<PlatformSettings>) {
  await app.database.transaction(async (tx) => {
    const row = await tx.selectFrom("settings").select("version").where("scope", "=", "platform").executeTakeFirst();
    await savePlatformSettings(tx, { values, version: row?.version ?? 0, by: null });
  });
}

describe("the cancellation policy of an artist", () => {
  test("applies to bookings requested after a change", async () => {
    const { artist, visitor, save, shown, offered } = await act();
    const { body: before } = await visitor.requestBooking({ artistId: artist.slug, eventDate: dayAhead(app, 90) });
    expect([await shown(), await offered()]).toEqual(["standard", "standard"]);
    await save({ policyName: "flexible" });
    expect([await shown(), await offered()]).toEqual(["flexible", "flexible"]);
    const { body: booking } = await visitor.requestBooking({ artistId: artist.slug, eventDate: dayAhead(app, 60) });
    expect(await bookingRow(app, before.id)).toMatchObject({ policy_name: "standard", policy: { name: "standard" } });
    expect(await bookingRow(app, booking.id)).toMatchObject({ policy_name: "flexible", policy: { name: "flexible" } });
    const page = (await visitor.checkout(booking)).body["checkout_url"];
    const text = await (await app.request(new URL(String(page)).pathname)).text();
    expect(text).toMatch(/If you cancel by \d+ \w+, you lose nothing/);
    await press(app, page, "pay");
    app.clock.advance(3 * dayMs);
    const { body: preview } = await visitor.json(`/api/bookings/${booking.id}/cancellation`);
    expect(preview).toMatchObject({ refund_cents: 37_500, artist_keeps_cents: 0 });
  });

  test("falls back to the platform's default when the platform no longer allows it", async () => {
    const { read, save, shown, offered } = await act();
    await save({ policyName: "flexible" });
    await setPlatform({ allowFlexiblePolicy: false, policyName: "strict" });
    expect([await shown(), await offered()]).toEqual(["strict", "strict"]);
    expect((await read()).artist).toMatchObject({ policy_default: "strict", policies: ["standard", "strict"] });
    await save({ minimumNotice: 3 });
    await save({ policyName: "flexible" }, 400);
    await save({ policyName: "standard" });
    expect([await shown(), await offered()]).toEqual(["standard", "standard"]);
    await setPlatform({ allowFlexiblePolicy: true, policyName: "standard" });
  });

  test("always allows the platform's default", async () => {
    const { read, offered } = await act();
    await setPlatform({ allowStandardPolicy: false, allowStrictPolicy: false, policyName: "strict" });
    expect((await read()).artist).toMatchObject({ policies: ["flexible", "strict"] });
    expect(await offered()).toBe("strict");
    await setPlatform({ allowStandardPolicy: true, allowStrictPolicy: true, policyName: "standard" });
  });
});
