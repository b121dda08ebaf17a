/**
 * Requests without a deposit, accepted by two processes on one PostgreSQL concurrently with each other, a checkout, or
 * their withdrawal. TEST_DEEP=1 runs the full numbers.
 */

import { expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { makeArtist } from "#test/factories/artists.ts";
import { makeUser } from "#test/factories/users.ts";
import { testPassword } from "#test/test-app.ts";
import { type Answer, bookingInput, moneyOffences } from "../two-servers.ts";
import { servers } from "./servers.ts";

const rounds = process.env["TEST_DEEP"] === "1" ? 50 : 3;

let bookings = 0;
const dayAhead = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
type Requested = { id: string; cookie: string };

/** Makes an artist with an account, whose requests have no deposit until `deposit` changes it. */
async function act() {
  const { user, artist } = await servers.database.transaction(async (tx) => {
    const owner = await makeUser(tx, { role: "artist", password: testPassword });
    return { user: owner, artist: await makeArtist(tx, { userId: owner.id, name: `Act ${owner.id.slice(0, 8)}` }) };
  });
  const deposit = (requireDeposit: boolean) =>
    servers.database.transaction((tx) => changeArtistSettings(tx, artist.id, { requireDeposit }, user.id));
  await deposit(false);
  const signedIn = await servers.send<{ access_token: string }>(0, "/auth/v1/token?grant_type=password", {
    email: user.email,
    password: testPassword,
  });
  expect(signedIn.status, JSON.stringify(signedIn.body)).toBe(200);
  const authorization = `Bearer ${signedIn.body.access_token}`;
  const requestBooking = async (eventDate: string): Promise<Requested> => {
    const response = await servers.send<{ id: string }>(
      (bookings += 1),
      "/api/bookings",
      bookingInput(artist.slug, bookings, eventDate),
    );
    expect(response.status, JSON.stringify(response.body)).toBe(201);
    return { id: response.body.id, cookie: response.cookie };
  };
  const accept = async (turn: number, { id }: Requested): Promise<Answer<{ status?: string; message?: string }>> => {
    const response = await fetch(`${servers.servers[turn % 2]?.url()}/api/artist/bookings/${id}/accept`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization },
      body: "{}",
    });
    return { status: response.status, body: (await response.json()) as { status?: string }, cookie: "" };
  };
  return { artist, deposit, requestBooking, accept };
}

const reservationsOf = (artistId: string) =>
  servers.database.db
    .selectFrom("date_reservations")
    .select(["booking_id", "kind"])
    .where("artist_id", "=", artistId)
    .execute();

const statusOf = async ({ id }: Requested) =>
  (await servers.database.db.selectFrom("bookings").select("status").where("id", "=", id).executeTakeFirstOrThrow())
    .status;

export function acceptanceRaces(): void {
  test(
    `accepts one of two requests for one date in ${rounds} rounds, and ends the other`,
    { timeout: 300_000 },
    async () => {
      for (let round = 0; round < rounds; round++) {
        const { artist, requestBooking, accept } = await act();
        const requested = [await requestBooking(dayAhead(60)), await requestBooking(dayAhead(60))] as const;
        const answers = await Promise.all([accept(0, requested[0]), accept(1, requested[1])]);
        expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
        const winner = requested[answers[0].status === 200 ? 0 : 1];
        const loser = requested[answers[0].status === 200 ? 1 : 0];
        expect(await reservationsOf(artist.id)).toEqual([{ booking_id: winner.id, kind: "booked" }]);
        // A handler of the event ends it after the answer.
        await expect.poll(() => statusOf(loser), { timeout: 60_000 }).toBe("canceled");
      }
    },
  );

  test(`accepts one request once with two concurrent calls in ${rounds} rounds`, { timeout: 300_000 }, async () => {
    for (let round = 0; round < rounds; round++) {
      const { artist, requestBooking, accept } = await act();
      const requested = await requestBooking(dayAhead(60));
      const answers = await Promise.all([accept(0, requested), accept(1, requested)]);
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
      expect(await reservationsOf(artist.id)).toEqual([{ booking_id: requested.id, kind: "booked" }]);
    }
  });

  test(
    `gives the date to an accepted request or to another's checkout in ${rounds} rounds`,
    { timeout: 300_000 },
    async () => {
      for (let round = 0; round < rounds; round++) {
        const { artist, deposit, requestBooking, accept } = await act();
        const free = await requestBooking(dayAhead(60));
        await deposit(true);
        const paying = await requestBooking(dayAhead(60));
        const checkout = servers.send(
          round + 1,
          "/api/functions/create-contract-and-checkout",
          { booking_id: paying.id },
          paying.cookie,
        );
        const [accepted, held] = await Promise.all([accept(round, free), checkout]);
        expect(
          [accepted.status, held.status].toSorted((one, other) => one - other),
          JSON.stringify([accepted.body, held.body]),
        ).toEqual([200, 409]);
        expect(await reservationsOf(artist.id)).toEqual([
          accepted.status === 200 ? { booking_id: free.id, kind: "booked" } : { booking_id: paying.id, kind: "hold" },
        ]);
      }
    },
  );

  test(
    `cancels a request that is accepted and withdrawn concurrently in ${rounds} rounds, and frees the date`,
    { timeout: 300_000 },
    async () => {
      for (let round = 0; round < rounds; round++) {
        const { artist, requestBooking, accept } = await act();
        const requested = await requestBooking(dayAhead(60));
        // The withdrawal is sent by the browser in which the mailbox was verified.
        await servers.database.db
          .updateTable("bookings")
          .set(({ ref }) => ({ verified_key_hash: ref("access_key_hash") }))
          .where("id", "=", requested.id)
          .execute();
        const withdraw = servers.send(
          round + 1,
          `/api/bookings/${requested.id}/cancel`,
          { code: "other", note: "", expected_refund_cents: 0 },
          requested.cookie,
        );
        const [accepted, withdrawn] = await Promise.all([accept(round, requested), withdraw]);
        expect(withdrawn.status).toBe(200);
        expect([200, 409]).toContain(accepted.status);
        expect(await statusOf(requested)).toBe("canceled");
        expect(await reservationsOf(artist.id)).toEqual([]);
      }
      expect(await moneyOffences(servers)).toEqual([]);
    },
  );
}
