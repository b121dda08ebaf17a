/** Concurrent reviews of one booking, and of one artist, through two processes. TEST_DEEP=1 runs more rounds. */

import { expect, test } from "vitest";
import { releaseHeld } from "#payments/index.ts";
import { dayIn, addDays } from "#platform/time/calendar.rules.ts";
import { makeArtist } from "#test/factories/artists.ts";
import { makeBooking } from "#test/factories/bookings.ts";
import { makeUser } from "#test/factories/users.ts";
import { servers } from "./servers.ts";

const rounds = process.env["TEST_DEEP"] === "1" ? 20 : 3;
const clicks = 6;
const shows = 8;
const password = "a quiet lamp backstage";

async function request(turn: number, path: string, body: object, bearer = ""): Promise<Response> {
  return fetch(`${servers.servers[turn % 2]?.url()}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
}

/** Returns a user with a session at each of the two servers. */
async function person(role: "artist" | "promoter") {
  const { id, email } = await servers.database.transaction((tx) => makeUser(tx, { role, password }));
  const tokenAt = async (turn: number) => {
    const response = await request(turn, "/auth/v1/token?grant_type=password", { email, password });
    return ((await response.json()) as { access_token: string }).access_token;
  };
  return { id, tokens: [await tokenAt(0), await tokenAt(1)] };
}

/** Makes an artist with completed bookings of one promoter, one day apart. */
async function market(count: number) {
  const [artistUser, promoter] = [await person("artist"), await person("promoter")];
  const artist = await servers.database.transaction((tx) =>
    makeArtist(tx, { name: `Act ${artistUser.id.slice(0, 8)}`, userId: artistUser.id }),
  );
  const bookings: { id: string }[] = [];
  for (let number = 0; number < count; number++) {
    const eventDate = addDays(dayIn("UTC", new Date()), -5 - number);
    const booking = await servers.database.transaction(async (tx) => {
      const given = { artistId: artist.id, status: "completed", promoterUserId: promoter.id, eventDate } as const;
      const { id: bookingId, currency } = await makeBooking(tx, given);
      await releaseHeld(tx, { bookingId, artistId: artist.id, currency, commissionBps: 1_000, at: new Date() });
      return { id: bookingId };
    });
    bookings.push(booking);
  }
  const review = (turn: number, who: { tokens: string[] }, booking: { id: string } | undefined, rating: number) =>
    request(
      turn,
      `/api/bookings/${booking?.id}/reviews`,
      { rating, body: `A review with ${rating} stars.` },
      who.tokens[turn % 2],
    );
  return { artist, artistUser, promoter, bookings, review };
}

const figuresOf = (id: string) =>
  servers.database.db
    .selectFrom("artists")
    .select(["rating_x10", "review_count"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

export function reviewRaces(): void {
  test("publishes one review of each side after many concurrent clicks", { timeout: 120_000 }, async () => {
    for (let round = 0; round < rounds; round++) {
      const { artist, artistUser, promoter, bookings, review } = await market(1);
      const [booking] = bookings;
      const answers = await Promise.all(
        Array.from({ length: clicks * 2 }, async (_, turn) => {
          const who = turn % 4 < 2 ? promoter : artistUser;
          return [who.id, (await review(turn, who, booking, 4)).status] as const;
        }),
      );
      for (const who of [promoter, artistUser]) {
        const statuses = answers.flatMap(([id, status]) => (id === who.id ? [status] : []));
        expect(statuses.toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: clicks - 1 }, () => 409)]);
      }
      const stored = await servers.database.db
        .selectFrom("reviews")
        .select(["written_by", "published_at"])
        .where("booking_id", "=", booking?.id ?? "")
        .execute();
      expect(stored.map(({ written_by }) => written_by).toSorted()).toEqual(["artist", "promoter"]);
      expect(stored.every(({ published_at }) => published_at !== null)).toBe(true);
      expect(await figuresOf(artist.id)).toEqual({ rating_x10: 40, review_count: 1 });
    }
  });

  test("counts all concurrent publications in an artist's rating", { timeout: 120_000 }, async () => {
    const { artist, artistUser, promoter, bookings, review } = await market(shows);
    const stars = bookings.map((_, number) => (number % 5) + 1);
    for (const [number, booking] of bookings.entries())
      expect((await review(number, artistUser, booking, 5)).status).toBe(201);
    const answers = await Promise.all(
      bookings.map((booking, number) => review(number, promoter, booking, stars[number] ?? 1)),
    );
    expect(answers.map(({ status }) => status)).toEqual(bookings.map(() => 201));
    const mean = stars.reduce((sum, one) => sum + one, 0) / stars.length;
    expect(await figuresOf(artist.id)).toEqual({ rating_x10: Math.round(mean * 10), review_count: shows });
  });
}
