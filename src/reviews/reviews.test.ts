/** Writing, publishing and reading reviews. A side must not see the other's review before publication through any endpoint. */

import { sql, type Updateable } from "kysely";
import { describe, expect, test } from "vitest";
import { bookingKey } from "#bookings/index.ts";
import type { DB } from "#platform/db/index.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { emailsFor, messagesTo } from "#test/harness/bookings.ts";
import { testApp, testPassword } from "#test/test-app.ts";
import type { BookingReviews } from "./api.ts";
import { publishDueReviews } from "./jobs.ts";
import { reviewWindowDays } from "./rules.ts";

const app = closeAfterFile(await testApp());

type Headers = Record<string, string>;
type Failure = { code: string; message: string };
type Profile = { rating: number; review_count: number; star_counts: number[]; reviews: { body: string }[] };

const good = { rating: 5, body: "They stayed an extra quarter of an hour." };
const kind = { rating: 4, body: "The stage was dry and dinner was warm." };

const call = async <T = BookingReviews>(address: string, headers: Headers = {}, body?: unknown) => {
  const response = await app.request(address, { headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, body: (await response.json()) as T };
};

const changeBooking = (id: string, values: Updateable<DB["bookings"]>) =>
  app.database.db.updateTable("bookings").set(values).where("id", "=", id).execute();

async function person(role: "admin" | "artist" | "promoter", given: { name?: string } = {}) {
  const user = await app.make.user({ role, ...given });
  return { ...user, headers: await app.signIn(user) };
}

async function playedShow(given: { guest?: boolean; daysAgo?: number } = {}) {
  const [artistUser, promoter] = await Promise.all([person("artist"), person("promoter")]);
  const artist = await app.make.artist({ userId: artistUser.id });
  const booking = await app.make.booking({
    artistId: artist.id,
    status: "completed",
    promoterUserId: given.guest ? null : promoter.id,
    promoterName: "Hannah Whitt",
    keys: app.services.keys,
  });
  const completedAt = new Date(app.clock.now().getTime() - (given.daysAgo ?? 1) * dayMs);
  await changeBooking(booking.id, { completed_at: completedAt });
  const address = `/api/bookings/${booking.id}/reviews`;
  return {
    booking,
    artist,
    promoter,
    artistUser,
    address,
    guest: { cookie: `bookings=${bookingKey(app.services.keys, booking.id)}` },
    write: (headers: Headers, body: object = good) => call(address, headers, body),
    read: async (headers: Headers) => (await call(address, headers)).body,
    profile: async () => (await call<Profile>(`/api/artists/${artist.slug}`)).body,
    listed: async () =>
      (await call<{ items: { body: string }[] }>(`/api/artists/${artist.slug}/reviews`)).body.items.map(
        ({ body }) => body,
      ),
  };
}

const publishStatusChange = (body: object) =>
  app.database.db
    .insertInto("event_outbox")
    .values({ topic: "booking.status_changed", body: JSON.stringify(body) })
    .execute();

async function deleteAccount({ headers }: { headers: Headers }) {
  const deleted = await call<object>("/api/me/delete", headers, { password: testPassword });
  expect(deleted.status, JSON.stringify(deleted.body)).toBe(200);
  await app.settle();
}

const bodies = (reviews: BookingReviews) => reviews.items.map(({ body }) => body);

describe("writing a review", () => {
  test("is allowed once per side, and the second review publishes both", async () => {
    const show = await playedShow();
    expect(await show.read(show.promoter.headers)).toMatchObject({
      side: "promoter",
      shown_as: "Hannah Whitt",
      can_write: true,
      other_is_in: false,
      items: [],
    });
    const first = await show.write(show.promoter.headers);
    expect([first.status, first.body.can_write, bodies(first.body)]).toEqual([201, false, [good.body]]);
    const second = await show.write(show.artistUser.headers, kind);
    expect([second.status, second.body.side, bodies(second.body)]).toEqual([201, "artist", [good.body, kind.body]]);
    expect(second.body.items.every(({ published }) => published)).toBe(true);
    const again = await call<Failure>(show.address, show.promoter.headers, good);
    expect([again.status, again.body.message]).toEqual([409, "You have already reviewed this booking."]);
  });

  test("allows a guest by the cookie of a browser with the verified mailbox, without a report, and returns the 404 of a missing booking to strangers", async () => {
    const show = await playedShow({ guest: true });
    const other = await playedShow();
    for (const headers of [{}, other.promoter.headers, other.artistUser.headers]) {
      const response = await call<Failure>(show.address, headers, good);
      expect([response.status, response.body.code, response.body.message]).toEqual([
        404,
        "PGRST116",
        "Booking not found",
      ]);
      expect((await call(show.address, headers)).status).toBe(404);
    }
    await changeBooking(show.booking.id, { verified_key_hash: null });
    expect((await show.read(show.guest)).can_write).toBe(false);
    expect((await show.write(show.guest)).status).toBe(403);
    await changeBooking(show.booking.id, { verified_key_hash: show.booking.access_key_hash });
    expect((await show.write(show.guest)).status).toBe(201);
    await show.write(show.artistUser.headers, kind);
    expect((await show.read(show.guest)).items.map(({ can }) => can.report)).toEqual([false, false]);
    expect((await show.read(show.artistUser.headers)).items.map(({ can }) => can.report)).toEqual([true, false]);
  });

  test("is refused for an admin and for a user on both sides", async () => {
    const show = await playedShow();
    const admin = await person("admin");
    expect((await call<Failure>(show.address, admin.headers, good)).status).toBe(403);
    await changeBooking(show.booking.id, { promoter_user_id: show.artistUser.id });
    expect((await call<Failure>(show.address, show.artistUser.headers, good)).status).toBe(403);
  });

  test.each([
    ["no stars", { ...good, rating: 0 }],
    ["six stars", { ...good, rating: 6 }],
    ["half a star", { ...good, rating: 4.5 }],
    ["spaces alone", { ...good, body: "             " }],
    ["nine characters", { ...good, body: "  Very good  " }],
    ["too much", { ...good, body: "x".repeat(2_001) }],
    ["a moment of its own", { ...good, published_at: "2020-01-01T00:00:00Z" }],
  ])("refuses %s and stores nothing", async (_what, body) => {
    const show = await playedShow();
    expect((await show.write(show.promoter.headers, body)).status).toBe(400);
    expect((await show.read(show.promoter.headers)).items).toEqual([]);
  });

  test("is allowed only within 14 days of the completion", async () => {
    const late = await playedShow({ daysAgo: reviewWindowDays });
    const response = await call<Failure>(late.address, late.promoter.headers, good);
    expect([response.status, response.body.message]).toEqual([409, "The 14 days for reviews are over."]);
    const inTime = await playedShow({ daysAgo: reviewWindowDays - 0.01 });
    expect((await inTime.write(inTime.promoter.headers)).status).toBe(201);
  });

  test.each(["initiated", "deposit_paid", "contract_sent", "contract_signed", "canceled"] as const)(
    "is refused while the booking is %s",
    async (status) => {
      const promoter = await person("promoter");
      const booking = await app.make.booking({ status, promoterUserId: promoter.id });
      const response = await call<Failure>(`/api/bookings/${booking.id}/reviews`, promoter.headers, good);
      expect([response.status, response.body.message]).toEqual([
        409,
        "A review can be written once the event is completed.",
      ]);
    },
  );

  test("of a decided no-show is only the promoter's, and is published immediately", async () => {
    const show = await playedShow();
    const canceled = { status: "canceled", canceled_by: "admin", cancel_code: "no_show" } as const;
    await changeBooking(show.booking.id, { ...canceled, completed_at: null, canceled_at: app.clock.now() });
    const ended = {
      bookingId: show.booking.id,
      from: "contract_signed",
      to: "canceled",
      by: "admin",
      cause: "no_show",
    };
    await publishStatusChange(ended);
    await app.settle();
    const { promoter_email: email } = show.booking;
    const invited = (await messagesTo(app, email)).filter(({ template }) => template === "review_invitation");
    expect(invited.map(({ subject }) => subject)).toEqual([expect.stringMatching(/, who did not appear on /)]);
    expect(await show.read(show.artistUser.headers)).toMatchObject({ can_write: false, open_until: null });
    expect((await show.write(show.artistUser.headers, kind)).status).toBe(409);
    const worst = { ...good, rating: 1 };
    expect((await show.write(show.promoter.headers, worst)).body.items).toMatchObject([{ published: true }]);
    expect(await show.profile()).toMatchObject({ review_count: 1, rating: 1 });
    expect((await show.read(show.artistUser.headers)).items).toMatchObject([{ can: { reply: true } }]);
  });

  test("adds the organization of the promoter's account to the name", async () => {
    const show = await playedShow();
    await sql`insert into settings (scope, owner_id, value)
      values ('promoter', ${show.promoter.id}, ${JSON.stringify({ organizationName: "The Waterworks" })}::jsonb)`.execute(
      app.database.db,
    );
    expect((await show.read(show.promoter.headers)).shown_as).toBe("Hannah Whitt, The Waterworks");
  });
});

describe("double-blind", () => {
  async function seenOf(show: Awaited<ReturnType<typeof playedShow>>, other: { headers: Headers }) {
    const admin = await person("admin");
    const exported = await call<object>("/api/me/export", other.headers, {});
    const parts = [
      await show.read(other.headers),
      await show.read(admin.headers),
      exported.body,
      await show.profile(),
      (await call<object>(`/api/artists/${show.artist.slug}/reviews`)).body,
      (await call<object>(`/api/artists?search=${encodeURIComponent(show.artist.name)}`)).body,
      (await call<object>("/api/admin/reviews?state=reported", admin.headers)).body,
    ];
    return JSON.stringify(parts);
  }

  test.each(["promoter", "artist"] as const)(
    "shows the review of the %s to its author only until both are written",
    async (side) => {
      const show = await playedShow();
      const [author, other] = side === "promoter" ? [show.promoter, show.artistUser] : [show.artistUser, show.promoter];
      expect(await show.profile()).toMatchObject({ review_count: 0, rating: 0, star_counts: [0, 0, 0, 0, 0] });
      await show.write(author.headers);
      expect(await seenOf(show, other)).not.toContain(good.body);
      expect(await show.profile()).toMatchObject({ review_count: 0, rating: 0, reviews: [] });
      expect(await show.read(other.headers)).toMatchObject({ other_is_in: true, items: [], can_write: true });
      const own = await call<object>("/api/me/export", author.headers, {});
      expect(JSON.stringify(own.body)).toContain(good.body);

      await show.write(other.headers, kind);
      expect(bodies(await show.read(other.headers))).toHaveLength(2);
      const rating = side === "promoter" ? good.rating : kind.rating;
      expect(await show.profile()).toMatchObject({ review_count: 1, rating });
      expect((await show.profile()).star_counts[rating - 1]).toBe(1);
      expect(await show.listed()).toEqual([side === "promoter" ? good.body : kind.body]);
    },
  );

  test("publishes a single review when the 14 days are over, not before", async () => {
    const show = await playedShow();
    await show.write(show.promoter.headers);
    await publishDueReviews(app.services);
    expect(await show.listed()).toEqual([]);
    app.clock.advance((reviewWindowDays - 1) * dayMs - 1_000);
    await publishDueReviews(app.services);
    expect(await show.listed()).toEqual([]);
    app.clock.advance(1_000);
    await publishDueReviews(app.services);
    expect(await show.listed()).toEqual([good.body]);
    expect(await show.profile()).toMatchObject({ review_count: 1, rating: 5 });
    const artistUser = await app.signIn(show.artistUser);
    expect((await call<Failure>(show.address, artistUser, kind)).status).toBe(409);
  });

  test("updates a cached response of the public list after the publication", async () => {
    const show = await playedShow();
    expect(await show.listed()).toEqual([]);
    await show.write(show.artistUser.headers, kind);
    expect(await show.listed()).toEqual([]);
    await show.write(show.promoter.headers);
    expect(await show.listed()).toEqual([good.body]);
  });
});

test("lists all public reviews of an artist page by page, newest first, each of them once", async () => {
  const artist = await app.make.artist({ name: "Well Reviewed" });
  const expected: string[] = [];
  for (let number = 0; number < 10; number++) {
    const booking = await app.make.booking({
      artistId: artist.id,
      status: "completed",
      eventDate: `2026-0${Math.min(number + 1, 9)}-${number === 9 ? 20 : 10}`,
    });
    // Two of them have the same time and are ordered by id. The last two are not public.
    const at = new Date(Date.UTC(2026, 9, Math.min(number + 1, 5)));
    await app.database.db
      .insertInto("reviews")
      .values({
        booking_id: booking.id,
        artist_id: artist.id,
        written_by: number === 8 ? "artist" : "promoter",
        author_name: `Author ${number}`,
        rating: 4,
        body: "They came early.",
        created_at: at,
        published_at: number === 9 ? null : at,
      })
      .execute();
    if (number < 8) expected.push(`Author ${number}`);
  }
  type Page = { items: { author_name: string; created_at: string }[]; nextCursor: string | null };
  const seen: Page["items"] = [];
  let cursor = "";
  do {
    const { body } = await call<Page>(`/api/artists/well-reviewed/reviews?limit=3&cursor=${cursor}`);
    seen.push(...body.items);
    cursor = body.nextCursor ?? "";
  } while (cursor && seen.length < 30);
  expect(seen.map((one) => one.author_name).sort()).toEqual(expected);
  const moments = seen.map((one) => one.created_at);
  expect(moments).toEqual(moments.toSorted().toReversed());
  expect((await call("/api/artists/well-reviewed/reviews?cursor=made-up")).status).toBe(400);
});

test("sends an invitation at the completion and a notice when both are published", async () => {
  const show = await playedShow();
  const sent = async () =>
    (await emailsFor(app, show.booking.id)).flatMap(({ template, recipient }) =>
      template.startsWith("review") ? [`${template} ${recipient}`] : [],
    );
  const both = [show.booking.promoter_email, show.artistUser.email];
  const completed = { bookingId: show.booking.id, from: "contract_signed", to: "completed", by: "system", cause: "x" };
  await publishStatusChange(completed);
  await publishStatusChange(completed);
  await app.settle();
  expect((await sent()).sort()).toEqual(both.map((to) => `review_invitation ${to}`).sort());
  await show.write(show.promoter.headers);
  await app.settle();
  expect(await sent()).toHaveLength(2);
  await show.write(show.artistUser.headers, kind);
  await app.settle();
  expect((await sent()).filter((one) => one.startsWith("reviews_published")).sort()).toEqual(
    both.map((to) => `reviews_published ${to}`).sort(),
  );
});

test("deletes an unpublished review with its author's account, which can no longer be reviewed", async () => {
  const show = await playedShow();
  await show.write(show.promoter.headers);
  await deleteAccount(show.promoter);
  expect(await show.read(show.artistUser.headers)).toMatchObject({ can_write: false, other_is_in: false, items: [] });
  expect((await show.write(show.artistUser.headers, kind)).status).toBe(409);
  expect(await show.profile()).toMatchObject({ review_count: 0, reviews: [] });
});

test("retains the published reviews of a deleted account without the name, and sends it no email", async () => {
  const show = await playedShow();
  await show.write(show.promoter.headers);
  await show.write(show.artistUser.headers, kind);
  await deleteAccount(show.promoter);
  const reviews = (await show.read(show.artistUser.headers)).items;
  expect(reviews.map(({ author_name, body: text }) => [author_name, text])).toEqual([
    ["Deleted user", good.body],
    [show.artist.name, kind.body],
  ]);
  const own = reviews.find(({ body }) => body === good.body)?.id;
  const reply = await call(`/api/artist/reviews/${own}/reply`, show.artistUser.headers, { body: "Thank you, Hannah." });
  expect(reply.status).toBe(201);
  await app.settle();
  const emails = await emailsFor(app, show.booking.id);
  expect(emails.filter(({ recipient }) => recipient !== show.artistUser.email)).toEqual([]);
});
