/** The demo's movable clock: what it moves, in which order, what it leaves alone, and who may use it. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookingKey } from "#bookings/index.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { browser, bookingRow, form, peopleOf, press } from "#test/harness/bookings.ts";
import { attestSignatures, sentContract, tokensOf, signingCalls } from "#test/harness/contracts.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { durationMessages } from "./duration.rules.ts";

type Moved = { now: string; ran: { name: string; times: number }[]; message?: string };

/** Moving the clock for weeks runs hundreds of jobs; a busy machine takes its time for that. */
const longMoveMs = 300_000;
const start = new Date("2027-01-10T15:00:30.250Z");
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** An app whose real clock stands still, so that every moment of a test is known to the millisecond. */
async function stillApp(): Promise<TestApp> {
  const app = await testApp({ now: start });
  app.clock.now = () => start;
  return app;
}

async function advance(app: TestApp, duration: unknown): Promise<{ status: number; body: Moved }> {
  const answer = await app.request("/api/dev/clock", { body: { advance: duration } });
  return { status: answer.status, body: (await answer.json()) as Moved };
}
const nowOf = async (app: TestApp) => ((await (await app.request("/api/dev/clock")).json()) as { now: string }).now;

/** Two requests without a deposit: one that nobody answers, and one that its artist accepts at once. */
async function requestsToAnswer(app: TestApp) {
  const ids: Record<"Unanswered" | "Accepted", string> = { Unanswered: "", Accepted: "" };
  for (const name of ["Unanswered", "Accepted"] as const) {
    const owner = await app.make.user({ role: "artist", email: `${name.toLowerCase()}@example.test` });
    const artist = await app.make.artist({ name, location: "Austin, Texas", userId: owner.id });
    await app.database.transaction((tx) => changeArtistSettings(tx, artist.id, { requireDeposit: false }, owner.id));
    const asked = (await browser(app).ask(form(app, { artistId: artist.slug, eventDate: "2027-03-01" }))).body;
    ids[name] = asked.id;
    if (name === "Unanswered") continue;
    const at = browser(app, await app.signIn(owner));
    expect((await at.json(`/api/artist/bookings/${asked.id}/accept`, {})).status).toBe(200);
  }
  await app.settle();
  return ids;
}

/** The show of a booking ended at this moment. */
const endShow = (app: TestApp, id: string, end: Date) =>
  sql`update bookings set starts_at = ${new Date(end.getTime() - 3 * hourMs)}, ends_at = ${end} where id = ${id}`.execute(
    app.database.db,
  );

/** Two shows that are over: one whose artist has just changed the bank account, and one that was reported as not played. */
async function playedShows(
  app: TestApp,
  signed: (name: string, more: object) => Promise<{ id: string; artist_id: string }>,
) {
  const frozen = await signed("Frozen", { eventDate: "2027-01-08", balancePaid: true });
  await sql`insert into artist_connect (artist_id, provider_account, onboarding_status, frozen_until, updated_at)
    values (${frozen.artist_id}, ${`acct_demo_${frozen.artist_id.replaceAll("-", "")}`}, 'completed',
      ${new Date(start.getTime() + 72 * hourMs)}, ${start})`.execute(app.database.db);
  await endShow(app, frozen.id, new Date(start.getTime() - 47 * hourMs));
  const reported = await signed("Reported", { eventDate: "2027-01-09", balancePaid: true });
  await endShow(app, reported.id, new Date(start.getTime() - 2 * hourMs));
  expect((await reportNoShow(app, reported.id)).status).toBe(200);
  return { frozen: frozen.id, reported: reported.id };
}

const reportNoShow = (app: TestApp, id: string) =>
  app.request(`/api/bookings/${id}/no-show`, {
    headers: { cookie: `bookings=${bookingKey(app.services.keys, id)}` },
    body: { note: "Nobody came to the stage." },
  });

