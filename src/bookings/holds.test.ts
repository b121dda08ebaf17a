import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browser, claims, follow } from "#test/bookings.ts";
import { world, type World } from "#test/world.ts";
import { sweepHolds } from "./jobs.ts";

const minute = 60_000;
const inAustin = { location: "Austin, Texas" };

describe("a hold is not renewed", () => {
  let w: World;
  beforeAll(async () => {
    w = await world({ env: { RATE_LIMITS: "on" } });
  });
  afterAll(() => w.close());

  async function holding() {
    const act = await w.make.artist(inAustin);
    const visitor = browser(w);
    const { body: booking } = await visitor.ask({ artistId: act.slug, clientEmail: `${act.slug}@whitt.example` });
    const { body: opened, status } = await visitor.checkout(booking);
    expect(status).toBe(200);
    return { act, visitor, booking, opened };
  }

  test.each([
    ["the moment it ends", 31, false],
    ["a minute after, when the provider has ended the page", 32, true],
    ["after the grace", 37, true],
  ])("%s", async (_when, minutes, settled) => {
    const { act, visitor, booking } = await holding();
    w.clock.advance(minutes * minute);
    if (settled) await w.services.sandbox?.settle();
    const again = await visitor.checkout(booking);
    expect([again.status, again.body["message"]]).toEqual([429, expect.stringMatching(/^You have just held/)]);
    expect((await visitor.checkout(booking)).status).toBe(429);
    await follow(w);
    w.clock.advance(6 * minute);
    await sweepHolds(w.services);
    await follow(w);
    expect(await claims(w, act.id)).toEqual([]);
    const other = browser(w);
    const { body } = await other.ask({ artistId: act.slug, clientEmail: `sam-${act.slug}@other.example` });
    expect((await other.checkout(body)).status).toBe(200);
  });

  test("for hours, however often it is asked for", async () => {
    const { act, visitor, booking } = await holding();
    let free = 0;
    for (let time = 0; time < 30; time++) {
      w.clock.advance(5 * minute);
      await visitor.checkout(booking);
      await sweepHolds(w.services);
      await follow(w);
      if ((await claims(w, act.id)).length === 0) free += 1;
    }
    expect(free).toBeGreaterThanOrEqual(10);
  });

  test("within its half hour the same page is answered, with the same end", async () => {
    const { visitor, booking, opened } = await holding();
    w.clock.advance(20 * minute);
    const { body } = await visitor.checkout(booking);
    expect([body["session_id"], body["held_until"]]).toEqual([opened["session_id"], opened["held_until"]]);
  });

  test("by calls that the provider did not answer; only one that it was never asked about starts anew", async () => {
    const { visitor, booking } = await holding();
    const ends = async () =>
      (
        await w.database.db
          .selectFrom("date_claims")
          .select("expires_at")
          .where("booking_id", "=", booking.id)
          .executeTakeFirstOrThrow()
      ).expires_at?.getTime();
    const first = await ends();
    const forget = (more: { asked_at?: null; intent: "reserved" | "closed" }) =>
      w.database.transaction(async (tx) => {
        const lost = { provider_ref: null, checkout_url: null, asking_until: null, ...more };
        await tx.updateTable("payments").set(lost).where("booking_id", "=", booking.id).execute();
      });
    w.clock.advance(10 * minute);
    await forget({ intent: "reserved" });
    expect((await visitor.checkout(booking)).status).toBe(200);
    expect(await ends()).toBe(first);
    await forget({ intent: "closed", asked_at: null });
    expect((await visitor.checkout(booking)).status).toBe(200);
    expect(Math.round(((await ends()) ?? 0) / minute) - Math.round((first ?? 0) / minute)).toBe(10);
  });

  test("an hour later the date can be held again", async () => {
    const { visitor, booking } = await holding();
    w.clock.advance(32 * minute);
    await w.services.sandbox?.settle();
    await follow(w);
    w.clock.advance(31 * minute);
    expect((await visitor.checkout(booking)).status).toBe(200);
  });
});
