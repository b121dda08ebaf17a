import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookingRow, dayAhead, emailsFor, follow, peopleOf, press, reservations } from "#test/harness/bookings.ts";
import { later, artistWithHolds, type Hold, holdsBy, type Person, promotersOf } from "#test/harness/calendars/holds.ts";
import { remindOfEnds } from "./jobs.ts";
import { type TestApp, testApp } from "#test/test-app.ts";
import { formatDay } from "#platform/time/calendar.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ now: new Date("2026-11-24T18:00:00Z") });
});
afterAll(() => app.close());

const nightOf = (hold: Hold | undefined, night: string) => hold?.nights.find((one) => one.night === night);
const ranksOf = (queue: Hold[], night: string) =>
  queue.map((hold) => `${hold.event_type} ${nightOf(hold, night)?.rank}`).join(", ");

async function subjectsFor(email: string): Promise<string[]> {
  const rows = await app.database.db
    .selectFrom("messages")
    .select("subject")
    .where("template", "=", "hold_changed")
    .where("recipient", "=", email)
    .orderBy("created_at")
    .execute();
  return rows.map(({ subject }) => subject ?? "");
}

const emailsTo = async (email: string): Promise<string[]> =>
  (await app.database.db.selectFrom("messages").select("text").where("recipient", "=", email).execute()).map(
    ({ text }) => text,
  );

async function queueOf(count: number, settings: Record<string, unknown> = {}) {
  const market = await artistWithHolds(app, settings);
  const promoters = await promotersOf(app, count);
  const night = dayAhead(app, 40);
  const holds: Hold[] = [];
  for (const [index, promoter] of promoters.entries())
    holds.push(await holdsBy(promoter).placed(market.act.slug, [night], { eventType: "ABCDEF"[index] }));
  return { ...market, promoters, night, holds, queue: () => holdsBy(market.owner).queue(night) };
}

