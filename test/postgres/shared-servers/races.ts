/** Races through two processes on one PostgreSQL. TEST_DEEP=1 runs the full numbers. */

import { expect, test } from "vitest";
import { addArtist, type Answer, bookingInput, daysAhead, moneyOffences } from "../two-servers.ts";
import { servers } from "./servers.ts";

const deep = process.env["TEST_DEEP"] === "1";
const promoters = deep ? 200 : 30;
const rounds = deep ? 20 : 3;
const clicks = deep ? 100 : 40;

type Row = { id: string };
type Opened = { checkout_url?: string | null; url?: string; code?: string; message?: string };

async function requestBooking(turn: number, body: object): Promise<{ id: string; cookie: string }> {
  const { status, body: row, cookie } = await servers.send<Row & { message?: string }>(turn, "/api/bookings", body);
  expect(status, row.message).toBeLessThan(300);
  return { id: row.id, cookie };
}

/** Opens a checkout. A server under load stops a request that waits too long, changes nothing and asks to try again. */
async function openCheckout(turn: number, { id, cookie }: { id: string; cookie: string }): Promise<Answer<Opened>> {
  const path = "/api/functions/create-contract-and-checkout";
  const response = await servers.send<Opened>(turn, path, { booking_id: id }, cookie);
  return response.status === 503 ? openCheckout(turn, { id, cookie }) : response;
}

export function checkoutRaces(): void {
  test(
    `opens exactly one checkout for ${promoters} promoters on one evening in ${rounds} rounds, and returns an error message to the others`,
    { timeout: 600_000 },
    async () => {
      await addArtist(servers, "one-evening");
      for (let round = 0; round < rounds; round++) {
        const day = daysAhead(60 + round);
        const inputs = Array.from({ length: promoters }, (_, index) =>
          bookingInput("one-evening", round * promoters + index, day, ["19:00", "20:00", "20:30", "21:15"][index % 4]),
        );
        const requested: { id: string; cookie: string }[] = [];
        for (let at = 0; at < inputs.length; at += 20) {
          requested.push(
            ...(await Promise.all(inputs.slice(at, at + 20).map((one, index) => requestBooking(index, one)))),
          );
        }
        const answers = await Promise.all(requested.map((booking, index) => openCheckout(index, booking)));
        const opened = answers.filter((response) => response.status < 300 && response.body.checkout_url);
        const conflicts = answers.filter((response) => response.status === 409);
        expect(opened.length, `round ${round}`).toBe(1);
        expect(
          conflicts.length,
          JSON.stringify(answers.find((response) => response.status !== 409 && response.status >= 300)),
        ).toBe(promoters - 1);
        expect(conflicts.every((response) => /[a-z]+ [a-z]+/i.test(response.body.message ?? ""))).toBe(true);
        const overlapping = await servers.database.db
          .selectFrom("date_reservations as a")
          .innerJoin("date_reservations as b", (on) =>
            on.onRef("a.artist_id", "=", "b.artist_id").onRef("a.id", "<", "b.id"),
          )
          .where((eb) => eb("a.during", "&&", eb.ref("b.during")))
          .select("a.id")
          .execute();
        expect(overlapping).toEqual([]);
      }
    },
  );

  test(`opens one checkout for ${clicks} clicks on one booking through two servers`, { timeout: 120_000 }, async () => {
    await addArtist(servers, "one-booking");
    const booking = await requestBooking(0, bookingInput("one-booking", 9_000, daysAhead(90)));
    const answers = await Promise.all(Array.from({ length: clicks }, (_, index) => openCheckout(index, booking)));
    expect(answers.map((response) => response.status).filter((status) => status >= 300)).toEqual([]);
    expect(new Set(answers.map((response) => response.body.checkout_url)).size).toBe(1);
    const intents = await servers.database.db
      .selectFrom("payments")
      .where("booking_id", "=", booking.id)
      .select("provider_ref")
      .execute();
    expect(intents.length).toBe(1);
    const sessions = await servers.database.db
      .selectFrom("sandbox_objects")
      .where("kind", "=", "checkout.session")
      .where("body", "@>", JSON.stringify({ session: { metadata: { booking_id: booking.id } } }))
      .select("id")
      .execute();
    expect(sessions.length).toBe(1);
    expect(await moneyOffences(servers)).toEqual([]);
  });
}
