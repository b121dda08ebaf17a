import { describe, expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser, dayAhead, peopleOf } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import { attachRequestsTo } from "../lifecycle/transitions.ts";
import { listArtistBookings } from "./own-lists.views.ts";

const app = closeAfterFile(await testApp());

const { artist, person } = peopleOf(() => app);

describe("the booking lists", () => {
  test("return one month of the caller's own bookings to artist and promoter, from its first to its last day", async () => {
    const mine = await person("artist");
    const promoter = await person("promoter");
    const rival = await person("promoter");
    const act = await artist({ userId: mine.user.id });
    for (const eventDate of ["2028-01-31", "2028-02-01", "2028-02-29", "2028-03-01"])
      await app.make.booking({ artist: act, eventDate, promoterUserId: promoter.user.id });
    await app.make.booking({ eventDate: "2028-02-10", promoterUserId: rival.user.id });
    await app.make.booking({ eventDate: "2028-02-11" });
    for (const [at, address] of [
      [mine.at, "/api/artist/bookings"],
      [promoter.at, "/api/promoter/bookings"],
    ] as const) {
      const days = async (month: string) =>
        ((await at.json(`${address}?month=${month}`)).body["items"] as { event_date: string }[]).map(
          ({ event_date: day }) => day,
        );
      expect(await days("2028-02")).toEqual(["2028-02-01", "2028-02-29"]);
      expect(await days("2028-04")).toEqual([]);
      for (const month of ["2028-13", "2028-2", "0028-02", "x"])
        expect((await at.json(`${address}?month=${month}`)).status).toBe(400);
    }
  });

  test("return their own bookings to each user and all to the admin, with contacts once the contract is signed", async () => {
    const mine = await person("artist");
    const other = await person("artist");
    const act = await artist({ userId: mine.user.id });
    const foreign = await artist({ userId: other.user.id });
    const promoter = await person("promoter");
    const early = await app.make.booking({
      artist: act,
      eventDate: dayAhead(app, 40),
      promoterUserId: promoter.user.id,
      status: "contract_signed",
    });
    const late = await app.make.booking({
      artist: act,
      eventDate: dayAhead(app, 80),
      promoterName: "Under_score Hall",
    });
    const theirs = await app.make.booking({
      artist: foreign,
      eventDate: dayAhead(app, 20),
      promoterUserId: promoter.user.id,
    });
    type Items = { id: string; promoter_email: string | null; payments: unknown[] }[];
    const list = async (at: ReturnType<typeof browser>, address: string) =>
      (await at.json(address)).body["items"] as Items;

    const seen = await list(mine.at, "/api/artist/bookings");
    expect(seen.map((one) => one.id)).toEqual([early.id, late.id]);
    expect(seen.map((one) => one.promoter_email !== null)).toEqual([true, false]);
    expect(seen[0]?.payments).toMatchObject([{ kind: "deposit", amount: 37_500, status: "succeeded" }]);
    expect((await list(promoter.at, "/api/promoter/bookings")).map((one) => one.id)).toEqual([theirs.id, early.id]);
    const admin = await person("admin");
    const found = await list(admin.at, `/api/admin/bookings?search=${encodeURIComponent("under_SCORE")}&status=all`);
    expect(found.map((one) => one.id)).toEqual([late.id]);
    expect(await list(admin.at, "/api/admin/bookings?search=Underxscore")).toEqual([]);
    const walked: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { body } = await admin.at.json(`/api/admin/bookings?limit=2&status=initiated&cursor=${cursor}`);
      walked.push(...(body["items"] as Items).map((one) => one.id));
      cursor = body["nextCursor"] as string | null;
    }
    const all = await app.database.db
      .selectFrom("bookings")
      .select("id")
      .where("status", "=", "initiated")
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .execute();
    expect(walked).toEqual(all.map((row) => row.id));
    for (const [at, address] of [
      [promoter.at, "/api/admin/bookings"],
      [promoter.at, "/api/artist/bookings"],
      [mine.at, "/api/promoter/bookings"],
    ] as const)
      expect((await at.json(address)).status).toBe(403);
    expect((await browser(app).json("/api/admin/bookings")).status).toBe(401);
  });

  test("return a user's own bookings by event date and start time, upcoming or past with the latest first, page by page", async () => {
    const mine = await person("artist");
    const act = await artist({ userId: mine.user.id });
    const promoter = await person("promoter");
    const made: { id: string; days: number; eventTime: string }[] = [];
    const shows: [days: number, eventTime: string][] = [30, -50, 10, -2, 10, -50, 90, 1].map((days) => [days, "20:00"]);
    shows.push([10, "16:00"], [10, "18:30"], [10, "16:00"], [-50, "09:15"]);
    for (const [days, eventTime] of shows) {
      const eventDate = dayAhead(app, days);
      const now = new Date(app.clock.now().getTime() - 60 * dayMs);
      const { id } = await app.make.booking({
        artist: act,
        eventDate,
        eventTime,
        promoterUserId: promoter.user.id,
        status: days > 0 && days < 90 ? "initiated" : "canceled",
        now,
      });
      made.push({ id, days, eventTime });
    }
    const inOrder = (some: typeof made) =>
      some
        .toSorted((a, b) => a.days - b.days || (a.eventTime + a.id < b.eventTime + b.id ? -1 : 1))
        .map((one) => one.id);
    for (const [at, address] of [
      [mine.at, "/api/artist/bookings"],
      [promoter.at, "/api/promoter/bookings"],
    ] as const) {
      const walk = async (query: string) => {
        const walked: string[] = [];
        for (let cursor: string | null = ""; cursor !== null;) {
          const { body } = await at.json(`${address}?limit=2&${query}&cursor=${cursor}`);
          walked.push(...(body["items"] as { id: string }[]).map((one) => one.id));
          cursor = body["nextCursor"] as string | null;
        }
        return walked;
      };
      expect(await walk("")).toEqual(inOrder(made));
      // The booking on day 90 is canceled, so it is not upcoming.
      const ahead = made.filter((one) => one.days > 0 && one.days < 90);
      expect(await walk("show=upcoming")).toEqual(inOrder(ahead));
      expect(await walk("show=past")).toEqual(inOrder(made.filter((one) => !ahead.includes(one))).toReversed());
      expect((await at.json(`${address}?show=someday`)).status).toBe(400);
    }
  });

  test("return a show of tonight as upcoming until it has ended", async () => {
    const mine = await person("artist");
    const act = await artist({ userId: mine.user.id });
    const { id } = await app.make.booking({ artist: act, eventDate: dayAhead(app, 20) });
    const { ends_at: ends } = await bookingRow(app, id);
    const listed = async (show: string) =>
      ((await mine.at.json(`/api/artist/bookings?show=${show}`)).body["items"] as { id: string }[]).map(
        (one) => one.id,
      );
    expect([await listed("upcoming"), await listed("past")]).toEqual([[id], []]);
    const at = async (moment: number, show: "upcoming" | "past") =>
      (
        await listArtistBookings(
          app.database.db,
          mine.user.id,
          { show },
          { now: new Date(ends.getTime() + moment), payments: true },
        )
      ).items.length;
    expect([await at(-1, "upcoming"), await at(-1, "past")]).toEqual([1, 0]);
    expect([await at(0, "upcoming"), await at(0, "past")]).toEqual([0, 1]);
  });

  test("assign a request to the account with its verified email address, immediately or after the verification", async () => {
    const promoter = await person("promoter");
    const act = await artist();
    const { body } = await browser(app).requestBooking({
      artistId: act.slug,
      clientEmail: promoter.user.email.toUpperCase(),
    });
    expect(await bookingRow(app, body.id)).toMatchObject({ promoter_user_id: promoter.user.id });
    const later = await app.make.user({ role: "promoter", confirmed: false });
    const waiting = await browser(app).requestBooking({ artistId: act.slug, clientEmail: later.email });
    expect(await bookingRow(app, waiting.body.id)).toMatchObject({ promoter_user_id: null });
    await app.database.db
      .updateTable("users")
      .set({ email_confirmed_at: app.clock.now() })
      .where("id", "=", later.id)
      .execute();
    await app.database.transaction((tx) => attachRequestsTo(tx, { userId: later.id }));
    expect(await bookingRow(app, waiting.body.id)).toMatchObject({ promoter_user_id: later.id });
  });
});
