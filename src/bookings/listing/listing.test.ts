/** Confirmed shows that the artist lists on the public profile, and the promoter can take off it. */

import { describe, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead, guestOf, peopleOf, sceneOf } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());
const people = peopleOf(() => app);
const scene = sceneOf(() => app);

const place = "The Fox Parlor, Oakland, California";

async function publicScene(given: { type?: string; status?: "contract_signed" | "contract_sent" } = {}) {
  const made = await scene(given.status ?? "contract_signed", { venue: place });
  const { id, event_date: date } = made.booking;
  await app.database.db
    .updateTable("bookings")
    .set({ event_type: given.type ?? "Festival" })
    .where("id", "=", id)
    .execute();
  const shows = async () => (await browser(app).json(`/api/artists/${made.act.slug}`)).body["shows"];
  const list = async (listed = true, by = made.player.at) =>
    (await by.json(`/api/artist/bookings/${id}/listing`, { listed })).status;
  const takeOff = async (by = made.promoter.at) => (await by.json(`/api/bookings/${id}/take-off-profile`, {})).status;
  const listing = async (by = made.player.at) => (await by.json(`/api/bookings/${id}`)).body["listing"];
  return { ...made, id, shows, list, takeOff, listing, shown: { date, town: "Oakland", venue: "The Fox Parlor" } };
}

describe("a listed show", () => {
  test("is on the profile with date, town and venue only while the artist lists it", async () => {
    const { shows, list, listing, promoter, shown } = await publicScene();
    expect([await listing(), await listing(promoter.at), await shows()]).toEqual([
      { state: "off", show: shown },
      null,
      [],
    ]);
    expect(await list()).toBe(200);
    expect(await list()).toBe(200);
    expect([await listing(), await listing(promoter.at)]).toEqual([
      { state: "listed", show: shown },
      { state: "listed", show: shown },
    ]);
    expect(await shows()).toEqual([shown]);
    expect(await list(false)).toBe(200);
    expect(await shows()).toEqual([]);
  });

  test("is taken off by its promoter for good", async () => {
    const { shows, list, takeOff, listing, promoter } = await publicScene();
    await list();
    expect(await takeOff()).toBe(200);
    expect([await shows(), await listing(promoter.at)]).toEqual([[], null]);
    expect(await listing()).toMatchObject({ state: "taken_off" });
    expect([await list(), await list(false), await shows()]).toEqual([409, 409, []]);
  });

  test("cannot be listed again after the promoter took it off while the artist did the same", async () => {
    const { shows, list, takeOff } = await publicScene();
    await list();
    await list(false);
    expect(await takeOff()).toBe(200);
    expect([await list(), await shows()]).toEqual([409, []]);
  });

  test("is listed only by its artist and taken off only by its promoter", async () => {
    const { id, shows, list, takeOff, player } = await publicScene();
    const otherArtist = await people.person("artist");
    const otherPromoter = await people.person("promoter");
    const admin = await people.person("admin");
    const { visitor: otherGuest } = await people.held();
    expect([
      await list(true, browser(app)),
      await list(true, otherArtist.at),
      await list(true, otherPromoter.at),
      await list(true, admin.at),
    ]).toEqual([401, 404, 403, 403]);
    expect(await shows()).toEqual([]);
    await list();
    for (const by of [
      browser(app),
      otherGuest,
      guestOf(app, id),
      otherArtist.at,
      otherPromoter.at,
      admin.at,
      player.at,
    ])
      expect(await takeOff(by)).toBe(404);
    expect(await shows()).toHaveLength(1);
  });

  test("can be taken off by a guest in the browser of the verified mailbox", async () => {
    const player = await people.person("artist");
    const act = await people.artist({ userId: player.user.id });
    const { booking, visitor } = await people.held({ artist: act, status: "contract_signed" });
    await app.database.db
      .updateTable("bookings")
      .set({ event_type: "Festival", listing: "listed" })
      .where("id", "=", booking.id)
      .execute();
    const shows = async () => (await visitor.json(`/api/artists/${act.slug}`)).body["shows"];
    expect(await shows()).toHaveLength(1);
    expect((await visitor.json(`/api/bookings/${booking.id}/take-off-profile`, {})).status).toBe(200);
    expect(await shows()).toEqual([]);
  });

  test.each(["Wedding", "Private party", "Company party"])("is never a %s", async (type) => {
    const { id, shows, list, listing } = await publicScene({ type });
    expect([await list(), await listing(), await shows()]).toEqual([409, null, []]);
    await app.database.db.updateTable("bookings").set({ listing: "listed" }).where("id", "=", id).execute();
    expect([await listing(), await shows()]).toEqual([null, []]);
  });

  test("has a contract signed by both", async () => {
    const { shows, list, listing } = await publicScene({ status: "contract_sent" });
    expect([await list(), await listing(), await shows()]).toEqual([409, null, []]);
  });

  test("disappears when the booking is canceled", async () => {
    const { id, shows, list, player } = await publicScene();
    await list();
    const preview = (await player.at.json(`/api/bookings/${id}/cancellation`)).body;
    const canceled = await player.at.json(`/api/bookings/${id}/cancel`, {
      code: "cannot_perform",
      expected_refund_cents: preview["refund_cents"],
    });
    expect([canceled.status, await shows()]).toEqual([200, []]);
  });

  test("disappears from the profile when it begins, and only five are shown", async () => {
    const { act, shows, list, booking, shown } = await publicScene();
    await list();
    for (const days of [61, 62, 63, 64, 65]) {
      const more = { artist: act, status: "contract_signed" as const, eventDate: dayAhead(app, days), venue: place };
      const { id } = await app.make.booking(more);
      const listed = { event_type: "Festival", listing: "listed" } as const;
      await app.database.db.updateTable("bookings").set(listed).where("id", "=", id).execute();
    }
    expect(await shows()).toEqual([
      shown,
      ...[61, 62, 63, 64].map((days) => ({ ...shown, date: dayAhead(app, days) })),
    ]);
    app.clock.advance(booking.starts_at.getTime() - app.clock.now().getTime() + hourMs);
    // A response is stored until the database changes.
    await people.artist();
    expect(await shows()).toHaveLength(5);
    expect(JSON.stringify(await shows())).not.toContain(booking.event_date);
  });
});