describe("placing holds", () => {
  test("queues promoters, blocks the night for all other accounts, and shows strangers only its deadline", async () => {
    const { act, promoters, night, queue, owner } = await queueOf(2);
    const [first, second] = promoters.map(holdsBy);
    expect(ranksOf(await queue(), night)).toBe("A 1, B 2");
    expect(await reservations(app, act.id)).toEqual([{ booking_id: null, kind: "hold" }]);
    const [mine] = (await second?.mine()) ?? [];
    expect(nightOf(mine, night)).toMatchObject({ rank: 2, can: { release: true, book: false, challenge: true } });
    expect(mine).toMatchObject({ artist: { slug: act.slug }, deposit: { currency: "usd" }, challenge_hours: 24 });
    expect((await first?.place(act.slug, [night]))?.message).toMatch(/^You hold .* already\.$/);

    const [, , stranger] = [...promoters, ...(await promotersOf(app, 1))];
    const check = await stranger?.at.check({ artistId: act.slug, eventDate: night, eventTime: "14:00" });
    expect(check?.body).toMatchObject({
      date: {
        state: "held",
        message: expect.stringMatching(/is on hold until Tuesday 1 December 2026, .* at the latest\.$/),
      },
    });
    const requested = await stranger?.at.requestBooking({ artistId: act.slug, eventDate: night });
    expect(requested?.status).toBe(409);
    const shown = await app.request(`/api/artists/${act.slug}/availability?from=${night}&to=${night}`);
    expect(await shown.json()).toEqual({ items: [{ night, state: "on_hold" }] });

    const { body } = await owner.at.json(`/api/artist/calendar?from=${night}&to=${night}`);
    expect(body["items"]).toMatchObject([
      { kind: "hold", hold: { rank: 1 } },
      { kind: "hold", hold: { rank: 2 } },
    ]);
    const blocked = await owner.at.json("/api/artist/blocked-times", {
      starts_at: `${night}T18:00`,
      ends_at: `${night}T23:00`,
    });
    expect(blocked).toMatchObject({ status: 409, body: { message: expect.stringContaining("is on hold") } });
  });

  test("refuses artists without holds, closed nights, a sixth open hold, and a night again within 7 days", async () => {
    const { act } = await artistWithHolds(app, { minimumNotice: 0 });
    const closed = await artistWithHolds(app, { holdsEnabled: false });
    const [promoter] = await promotersOf(app, 1);
    if (!promoter) throw new Error("no promoter");
    let by = holdsBy(promoter);
    const night = dayAhead(app, 30);
    const { user: unproven, at: unprovenAt } = await peopleOf(() => app).person("promoter");
    await app.database.db
      .updateTable("users")
      .set({ email_confirmed_at: null })
      .where("id", "=", unproven.id)
      .execute();
    expect((await holdsBy({ at: unprovenAt }).place(act.slug, [night])).status).toBe(403);
    expect(await by.place(closed.act.slug, [night])).toMatchObject({
      status: 409,
      message: expect.stringMatching(/no holds/),
    });
    expect((await by.place(act.slug, [dayAhead(app, 400)])).status).toBe(409);
    // Nothing is stored if one of the nights cannot be held.
    expect((await by.place(act.slug, [night, dayAhead(app, 400)])).status).toBe(409);
    expect(await by.mine()).toEqual([]);
    for (let at = 0; at < 5; at++) await by.placed(act.slug, [dayAhead(app, 30 + at)]);
    expect(await by.place(act.slug, [dayAhead(app, 50)])).toMatchObject({
      status: 409,
      message: "You have 5 open holds. The limit is 5. Release 1 before you place another.",
    });
    const headers = await app.signIn(await app.make.user({ role: "admin" }));
    const limit = async (mostOpenHolds: number) => {
      const { version } = (await (await app.request("/api/admin/settings", { headers })).json()) as { version: number };
      const body = { values: { mostOpenHolds }, version };
      return (await app.request("/api/admin/settings", { method: "PATCH", headers, body })).status;
    };
    expect([await limit(0), await limit(51), await limit(3)]).toEqual([400, 400, 200]);
    expect((await by.place(act.slug, [dayAhead(app, 50)])).message).toMatch(/The limit is 3. Release 3 before/);
    expect(await limit(6)).toBe(200);
    await by.placed(act.slug, [dayAhead(app, 50)]);
    expect(await limit(5)).toBe(200);
    by = holdsBy(await later(app, 7 * 24, promoter));
    expect((await by.place(act.slug, [night])).message).toMatch(
      /has ended. You can hold this night again 7 days later/,
    );
    by = holdsBy(await later(app, 7 * 24, promoter));
    await by.placed(act.slug, [night]);
    expect((await subjectsFor(promoter.user.email)).filter((text) => text.endsWith("has expired"))).toHaveLength(6);
  });

  test("lets the artist enter a hold manually for 60 days, for a name or for an account that is not disclosed", async () => {
    const { act, owner } = await artistWithHolds(app, { holdsEnabled: false });
    const [promoter, other] = await promotersOf(app, 2);
    if (!promoter || !other) throw new Error("no promoters");
    const night = dayAhead(app, 90);
    const until = new Date(app.clock.now().getTime() + 60 * 24 * hourMs);
    const enter = (name: string, email: string, end = until) =>
      owner.at.json("/api/artist/holds", {
        nights: [night],
        until: end,
        name,
        email,
        eventTime: "21:00",
        eventLocation: "Hall",
        eventType: name,
      });
    expect((await enter("Agency", "", new Date(until.getTime() + hourMs))).status).toBe(400);
    const agency = await enter("Agency", "");
    const known = await enter("Known", promoter.user.email);
    expect([agency.status, known.status]).toEqual([201, 201]);
    expect(known.body).toMatchObject({ promoter_name: "Known", by_hand: true });
    const [own] = await holdsBy(promoter).mine();
    expect(nightOf(own, night)).toMatchObject({ rank: 2, can: { release: true, challenge: true } });
    expect((await other.at.requestBooking({ artistId: act.slug, eventDate: night })).status).toBe(409);
  });
});

