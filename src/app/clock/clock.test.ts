import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookingKey } from "#bookings/index.ts";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { bookingRow, browser, form, peopleOf } from "#test/harness/bookings.ts";
import {
  advance,
  endShow,
  longMoveMs,
  type Moved,
  nowOf,
  reportNoShow,
  start,
  stillApp,
} from "#test/harness/clock/clock.ts";
import { market, stateOf } from "#test/harness/clock/market.ts";
import { attestSignatures, sentContract, signingCalls, tokensOf } from "#test/harness/contracts.ts";
import type { TestApp } from "#test/test-app.ts";

describe("moving the clock", () => {
  let app: TestApp;
  let ids: Awaited<ReturnType<typeof market>>;
  let state: Awaited<ReturnType<typeof stateOf>>;
  let moved: Moved;
  beforeAll(async () => {
    app = await stillApp();
    ids = await market(app);
    const { status, body } = await advance(app, "P28D");
    expect(status, JSON.stringify(body)).toBe(200);
    moved = body;
    state = await stateOf(app);
  }, longMoveMs);
  afterAll(() => app.close());

  test("returns the new time, which the API then uses, and the jobs that had something to do", async () => {
    expect(moved.now).toBe("2027-02-07T15:00:30.250Z");
    expect(await nowOf(app)).toBe(moved.now);
    const ran = Object.fromEntries(moved.ran.map(({ name, times }) => [name, times]));
    expect(ran).toMatchObject({
      "watch-contracts": expect.any(Number),
      "complete-shows": expect.any(Number),
      "end-unpaid-balances": expect.any(Number),
      "publish-due-reviews": expect.any(Number),
      "deliver-messages": expect.any(Number),
    });
    expect(ran).not.toHaveProperty("tend-signing-keys");
    // It locks what it compares. Counted as work, it would fill every round of every stop after a payment.
    expect(ran).not.toHaveProperty("payment-heal");
  });

  test("completes a show 48 hours after its end, to the millisecond", async () => {
    const { status, completed_at: at, ends_at: end } = await bookingRow(app, ids.played);
    expect(status).toBe("completed");
    expect(at?.getTime()).toBe(end.getTime() + 48 * hourMs);
  });

  test("reminds twice, extends once, ends an unsigned booking and refunds its deposit through the sandbox", async () => {
    const row = await bookingRow(app, ids.unsigned);
    expect(row).toMatchObject({ status: "canceled", cancel_code: "contract_expired" });
    expect(row.canceled_at).toEqual(new Date(start.getTime() + 10 * dayMs));
    const reminders = await app.database.db
      .selectFrom("messages")
      .select("id")
      .where("template", "=", "contract_reminder")
      .where("ref_id", "=", ids.unsigned)
      .execute();
    expect(reminders).toHaveLength(3);
    expect(state.refunds).toContainEqual(expect.objectContaining({ status: "succeeded", amount: row.deposit_cents }));
  });

  test("frees a date whose checkout was abandoned, and ends its request when the show begins", async () => {
    expect(state.reservations.map(({ name }) => name)).not.toContain("Left");
    expect(state.holds).toHaveLength(1);
    const row = await bookingRow(app, ids.left);
    expect(row.status).toBe("canceled");
    expect(row.canceled_at).toEqual(row.starts_at);
  });

  test("ends a booking 30 days after its show if its balance is unpaid, and publishes a review after 14 days", async () => {
    const row = await bookingRow(app, ids.unpaid);
    expect(row.canceled_at?.getTime()).toBe(row.ends_at.getTime() + 30 * dayMs);
    expect(state.reviews).toEqual([{ rating: 5, published_at: new Date(start.getTime() + 13 * dayMs) }]);
  });

  test("ends an unanswered request after 72 hours, and starts the contract of an accepted one", async () => {
    const unanswered = await bookingRow(app, ids.unanswered);
    expect(unanswered).toMatchObject({ status: "canceled", cancel_code: "unanswered" });
    expect(unanswered.canceled_at).toEqual(new Date(start.getTime() + 72 * hourMs));
    const accepted = await bookingRow(app, ids.accepted);
    expect(accepted).toMatchObject({ status: "canceled", cancel_code: "contract_expired", deposit_paid_at: start });
  });

  test("pays an artist 72 hours after a change of the bank account, but not for a reported show", async () => {
    expect(await bookingRow(app, ids.frozen)).toMatchObject({
      status: "completed",
      completed_at: new Date(start.getTime() + hourMs),
    });
    const frozen = state.payouts.filter(({ name }) => name === "Frozen");
    expect(frozen).toHaveLength(2);
    for (const { planned_at: planned, status } of frozen) {
      expect(status).toBe("succeeded");
      expect((planned as Date).getTime()).toBeGreaterThanOrEqual(start.getTime() + 72 * hourMs);
      expect((planned as Date).getTime()).toBeLessThan(start.getTime() + 74 * hourMs);
    }
    expect((await bookingRow(app, ids.reported)).status).toBe("contract_signed");
    expect(state.payouts.filter(({ name }) => name === "Reported")).toEqual([]);
  });

  test("leaves no work, and 28 single days end in the same rows", { timeout: longMoveMs }, async () => {
    expect(state.events).toEqual([{ waiting: 0 }]);
    const other = await stillApp();
    try {
      await market(other);
      for (let day = 0; day < 28; day++) expect((await advance(other, "P1D")).status).toBe(200);
      expect(await nowOf(other)).toBe(moved.now);
      expect(await stateOf(other)).toEqual(state);
    } finally {
      await other.close();
    }
  });

  test("stores new rows with the moved date, and returns the offset in the page's settings", async () => {
    const { rows } = await sql<{ ahead: number }>`
      select round(extract(epoch from installation_now() - now()) / 86400)::int as ahead`.execute(app.database.db);
    // The test's real clock is in 2027, which the database's clock does not know.
    expect(rows[0]?.ahead).toBe(28);
    const settings = (await (await app.request("/api/settings/public")).json()) as { clockAheadMs: number };
    expect(settings.clockAheadMs).toBe(28 * dayMs);
    const requested = await browser(app).requestBooking(
      form(app, { artistId: (await app.make.artist()).slug, eventDate: "2027-02-01" }),
    );
    expect(requested.status).toBe(400);
  });

  test("does not move sessions and limits", { timeout: longMoveMs }, async () => {
    const promoter = await app.make.user({ role: "promoter" });
    const headers = await app.signIn(promoter);
    expect((await advance(app, "P31D")).status).toBe(200);
    expect((await app.request("/api/promoter/settings", { headers })).status).toBe(200);
    const token = headers.authorization.slice("Bearer ".length).split(".")[1] ?? "";
    const { iat } = JSON.parse(Buffer.from(token, "base64url").toString()) as { iat: number };
    expect(iat).toBe(Math.floor(start.getTime() / 1000));
  });
});

