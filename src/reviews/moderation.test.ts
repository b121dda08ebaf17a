import { beforeEach, describe, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";
import type { BookingReviews, ModeratedReview } from "./api.ts";

const app = closeAfterFile(await testApp());
type Headers = Record<string, string>;
type Failure = { code: string; message: string };
type Listed = { items: ModeratedReview[]; nextCursor: string | null; total: number };

const call = async <T = BookingReviews>(address: string, headers: Headers = {}, body?: unknown) => {
  const response = await app.request(address, { headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, body: (await response.json()) as T };
};

async function person(role: "admin" | "artist" | "promoter") {
  const user = await app.make.user({ role });
  return { id: user.id, email: user.email, headers: await app.signIn(user) };
}

const admin = await person("admin");

const reason = "It names my home address.";
const answerText = { body: "Thank you, the room was wonderful." };

async function reviewedShow({ published = true } = {}) {
  const [artistUser, promoter] = await Promise.all([person("artist"), person("promoter")]);
  const artist = await app.make.artist({ userId: artistUser.id });
  const booking = await app.make.booking({ artistId: artist.id, status: "completed", promoterUserId: promoter.id });
  const review = (by: "promoter" | "artist", rating: number) =>
    app.database.db
      .insertInto("reviews")
      .values({
        booking_id: booking.id,
        artist_id: artist.id,
        written_by: by,
        author_name: by,
        author_user_id: (by === "promoter" ? promoter : artistUser).id,
        rating,
        body: `What the ${by} says.`,
        created_at: app.clock.now(),
        published_at: published ? app.clock.now() : null,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
  const [ofPromoter, ofArtist] = [await review("promoter", 2), await review("artist", 5)];
  const profile = async () =>
    (
      await call<{ rating: number; review_count: number; reviews: { reply: object | null }[] }>(
        `/api/artists/${artist.slug}`,
      )
    ).body;
  const read = async (headers: Headers) => (await call(`/api/bookings/${booking.id}/reviews`, headers)).body;
  return { artist, artistUser, promoter, booking, ofPromoter, ofArtist, profile, read };
}

/** Returns the template and recipient of each message about the booking. */
async function emailsOf({ booking }: Show) {
  await app.settle();
  const messages = app.database.db.selectFrom("messages").select(["template", "recipient"]);
  return (await messages.where("ref_id", "=", booking.id).orderBy("created_at").execute()).map((one) => [
    one.template,
    one.recipient,
  ]);
}
type Show = Awaited<ReturnType<typeof reviewedShow>>;

const moderated = async (state: "reported" | "hidden", more = "") =>
  (await call<Listed>(`/api/admin/reviews?state=${state}${more}`, admin.headers)).body;

describe("artist's reply", () => {
  const answer = (show: Show, headers: Headers, body: object = answerText) =>
    call<BookingReviews & Failure>(`/api/artist/reviews/${show.ofPromoter.id}/reply`, headers, body);

  test("is displayed once beside the review, to all users", async () => {
    const show = await reviewedShow();
    const { status, body } = await answer(show, show.artistUser.headers);
    expect([status, body.items[0]?.reply?.body]).toEqual([201, answerText.body]);
    expect((await show.profile()).reviews[0]?.reply).toMatchObject(answerText);
    const listed = await call<{ items: { reply: object }[] }>(`/api/artists/${show.artist.slug}/reviews`);
    expect(listed.body.items[0]?.reply).toMatchObject(answerText);
    expect(await emailsOf(show)).toEqual([["review_changed", show.booking.promoter_email]]);
    const again = await answer(show, show.artistUser.headers);
    expect([again.status, again.body.message]).toEqual([409, "You have already answered this review."]);
  });

  test("is allowed only to the reviewed artist, and not for an unpublished, hidden or own review", async () => {
    const show = await reviewedShow();
    const other = await person("artist");
    expect((await answer(show, other.headers)).body).toMatchObject({ code: "PGRST116", message: "Review not found" });
    expect((await answer(show, show.promoter.headers)).status).toBe(403);
    expect((await answer(show, show.artistUser.headers, { body: " " })).status).toBe(400);
    const own = await call(`/api/artist/reviews/${show.ofArtist.id}/reply`, show.artistUser.headers, answerText);
    expect(own.status).toBe(404);
    expect((await answer(await reviewedShow({ published: false }), show.artistUser.headers)).status).toBe(404);
    await call(`/api/admin/reviews/${show.ofPromoter.id}/hide`, admin.headers, { reason });
    expect((await answer(show, show.artistUser.headers)).status).toBe(404);
  });
});

describe("report of a review", () => {
  const report = (id: string, headers: Headers, body: object = { reason }) =>
    call<BookingReviews & Failure>(`/api/reviews/${id}/report`, headers, body);

  beforeEach(async () => {
    await app.database.db.deleteFrom("review_reports").execute();
  });

  test("is allowed once to the reviewed party, and is listed for admins, oldest first, page by page", async () => {
    const [one, two] = [await reviewedShow(), await reviewedShow()];
    const { status, body } = await report(one.ofPromoter.id, one.artistUser.headers);
    expect([status, body.items[0]?.can.report]).toEqual([201, false]);
    app.clock.advance(1_000);
    expect((await report(two.ofArtist.id, two.promoter.headers)).status).toBe(201);
    expect((await report(one.ofPromoter.id, one.artistUser.headers)).body.message).toBe(
      "This review has already been reported.",
    );
    const first = await moderated("reported", "&limit=1");
    expect(first.items).toMatchObject([
      { id: one.ofPromoter.id, booking_number: one.booking.number, report: { reason, decision: null }, hidden: null },
    ]);
    const second = await moderated("reported", `&limit=1&cursor=${first.nextCursor}`);
    expect(second.items.map(({ id }) => id)).toEqual([two.ofArtist.id]);
    expect(second.nextCursor).toBeNull();
  });

  test("is refused for the author, strangers and visitors, and without a reason", async () => {
    const show = await reviewedShow();
    const stranger = await person("promoter");
    expect((await report(show.ofPromoter.id, show.promoter.headers)).status).toBe(404);
    expect((await report(show.ofPromoter.id, stranger.headers)).body.message).toBe("Review not found");
    expect((await report(show.ofPromoter.id, {})).status).toBe(401);
    expect((await report(show.ofPromoter.id, show.artistUser.headers, { reason: "bad" })).status).toBe(400);
    const unpublished = await reviewedShow({ published: false });
    expect((await report(unpublished.ofPromoter.id, unpublished.artistUser.headers)).status).toBe(404);
    expect((await moderated("reported")).items).toEqual([]);
  });

  test("is decided once, by hiding or keeping the review", async () => {
    const show = await reviewedShow();
    await report(show.ofPromoter.id, show.artistUser.headers);
    const reported = async () => (await show.read(show.artistUser.headers)).items.map((one) => one.reported);
    expect(await reported()).toContain("open");
    expect(await emailsOf(show)).toContainEqual(["money_alarm", admin.email]);
    const keep = () =>
      call<ModeratedReview & Failure>(`/api/admin/reviews/${show.ofPromoter.id}/keep`, admin.headers, {});
    expect((await keep()).body.report?.decision).toBe("kept");
    expect(await reported()).toContain("kept");
    const emails = async () => (await emailsOf(show)).filter(([template]) => template === "review_changed");
    expect(await emails()).toEqual([["review_changed", show.artistUser.email]]);
    expect((await moderated("reported")).items).toEqual([]);
    expect((await keep()).status).toBe(409);
    const other = await reviewedShow();
    await report(other.ofPromoter.id, other.artistUser.headers);
    await call(`/api/admin/reviews/${other.ofPromoter.id}/hide`, admin.headers, { reason });
    const [artist, promoter] = [other.artistUser.email, other.booking.promoter_email];
    const hidden = (await emailsOf(other)).filter(([template]) => template === "review_changed");
    expect(new Set(hidden.map(([, to]) => to))).toEqual(new Set([artist, promoter]));
    await call(`/api/admin/reviews/${other.ofPromoter.id}/unhide`, admin.headers, {});
    expect((await other.read(other.artistUser.headers)).items.map((one) => one.reported)).toContain("kept");
    const all = (await emailsOf(other)).filter(([template]) => template === "review_changed");
    expect(new Set(all.slice(hidden.length).map(([, to]) => to))).toEqual(new Set([artist, promoter]));
    await call(`/api/admin/reviews/${other.ofPromoter.id}/hide`, admin.headers, { reason });
    const again = (await emailsOf(other)).filter(([template]) => template === "review_changed");
    expect(new Set(again.slice(all.length).map(([, to]) => to))).toEqual(new Set([artist, promoter]));
  });
});

describe("hiding", () => {
  test("removes the review from the public pages, the rating and the other side, shows the author the reason and can be undone", async () => {
    const show = await reviewedShow();
    const act = (what: string, body: object = {}) =>
      call<ModeratedReview & Failure>(`/api/admin/reviews/${show.ofPromoter.id}/${what}`, admin.headers, body);
    const kept = await reviewedShow();
    expect((await act("hide", { reason: "short" })).status).toBe(400);
    expect((await act("hide", { reason })).body.hidden).toMatchObject({ reason });
    expect((await act("hide", { reason })).status).toBe(409);
    expect(await show.profile()).toMatchObject({ rating: 0, review_count: 0, reviews: [] });
    expect((await show.read(show.artistUser.headers)).items.map(({ id }) => id)).toEqual([show.ofArtist.id]);
    expect((await show.read(show.promoter.headers)).items[0]?.hidden).toMatchObject({ reason });
    expect((await show.read(admin.headers)).items[0]?.can).toMatchObject({ hide: false, unhide: true });
    expect((await moderated("hidden")).items.map(({ id }) => id)).toContain(show.ofPromoter.id);

    expect((await act("unhide")).body.hidden).toBeNull();
    expect((await act("unhide")).status).toBe(409);
    expect(await show.profile()).toMatchObject({ rating: 2, review_count: 1 });
    expect((await moderated("hidden")).items.map(({ id }) => id)).not.toContain(show.ofPromoter.id);
    const log = await app.database.db
      .selectFrom("activity")
      .select(["message", "actor_id"])
      .where("ref_id", "=", show.booking.id)
      .where("type", "=", "system")
      .orderBy("created_at")
      .execute();
    expect(log).toEqual([
      { message: `A review by promoter was hidden: ${reason}`, actor_id: admin.id },
      { message: "A review by promoter was shown again", actor_id: admin.id },
    ]);
    expect((await kept.profile()).reviews).toHaveLength(1);
  });

  test("lists each hidden review once with their number, also if the last one of a page is shown again between the pages", async () => {
    const shows = [await reviewedShow(), await reviewedShow(), await reviewedShow()];
    for (const { ofPromoter } of shows) {
      app.clock.advance(1_000);
      await call(`/api/admin/reviews/${ofPromoter.id}/hide`, admin.headers, { reason });
    }
    const [oldest, middle, newest] = shows.map(({ ofPromoter }) => ofPromoter.id);
    const first = await moderated("hidden", "&limit=1");
    expect(first.items.map(({ id }) => id)).toEqual([newest]);
    await call(`/api/admin/reviews/${newest}/unhide`, admin.headers, {});
    const second = await moderated("hidden", `&limit=2&cursor=${first.nextCursor}`);
    expect(second.items.map(({ id }) => id)).toEqual([middle, oldest]);
    expect([first.total - second.total, second.total]).toEqual([
      1,
      (await moderated("hidden", "&limit=100")).items.length,
    ]);
    for (const id of [oldest, middle]) await call(`/api/admin/reviews/${id}/unhide`, admin.headers, {});
  });

  test("returns the same 404 to admins for an unpublished review as for a missing one", async () => {
    const show = await reviewedShow({ published: false });
    for (const id of [show.ofPromoter.id, crypto.randomUUID()])
      for (const [what, body] of [
        ["hide", { reason }],
        ["unhide", {}],
        ["keep", {}],
      ] as const) {
        const response = await call<Failure>(`/api/admin/reviews/${id}/${what}`, admin.headers, body);
        expect([response.status, response.body.message]).toEqual([404, "Review not found"]);
      }
  });

  test("has rating and count equal to those of the public reviews after all tests of this file", async () => {
    const wrong = await app.database.db
      .selectFrom("artists as a")
      .leftJoin(
        (from) =>
          from
            .selectFrom("reviews")
            .select((eb) => ["artist_id", eb.fn.countAll<number>().as("n"), eb.fn.avg<number>("rating").as("mean")])
            .where("written_by", "=", "promoter")
            .where("published_at", "is not", null)
            .where("hidden_at", "is", null)
            .groupBy("artist_id")
            .as("r"),
        (on) => on.onRef("r.artist_id", "=", "a.id"),
      )
      .select(["a.id", "a.review_count", "a.rating_x10", "r.n", "r.mean"])
      .execute();
    const touched = wrong.filter(({ review_count: count }) => count > 0);
    expect(touched.length).toBeGreaterThan(0);
    for (const one of touched)
      expect([one.review_count, one.rating_x10]).toEqual([Number(one.n), Math.round(Number(one.mean) * 10)]);
  });
});