describe("blocking nights", () => {
  const blockNights = async ({ at }: Person, [from, to]: [string, string], release_holds: string[] = []) =>
    at.json("/api/artist/blocked-times", {
      starts_at: `${from}T06:00`,
      ends_at: `${to}T06:00`,
      release_holds,
    });

  test("releases exactly the named holds on these nights, and refuses while another hold is there", async () => {
    const { act, owner, promoters, night, holds } = await queueOf(2);
    const [first = owner, second = owner] = promoters;
    const [next, after] = [dayAhead(app, 41), dayAhead(app, 42)];
    const [one, two] = holds.map(({ id }) => id);
    const both = await holdsBy(second).placed(act.slug, [next, after]);
    for (const named of [[], [one ?? ""], [one ?? "", two ?? ""]]) {
      const { status, body } = await blockNights(owner, [night, after], named);
      expect([status, body["message"]]).toEqual([409, expect.stringMatching(/ is on hold\. Release its holds, or/)]);
    }
    expect(await holdsBy(owner).queue(night)).toHaveLength(2);
    const done = await blockNights(owner, [night, after], [one ?? "", two ?? "", both.id]);
    expect(done.status, JSON.stringify(done.body)).toBe(201);
    await follow(app);
    expect(await holdsBy(owner).queue(night)).toEqual([]);
    const states = (await holdsBy(second).mine()).flatMap((hold) =>
      hold.nights.map((each) => `${each.night} ${each.state}`),
    );
    expect(states.toSorted()).toEqual([`${night} released`, `${next} released`, `${after} active`]);
    for (const { user } of [first, second]) {
      const subjects = await subjectsFor(user.email);
      expect(subjects.filter((text) => text.endsWith("is released"))).toHaveLength(user === first.user ? 1 : 2);
      expect(subjects.join()).not.toMatch(/You now have/);
    }
    expect(await holdsBy(first).book(one ?? "", night)).toMatchObject({ status: 404 });
    expect(await holdsBy(first).place(act.slug, [night])).toMatchObject({ status: 409 });
  });

  test("ends exactly the requests on these nights with their holds, and emails their promoters only", async () => {
    const { act, owner, promoters, night, holds } = await queueOf(1, { requireDeposit: false });
    const [first = owner] = promoters;
    const [hold = ""] = holds.map(({ id }) => id);
    const [second = owner] = await promotersOf(app, 1);
    const held = String((await holdsBy(first).book(hold, night)).body["booking_id"]);
    const [next, after] = [dayAhead(app, 41), dayAhead(app, 42)];
    const request = async (eventDate: string) =>
      (await second.at.requestBooking({ artistId: act.slug, eventDate, clientEmail: second.user.email })).body.id;
    const [open, beside] = [await request(next), await request(after)];
    await follow(app);
    const count = (await emailsTo(owner.user.email)).length;
    const done = await blockNights(owner, [night, after], [hold]);
    expect(done.status, JSON.stringify(done.body)).toBe(201);
    await follow(app);
    for (const [id, { user }] of [
      [held, first],
      [open, second],
    ] as const) {
      expect(await bookingRow(app, id)).toMatchObject({ status: "canceled", cancel_code: "date_lost" });
      expect(await emailsTo(user.email)).toContainEqual(expect.stringMatching(/no\s+longer\s+available\./));
    }
    expect(await bookingRow(app, beside)).toMatchObject({ status: "initiated" });
    expect(await emailsTo(owner.user.email)).toHaveLength(count);
  });

  test("refuses a night whose hold is at the checkout, and blocks hours that its hold does not reserve", async () => {
    const { act, owner, promoters, night, holds } = await queueOf(1);
    const [first = owner] = promoters;
    const [id = ""] = holds.map((hold) => hold.id);
    expect((await holdsBy(first).book(id, night)).status).toBe(200);
    const refused = await blockNights(owner, [night, dayAhead(app, 41)], [id]);
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringMatching(/being booked/) } });
    expect(await holdsBy(owner).queue(night)).toHaveLength(1);

    const morning = dayAhead(app, 50);
    const block = (from: string, to: string) =>
      owner.at.json("/api/artist/blocked-times", { starts_at: `${morning}T${from}`, ends_at: `${morning}T${to}` });
    expect((await block("06:00", "15:00")).status).toBe(201);
    await holdsBy(first).placed(act.slug, [morning]);
    expect((await block("08:00", "12:00")).status).toBe(201);
    expect((await block("08:00", "16:00")).status).toBe(409);
    expect(await holdsBy(owner).queue(morning)).toHaveLength(1);
  });
});