describe("contracts", () => {
  test("signs on the moved day, and expires an idempotency key of the sandbox after a moved day", async () => {
    await using app = await stillApp();
    const { unsigned } = await market(app);
    await advance(app, "P3D");
    const guest = signingCalls(app);
    const { promoter, artist_token: artist } = await tokensOf(app, unsigned);
    for (const token of [promoter, artist]) if (token) await guest.openAndSign(token);
    const { rows } = await sql<{ signed_at: Date | null }>`
      select s.signed_at from contract_signers s join contracts c on c.id = s.contract_id where c.booking_id = ${unsigned}
        and s.signed_at is not null`.execute(app.database.db);
    expect(rows[0]?.signed_at).toEqual(new Date(start.getTime() + 3 * dayMs));
    const { rows: keys } = await sql<{ at: Date }>`select min(created_at) as at from sandbox_requests`.execute(
      app.database.db,
    );
    expect(keys[0]?.at.getTime()).toBe(Math.floor(start.getTime() / 1000) * 1000);
  });
});

describe("deadlines of users", () => {
  test("accepts a no-show report for 24 hours, and an objection to an attested contract for 72, by the moved clock", async () => {
    await using app = await stillApp();
    const { user: admin } = await peopleOf(() => app).person("admin");
    const shows: string[] = [];
    const contracts: string[] = [];
    for (const _each of ["in time", "too late"]) {
      const { id } = await app.make.booking({ status: "contract_signed", balancePaid: true, keys: app.services.keys });
      await endShow(app, id, start);
      shows.push(id);
      const { booking } = await sentContract(app, { createdAt: start });
      await attestSignatures(app, booking.id, admin.id);
      contracts.push(booking.id);
    }
    const object = (id: string) =>
      app.request(`/api/bookings/${id}/object-to-attestation`, {
        headers: { cookie: `bookings=${bookingKey(app.services.keys, id)}` },
        body: { reason: "Nobody has signed this." },
      });
    const [timely = "", late = ""] = shows;
    const [objected = "", unheard = ""] = contracts;
    await advance(app, "PT23H59M");
    expect((await reportNoShow(app, timely)).status).toBe(200);
    await advance(app, "PT2M");
    expect((await reportNoShow(app, late)).status).toBe(409);
    await advance(app, "PT47H58M");
    expect((await object(objected)).status).toBe(200);
    await advance(app, "PT2M");
    expect((await object(unheard)).status).toBe(409);
    const { rows } = await sql<{ at: Date }>`select made_at as at from contract_objections`.execute(app.database.db);
    expect(rows).toEqual([{ at: new Date(start.getTime() + 72 * hourMs - 60_000) }]);
  });
});