/** One booking in each state that a clock ends, and the moments that are known. */
async function market(app: TestApp) {
  const austin = (name: string) => app.make.artist({ name, location: "Austin, Texas" });
  const keys = app.services.keys;
  const payer = browser(app);
  const { body: unsigned } = await payer.ask(form(app, { artistId: (await austin("Unsigned")).slug }));
  const { body: checkout } = await payer.checkout(unsigned);
  await press(app, checkout["checkout_url"], "pay");
  const leaver = browser(app);
  const { body: left } = await leaver.ask(
    form(app, { artistId: (await austin("Left")).slug, eventDate: "2027-01-20" }),
  );
  await leaver.checkout(left);
  const signed = async (name: string, more: object) =>
    app.make.booking({ artistId: (await austin(name)).id, status: "contract_signed", keys, ...more });
  const played = await signed("Played", { eventDate: "2027-01-14", balancePaid: true });
  const unpaid = await signed("Unpaid", { eventDate: "2026-12-20", balancePaid: false });
  // The balance was asked for in good time, up to the last step.
  await sql`insert into balance_schedules (booking_id, started_at, last_step)
    values (${unpaid.id}, ${new Date("2026-11-20T12:00:00Z")}, 'decision')`.execute(app.database.db);
  const reviewed = await app.make.booking({ artistId: (await austin("Reviewed")).id, status: "completed", keys });
  await sql`update bookings set completed_at = ${new Date(start.getTime() - dayMs)} where id = ${reviewed.id}`.execute(
    app.database.db,
  );
  const answer = await app.request(`/api/bookings/${reviewed.id}/reviews`, {
    headers: { cookie: `bookings=${bookingKey(keys, reviewed.id)}` },
    body: { rating: 5, body: "They stayed an extra quarter of an hour." },
  });
  expect(answer.status).toBe(201);
  const shows = await playedShows(app, signed);
  const { Unanswered: unanswered, Accepted: accepted } = await requestsToAnswer(app);
  const ids = { unsigned: unsigned.id, left: left.id, played: played.id, unpaid: unpaid.id, reviewed: reviewed.id };
  return { ...ids, ...shows, unanswered, accepted };
}