describe("booking a held night", () => {
  test("opens the deposit's checkout for the first hold only, and ends every other hold on its payment", async () => {
    const { act, promoters, night, holds, queue } = await queueOf(2);
    const [first, second] = promoters;
    const [hold, other] = holds;
    if (!first || !second || !hold || !other) throw new Error("no holds");
    const also = dayAhead(app, 41);
    const more = await holdsBy(first).placed(act.slug, [also, dayAhead(app, 42)], { eventType: "More" });
    expect((await holdsBy(second).book(other.id, night)).status).toBe(409);
    const opened = await holdsBy(first).book(more.id, also);
    expect(opened.body, opened.body["message"] as string).toMatchObject({
      checkout_url: expect.stringContaining("http"),
    });
    expect((await holdsBy(first).release(more.id, [also])).status).toBe(409);
    expect((await holdsBy(first).book(more.id, also)).body["session_id"]).toBe(opened.body["session_id"]);
    await press(app, opened.body["checkout_url"], "pay");
    const ended = (await holdsBy(first).mine()).find(({ id }) => id === more.id);
    expect(ended?.nights.map(({ state }) => state)).toEqual(["booked", "released"]);

    const night1 = await holdsBy(first).book(hold.id, night);
    await press(app, night1.body["checkout_url"], "pay");
    expect(await queue()).toEqual([]);
    expect(await subjectsFor(second.user.email)).toContainEqual(
      expect.stringMatching(/is booked by another promoter$/),
    );
  });

  test("returns the night to its queue if the checkout ends without payment", async () => {
    const market = await queueOf(2);
    const { act, promoters, night, holds, queue } = market;
    const [first] = promoters;
    const [hold] = holds;
    if (!first || !hold) throw new Error("no holds");
    const opened = await holdsBy(first).book(hold.id, night);
    expect(await reservations(app, act.id)).toEqual([{ booking_id: opened.body["booking_id"], kind: "hold" }]);
    const { body } = await first.at.check({ artistId: act.slug, eventDate: night, eventTime: "20:00" });
    expect(body).toMatchObject({ own_hold: { stays_on_hold: true } });
    await press(app, opened.body["checkout_url"], "cancel");
    await later(app, 1, market.owner);
    expect(await reservations(app, act.id)).toEqual([{ booking_id: null, kind: "hold" }]);
    const [email] = (await emailsFor(app, String(opened.body["booking_id"]))).filter(
      ({ template }) => template === "hold_ended",
    );
    expect(email?.subject).toMatch(/^Your checkout for .* has ended$/);
    expect(email?.text.replaceAll(/\s+/g, " ")).toMatch(
      /was not paid .*Nothing was charged\. Your hold of the night runs until .* You can open the checkout again from /,
    );
    expect(email?.text).not.toContain("Other promoters");
    expect(ranksOf(await queue(), night)).toBe("A 1, B 2");
  });

  test("retains the hold during the artist's open request without deposit, and refuses to accept another promoter's", async () => {
    const market = await artistWithHolds(app, { requireDeposit: false });
    const [first, rival] = await promotersOf(app, 2);
    if (!first || !rival) throw new Error("no promoters");
    const night = dayAhead(app, 45);
    const earlier = await rival.at.requestBooking({ artistId: market.act.slug, eventDate: night });
    expect(earlier.status).toBe(201);
    const hold = await holdsBy(first).placed(market.act.slug, [night, dayAhead(app, 46)]);
    const refused = await market.owner.at.json(`/api/artist/bookings/${earlier.body.id}/accept`, {});
    expect(refused).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/is on hold for .+ until .+ Release that hold first/) },
    });

    const booked = await holdsBy(first).book(hold.id, night);
    expect(booked.body).toMatchObject({ reason: "no_deposit" });
    await later(app, 24, first);
    await later(app, 0, market.owner);
    const accepted = await market.owner.at.json(`/api/artist/bookings/${String(booked.body["booking_id"])}/accept`, {});
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(200);
    await follow(app);
    const [mine] = await holdsBy(first).mine();
    expect(mine?.nights.map(({ state }) => state)).toEqual(["booked", "released"]);
    expect(mine?.nights.map(({ released_for }) => released_for)).toEqual([null, night]);
    const { text } = await app.database.db
      .selectFrom("messages")
      .select("text")
      .where("recipient", "=", first.user.email)
      .where("subject", "like", "Your hold of % is released")
      .executeTakeFirstOrThrow();
    expect(text).toContain(`We released it because you booked ${formatDay(night)}.`);
  });
});

test("reminds the promoter once of each end of a hold, a day before, unless the hold is shorter than two days", async () => {
  const { act, owner } = await artistWithHolds(app);
  const short = await artistWithHolds(app, { holdDays: 1 });
  const [promoter] = await promotersOf(app, 1);
  if (!promoter) throw new Error("no promoter");
  const nights = [dayAhead(app, 40), dayAhead(app, 41)];
  const { id } = await holdsBy(promoter).placed(act.slug, nights);
  await holdsBy(promoter).placed(short.act.slug, nights);
  const remindedAfter = async (hours: number) => {
    app.clock.advance(hours * hourMs);
    await remindOfEnds(app.services);
    await follow(app);
    return (await subjectsFor(promoter.user.email)).filter((subject) => subject.endsWith("ends soon"));
  };
  expect(await remindedAfter(143)).toEqual([]);
  const reminder = `Your hold of ${nights.map((night) => formatDay(night)).join(", ")} ends soon`;
  expect(await remindedAfter(1)).toEqual([reminder]);
  expect(await remindedAfter(1)).toEqual([reminder]);
  const until = new Date(app.clock.now().getTime() + 72 * hourMs);
  expect((await holdsBy(await later(app, 0, owner)).extend(id, until)).status).toBe(200);
  expect(await remindedAfter(47)).toEqual([reminder]);
  expect(await remindedAfter(1)).toEqual([reminder, reminder]);
});

test("limits an account to 30 placed holds in an hour", async () => {
  const limited = await testApp({ now: new Date("2026-11-24T18:00:00Z"), env: { RATE_LIMITS: "on" } });
  try {
    const { act } = await artistWithHolds(limited, { holdsEnabled: false });
    const [promoter] = await promotersOf(limited, 1);
    if (!promoter) throw new Error("no promoter");
    const place = async () => (await holdsBy(promoter).place(act.slug, [dayAhead(limited, 30)])).status;
    for (let attempt = 1; attempt <= 30; attempt++) expect(await place()).toBe(409);
    expect(await place()).toBe(429);
  } finally {
    await limited.close();
  }
});
