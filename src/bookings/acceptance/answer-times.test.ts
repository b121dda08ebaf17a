/** The profile's figures of how fast the artist answers requests without a deposit. */

import { describe, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead, peopleOf, verifyMailbox } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { expireUnpaid } from "../jobs.ts";

const app = closeAfterFile(await testApp());
const people = peopleOf(() => app);

describe("answers of the profile", () => {
  test("counts accepted, declined and unanswered requests by time from the fifth on, and none with a deposit", async () => {
    const { user } = await people.person("artist");
    const artist = await people.artist({ userId: user.id });
    const set = (requireDeposit: boolean) =>
      app.database.transaction((tx) => changeArtistSettings(tx, artist.id, { requireDeposit }, user.id));
    await set(false);
    const visitor = browser(app);
    const request = async (days: number) => {
      const { status, body } = await visitor.requestBooking({
        artistId: artist.slug,
        clientEmail: `host-${days}@whitt.example`,
        eventDate: dayAhead(app, days),
      });
      expect(status).toBe(201);
      await app.settle();
      return body.id;
    };
    const answer = async (id: string, what: "accept" | "decline") => {
      const owner = browser(app, await app.signIn(user));
      expect((await owner.json(`/api/artist/bookings/${id}/${what}`, {})).status).toBe(200);
    };
    const answers = async () => (await visitor.json(`/api/artists/${artist.slug}`)).body["answers"];

    await answer(await request(60), "decline");
    const [second, third, withdrawn] = [await request(61), await request(62), await request(63)];
    app.clock.advance(2 * hourMs);
    await answer(second, "decline");
    app.clock.advance(20 * hourMs);
    await verifyMailbox(app, visitor, third);
    await answer(third, "accept");
    await verifyMailbox(app, visitor, withdrawn);
    const canceled = await visitor.json(`/api/bookings/${withdrawn}/cancel`, {
      code: "plans_changed",
      expected_refund_cents: 0,
    });
    expect(canceled.status).toBe(200);
    await request(64);
    app.clock.advance(72 * hourMs);
    await expireUnpaid(app.services);
    expect(await answers()).toBeNull();
    const fifth = await request(65);
    app.clock.advance(25 * hourMs);
    await answer(fifth, "decline");
    expect(await answers()).toEqual({ requests: 5, within_3_hours: 2, within_a_day: 1 });
    await set(true);
    expect(await answers()).toBeNull();
    await set(false);
    app.clock.advance(370 * 24 * hourMs);
    expect(await answers()).toBeNull();
  });
});