/** Everything that time has done, without ids and without what the database's own clock has dated. */
async function stateOf(app: TestApp) {
  const rows = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(app.database.db)).rows;
  return {
    bookings:
      await rows(`select a.name, b.status, b.version, b.deposit_paid_at, b.balance_paid_at, b.completed_at, b.canceled_at,
      b.cancel_code, b.canceled_by, b.updated_at from bookings b join artists a on a.id = b.artist_id order by 1`),
    contracts:
      await rows(`select a.name, c.signed_status, c.sent_at, c.expires_at, c.extended_at, c.reminders, c.attempts
      from contracts c join bookings b on b.id = c.booking_id join artists a on a.id = b.artist_id order by 1`),
    payments: await rows(`select a.name, p.kind, p.status, p.checkout_state, p.amount, p.updated_at
      from payments p join bookings b on b.id = p.booking_id join artists a on a.id = b.artist_id order by 1, 2, 3`),
    refunds: await rows(
      "select amount, status, reason, attempts, created_at, updated_at from refunds order by created_at, amount",
    ),
    ledger: await rows(`select g.kind, g.posted_at, e.amount, split_part(e.account, ':', 1) as account
      from ledger_groups g join ledger_entries e on e.group_id = g.id order by 1, 2, 3, 4`),
    reservations: await rows(
      `select a.name, r.kind from date_reservations r join artists a on a.id = r.artist_id order by 1`,
    ),
    payouts: await rows(`select a.name, p.amount, p.due_at, p.planned_at, p.paid_at, t.kind, t.status, t.amount as sent
      from payouts p join artists a on a.id = p.artist_id left join (select t.payout_id, t.status, t.amount, y.kind
        from transfers t join payments y on y.id = t.payment_id) t on t.payout_id = p.id order by 1, 6`),
    reports: await rows("select note, reported_at, decided_at from no_show_reports order by reported_at"),
    holds: await rows("select ended_by, ended_at from past_holds order by ended_at"),
    reviews: await rows("select rating, published_at from reviews order by 2"),
    messages: await rows(
      `select template, channel, status, count(*)::int as times from messages group by 1, 2, 3 order by 1, 2, 3`,
    ),
    log: await rows("select type, count(*)::int as times from activity group by 1 order by 1"),
    events: await rows("select count(*)::int as waiting from event_outbox"),
    reconciliations: await rows("select started_at from reconciliations order by 1"),
  };
}

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

  test("answers the new present, which the API has from then on, and the jobs that had something to do", async () => {
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
    // It locks what it compares: taken for work, it would fill every round of every stop after a payment.
    expect(ran).not.toHaveProperty("payment-heal");
  });

  test("completes a show 48 hours after its end, to the millisecond", async () => {
    const { status, completed_at: at, ends_at: end } = await bookingRow(app, ids.played);
    expect(status).toBe("completed");
    expect(at?.getTime()).toBe(end.getTime() + 48 * 3_600_000);
  });

  test("reminds twice, extends once, ends an unsigned booking and gives its deposit back through the sandbox", async () => {
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

  test("frees a date whose checkout was left, and ends its request when the show begins", async () => {
    expect(state.reservations.map(({ name }) => name)).not.toContain("Left");
    expect(state.holds).toHaveLength(1);
    const row = await bookingRow(app, ids.left);
    expect(row.status).toBe("canceled");
    expect(row.canceled_at).toEqual(row.starts_at);
  });

  test("ends a booking 30 days after its show when its balance is unpaid, and publishes a review after 14 days", async () => {
    const row = await bookingRow(app, ids.unpaid);
    expect(row.canceled_at?.getTime()).toBe(row.ends_at.getTime() + 30 * dayMs);
    expect(state.reviews).toEqual([{ rating: 5, published_at: new Date(start.getTime() + 13 * dayMs) }]);
  });

  test("ends a request that nobody answered after 72 hours, and lets an accepted one go the way of every contract", async () => {
    const unanswered = await bookingRow(app, ids.unanswered);
    expect(unanswered).toMatchObject({ status: "canceled", cancel_code: "unanswered" });
    expect(unanswered.canceled_at).toEqual(new Date(start.getTime() + 72 * hourMs));
    const accepted = await bookingRow(app, ids.accepted);
    expect(accepted).toMatchObject({ status: "canceled", cancel_code: "contract_expired", deposit_paid_at: start });
  });

  test("pays an artist out when 72 hours have passed since another bank account, and nobody whose show was reported", async () => {
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

  test("leaves nothing to be done, and 28 single days end in the same rows", { timeout: longMoveMs }, async () => {
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

  test("dates what is stored from then on by the moved day, and the page's settings say how far it is", async () => {
    const { rows } = await sql<{ ahead: number }>`
      select round(extract(epoch from installation_now() - now()) / 86400)::int as ahead`.execute(app.database.db);
    // The test's real clock stands in 2027; the database's own clock does not know that.
    expect(rows[0]?.ahead).toBe(28);
    const settings = (await (await app.request("/api/settings/public")).json()) as { clockAheadMs: number };
    expect(settings.clockAheadMs).toBe(28 * dayMs);
    const asked = await browser(app).ask(
      form(app, { artistId: (await app.make.artist()).slug, eventDate: "2027-02-01" }),
    );
    expect(asked.status).toBe(400);
  });

  test("leaves sessions and limits on the real clock", { timeout: longMoveMs }, async () => {
    const promoter = await app.make.user({ role: "promoter" });
    const headers = await app.signIn(promoter);
    expect((await advance(app, "P60D")).status).toBe(200);
    expect((await app.request("/api/promoter/settings", { headers })).status).toBe(200);
    const token = headers.authorization.slice("Bearer ".length).split(".")[1] ?? "";
    const { iat } = JSON.parse(Buffer.from(token, "base64url").toString()) as { iat: number };
    expect(iat).toBe(Math.floor(start.getTime() / 1000));
  });
});

describe("a contract in time", () => {
  test("is signed on the moved day, and the sandbox forgets an idempotency key after a moved day", async () => {
    await using app = await stillApp();
    const { unsigned } = await market(app);
    await advance(app, "P3D");
    const guest = signingCalls(app);
    const { promoter, artist_token: artist } = await tokensOf(app, unsigned);
    for (const token of [promoter, artist]) if (token) await guest.sign(token, (await guest.open(token)).body);
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

describe("what people may do until a moment", () => {
  test("a no-show is reported for 24 hours, and an attested contract objected to for 72, by the moved clock", async () => {
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

describe("who may move it, and how", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await stillApp();
  });
  afterAll(() => app.close());

  test.each<readonly [unknown, string]>([
    ["PT0S", durationMessages.zero],
    ["-P1D", durationMessages.negative],
    ["P1000Y", durationMessages.tooLong],
    ["tomorrow", durationMessages.malformed],
  ])("%o is refused with a message, and the clock stays", async (duration, message) => {
    const { status, body } = await advance(app, duration);
    expect([status, body.message]).toEqual([400, message]);
    expect(await nowOf(app)).toBe(start.toISOString());
  });

  test.each([undefined, null, 28, {}, ["P1D"]])("advance must be text: %o", async (duration) => {
    expect((await advance(app, duration)).status).toBe(400);
  });

  test("it stays within ten years of the real clock", async () => {
    await using other = await stillApp();
    await sql`insert into installation_clock (ahead_ms) values (${10 * 365 * dayMs})`.execute(other.database.db);
    await using later = await testApp({ beside: other });
    const { status, body } = await advance(later, "P1M");
    expect([status, body.message]).toEqual([400, expect.stringContaining("10 years")]);
  });

  test("two at once: one waits outside with a message, and the clock moves once", async () => {
    const answers = await Promise.all([advance(app, "P1D"), advance(app, "P1D")]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await nowOf(app)).toBe(new Date(start.getTime() + dayMs).toISOString());
  });

  test("an event that waits for its next attempt is tried again when the clock has passed that moment", async () => {
    await sql`insert into event_outbox (topic, body, available_at) values ('user.access_changed', '{"cause":"role"}', now() + interval '5 minutes')`.execute(
      app.database.db,
    );
    await advance(app, "PT4M");
    expect((await sql`select 1 from event_outbox`.execute(app.database.db)).rows).toHaveLength(1);
    await advance(app, "PT2M");
    expect((await sql`select 1 from event_outbox`.execute(app.database.db)).rows).toHaveLength(0);
  });

  test("the buttons of the outbox page move it and lead back; a form of another site does not", async () => {
    const before = await nowOf(app);
    const press = (headers: Record<string, string>, body = "advance=P1W") =>
      app.request("/dev/clock", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body,
      });
    expect((await press({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await press({}, "advance=P9Y")).status).toBe(400);
    expect((await press({}, "")).status).toBe(400);
    expect((await press({ host: "stagedoor.example" })).status).toBe(403);
    expect(await nowOf(app)).toBe(before);
    const answer = await press({ "sec-fetch-site": "same-origin" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/dev/outbox"]);
    expect(Date.parse(await nowOf(app)) - Date.parse(before)).toBe(7 * dayMs);
    const page = await (await app.request("/dev/outbox")).text();
    for (const label of ["1 day", "1 week", "4 weeks"]) expect(page).toContain(`>${label}</button>`);
    expect(page).toMatch(/It is <strong>[^<]*2027/);
  });

  test("another process on the same database has the moved clock, at once and after its start", async () => {
    await using beside = await testApp({ beside: app, now: start });
    await advance(app, "P2D");
    await expect.poll(() => nowOf(beside), { timeout: 2_000 }).toBe(await nowOf(app));
    await using later = await testApp({ beside: app, now: start });
    expect(await nowOf(later)).toBe(await nowOf(app));
  });

  test("outside demo mode there is nothing at this address, whatever is sent, and the real clock holds again", async () => {
    await using place = await testApp({ beside: app, env: { DEMO: "0" } });
    const admin = await place.signIn(await place.make.user({ role: "admin" }));
    for (const headers of [{}, admin]) {
      expect((await place.request("/api/dev/clock", { headers })).status).toBe(404);
      for (const body of [{ advance: "P1D" }, { advance: "x" }, {}, "nonsense"]) {
        const answerOf = async (address: string) => {
          const answer = await place.request(address, { headers, body });
          return [answer.status, ((await answer.json()) as { message: string }).message];
        };
        expect(await answerOf("/api/dev/clock")).toEqual(await answerOf("/api/dev/elsewhere"));
      }
      expect((await place.request("/dev/clock", { method: "POST", headers })).status).toBe(404);
    }
    expect(place.services.clock.now()).toEqual(start);
    const { rows } = await sql<{ same: boolean }>`select installation_now() = now() as same`.execute(app.database.db);
    expect(rows[0]?.same).toBe(true);
  });
});
