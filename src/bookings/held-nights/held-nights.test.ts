import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { lockQueues } from "#calendar/holds/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, browser, dayAhead, follow, press, reservations } from "#test/harness/bookings.ts";
import {
  artistWithHolds,
  checkoutOf,
  heldNight,
  holdMailsOf,
  holdsBy,
  only,
  otherCalendar,
  type Person,
  promotersOf,
} from "#test/harness/calendars/holds.ts";
import { overlapping } from "#test/harness/postgres/overlapping.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-24T18:00:00Z") }));

test("books a held night on the terms of its request after the artist closed it, declined its kind, and raised notice and price", async () => {
  const { act, owner, promoters, night, ids, artist } = await heldNight(app, 1);
  const [promoter = owner] = promoters;
  const [hold = ""] = ids;
  const headers = await app.signIn(owner.user);
  const closed = { method: "PUT", headers, body: { nights: [night], open: false } };
  expect((await app.request("/api/artist/night-exceptions", closed)).status).toBe(200);
  await app.database.db.updateTable("holds").set({ event_type: "Wedding" }).where("id", "=", hold).execute();
  await sql`update settings set value = value || '{"minimumNotice": 100, "acceptWeddingEvents": false}' where owner_id = (
    select id from artists where user_id = ${owner.user.id})`.execute(app.database.db);
  const made = await artist().convert(hold, night);
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 200 });
  const before = await bookingRow(app, String(made.body["booking_id"]));
  const raised = { base_rate: before.fee_cents + 50_000 };
  await app.database.db.updateTable("artists").set(raised).where("id", "=", act.id).execute();
  const { body } = await holdsBy(promoter).book(hold, night);
  expect(body).toMatchObject({ booking_id: before.id, checkout_url: expect.stringMatching(/^http/) });
});

test("does not show the artist the address that an account without a name has as its name, and books it once it has one", async () => {
  const { act, owner } = await artistWithHolds(app);
  const [promoter = owner] = await promotersOf(app, 1);
  const { email, id: userId } = promoter.user;
  const rename = (name: string) =>
    app.database.db.updateTable("profiles").set({ name }).where("user_id", "=", userId).execute();
  await rename(email);
  const night = dayAhead(app, 40);
  const { id } = await holdsBy(promoter).placed(act.slug, [night]);
  await follow(app);
  const shown = async (path: string) => JSON.stringify(await owner.at.json(path));
  for (const path of [`/api/artist/holds?night=${night}`, `/api/artist/calendar?from=${night}&to=${night}`])
    expect(await shown(path)).toMatch(/^(?!.*@people\.test).*A promoter/);
  expect(only(await holdMailsOf(app, owner.user.email, /holds/)).subject).toMatch(/^A promoter holds/);
  expect((await holdsBy(promoter).book(id, night)).body["message"]).toContain("Your account has no name yet.");
  const converted = await holdsBy(owner).convert(id, night);
  expect(converted.body["message"]).toContain("The promoter's account has no name yet.");
  await rename("Hannah Whitt");
  expect((await holdsBy(promoter).book(id, night)).status).toBe(200);
});

test("a hold of a kind of event that the artist declines is refused, and an older request is booked at the current price", async () => {
  const { act, owner } = await artistWithHolds(app, { acceptWeddingEvents: false });
  const [promoter = owner] = await promotersOf(app, 1);
  const night = dayAhead(app, 40);
  const refused = await holdsBy(promoter).place(act.slug, [night], { eventType: "Wedding" });
  expect(refused).toMatchObject({ status: 400, message: expect.stringContaining("does not play weddings.") });

  const { id } = await holdsBy(promoter).placed(act.slug, [night]);
  const booked = await holdsBy(promoter).book(id, night);
  const first = await bookingRow(app, String(booked.body["booking_id"]));
  expect((await promoter.at.json(`/api/bookings/${first.id}/release-own-hold`, {})).status).toBe(200);
  await app.database.db.updateTable("hold_nights").set({ booking_id: null }).where("hold_id", "=", id).execute();
  const raised = { base_rate: first.fee_cents + 50_000 };
  await app.database.db.updateTable("artists").set(raised).where("id", "=", act.id).execute();
  const again = await holdsBy(promoter).book(id, night);
  expect((await bookingRow(app, String(again.body["booking_id"]))).fee_cents).toBe(raised.base_rate);
});

describe("convertHold with a deposit", () => {
  test("makes one request with one payment link for the promoter, and the night stays on hold until the payment", async () => {
    const { act, owner, promoters, night, ids, artist } = await heldNight(app, 2, { emailBookingRequests: false });
    const [first = owner, second = owner] = promoters;
    const [hold = "", behind = ""] = ids;
    expect(await artist().convert(behind, night)).toMatchObject({ status: 409 });
    expect((await holdsBy(first).convert(hold, night)).status).toBe(403);
    const stranger = await artistWithHolds(app);
    expect((await holdsBy(stranger.owner).convert(hold, night)).status).toBe(404);

    const made = await artist().convert(hold, night);
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 200, body: { booked: false } });
    const booking = await bookingRow(app, String(made.body["booking_id"]));
    expect(booking).toMatchObject({
      promoter_user_id: first.user.id,
      needs_confirmation: false,
      status: "initiated",
    });
    expect((await artist().convert(hold, night)).status).toBe(409);
    await follow(app);
    expect(await holdMailsOf(app, first.user.email, /^Your request/)).toEqual([]);
    const { text } = only(await holdMailsOf(app, first.user.email, /^Pay the deposit to book/));
    expect(text?.replaceAll(/\s+/g, " ")).toMatch(
      /Pay the deposit of \$[\d.]+ by Tuesday 1 December 2026, .* to book it/,
    );
    only(await holdMailsOf(app, owner.user.email, /^You turned the hold of/));
    expect(await holdMailsOf(app, owner.user.email, /^New request/)).toEqual([]);
    expect(await reservations(app, act.id)).toEqual([{ booking_id: null, kind: "hold" }]);
    const [row] = await artist().queue(night);
    expect(row?.nights[0]).toMatchObject({ requested: true, booking_id: booking.id, can: { convert: false } });
    const [mine] = await holdsBy(first).mine();
    expect(mine?.nights[0]).toMatchObject({ requested_by_artist: true, can: { book: true } });
    expect((await second.at.requestBooking({ artistId: act.slug, eventDate: night })).status).toBe(409);

    // The promoter's own booking of the hold opens the checkout of the same request.
    const opened = await holdsBy(first).book(hold, night);
    expect(opened.body["booking_id"]).toBe(booking.id);
    const url = await checkoutOf(app, text ?? "");
    expect(url).toBe(opened.body["checkout_url"]);
    await press(app, url, "pay");
    expect(await reservations(app, act.id)).toEqual([{ booking_id: booking.id, kind: "booked" }]);
    expect(await artist().queue(night)).toEqual([]);
  });

  test("makes one booking when the promoter books concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      const { act, owner, promoters, night, ids, artist } = await heldNight(app, 1);
      const [first = owner] = promoters;
      const [hold = ""] = ids;
      const answers = await Promise.all([holdsBy(first).book(hold, night), artist().convert(hold, night)]);
      for (const { status } of answers) expect([200, 409]).toContain(status);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      const live = await app.database.db
        .selectFrom("bookings")
        .select("id")
        .where("artist_id", "=", act.id)
        .where("status", "=", "initiated")
        .execute();
      expect(live).toHaveLength(1);
      const row = await app.database.db
        .selectFrom("hold_nights")
        .select(["booking_id", "state"])
        .where("hold_id", "=", hold)
        .executeTakeFirstOrThrow();
      expect(row).toEqual({ booking_id: live[0]?.id, state: "active" });
    }
  });

  test("sends the link to the email address of a hold entered by hand, without an account", async () => {
    const { act, owner } = await artistWithHolds(app, { holdsEnabled: false });
    const night = dayAhead(app, 50);
    const until = new Date(app.clock.now().getTime() + 30 * 24 * hourMs);
    const entered = await owner.at.json("/api/artist/holds", {
      nights: [night],
      until,
      name: "Quayside Agency",
      eventTime: "21:00",
      eventLocation: "Pier Nine, Austin, Texas",
      eventType: "Festival",
    });
    const by = holdsBy(owner);
    const missing = await by.convert(entered.body.id, night);
    expect(missing).toMatchObject({ status: 400, body: { data: { fields: [{ field: "email" }] } } });
    const made = await by.convert(entered.body.id, night, { email: "dana@quayside.example" });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    expect((await by.convert(entered.body.id, night, { email: "dana@quayside.example" })).status).toBe(409);
    await follow(app);
    const { text } = only(await holdMailsOf(app, "dana@quayside.example", /^Pay the deposit to book/));
    expect(text).not.toContain("Quayside");
    // An entry of another calendar at the time of the event stops the payment, and the link says so.
    const enter = await otherCalendar(app, act.id);
    const key = /\/pay\/\S+\?key=(\S+)/.exec(text ?? "")?.[1] ?? "";
    const link = { bookingId: made.body["booking_id"], kind: "deposit", key };
    const linkState = async () => (await browser(app).json("/api/bookings/pay-link", link)).body;
    await enter({ from: `${night}T20:00:00-06:00`, to: `${night}T22:00:00-06:00` });
    expect(await linkState()).toMatchObject({
      state: "not_due",
      message: expect.stringMatching(/ has entered something else at the time of this event.* Nothing was charged\.$/),
    });
    const stopped = only(await holdMailsOf(app, "dana@quayside.example", /cannot be booked now$/));
    expect(stopped.text).toContain(`/booking/${String(made.body["booking_id"])}`);
    await enter();
    expect(await linkState()).toMatchObject({ state: "due" });
    await press(app, await checkoutOf(app, text ?? ""), "pay");
    expect(await reservations(app, act.id)).toEqual([{ booking_id: made.body["booking_id"], kind: "booked" }]);
    const state = await app.database.db
      .selectFrom("hold_nights")
      .select(["state", "booking_id"])
      .where("hold_id", "=", entered.body.id)
      .executeTakeFirst();
    expect(state).toEqual({ state: "booked", booking_id: made.body["booking_id"] });
  });
});

test("convertHold without a deposit books the night and ends its other holds", async () => {
  const { owner, promoters, night, ids, artist } = await heldNight(app, 2, { requireDeposit: false });
  const made = await artist().convert(ids[0] ?? "", night);
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 200, body: { booked: true } });
  await follow(app);
  const states = async (person: Person | undefined) => (await holdsBy(person ?? owner).mine())[0]?.nights[0]?.state;
  expect([await states(promoters[0]), await states(promoters[1])]).toEqual(["booked", "superseded"]);
  expect(await artist().queue(night)).toEqual([]);
});

test("locks the artist's queues before the artist when a held night is booked, as a save of the profile does", async () => {
  const { act, owner, promoters, night, ids } = await heldNight(app, 1);
  const [promoter = owner] = promoters;
  const booked = await overlapping(
    app,
    (tx) => lockQueues(tx, act.id),
    () => holdsBy(promoter).book(ids[0] ?? "", night),
    (tx) => sql`select 1 from artists where id = ${act.id} for update nowait`.execute(tx),
  );
  expect(booked, JSON.stringify(booked.body)).toMatchObject({ status: 200 });
});

test("the booking page displays its hold, and the other holds of the night to the artist, and admins may release a hold", async () => {
  const { act, owner, promoters, ids } = await heldNight(app, 0).then(async (market) => {
    const [first, second] = await promotersOf(app, 2);
    if (!first || !second) throw new Error("no promoters");
    const nights = [dayAhead(app, 40), dayAhead(app, 41)];
    const hold = await holdsBy(first).placed(market.act.slug, nights);
    const behind = await holdsBy(second).placed(market.act.slug, nights.slice(0, 1));
    return { ...market, promoters: [first, second], ids: [hold.id, behind.id] };
  });
  const [first = owner, second = owner] = promoters;
  const night = dayAhead(app, 40);
  const made = await holdsBy(owner).convert(ids[0] ?? "", night);
  const address = `/api/bookings/${String(made.body["booking_id"])}`;
  const holdsFor = async ({ at }: Pick<Person, "at">) => (await at.json(address)).body["holds"];
  expect(await holdsFor(owner)).toMatchObject({
    night,
    from: { rank: 1, state: "active", released_nights: [] },
    queue: [{ rank: 2 }],
  });
  expect(await holdsFor(first)).toMatchObject({ from: { rank: 1 }, queue: [] });
  const opened = await holdsBy(first).book(ids[0] ?? "", night);
  await press(app, opened.body["checkout_url"], "pay");
  const paid = { rank: 1, state: "booked", released_nights: [dayAhead(app, 41)] };
  expect(await holdsFor(owner)).toMatchObject({ from: { ...paid, ended_others: 1 }, queue: [] });
  expect(await holdsFor(first)).toMatchObject({ from: { ...paid, ended_others: 0 } });

  const admin = { user: await app.make.user({ role: "admin" }) };
  const at = browser(app, await app.signIn(admin.user));
  expect(await holdsFor({ at })).toMatchObject({ from: paid });
  const open = await holdsBy(second).placed(act.slug, [dayAhead(app, 44)]);
  const { items } = (await at.json("/api/admin/holds")).body as unknown as { items: Record<string, unknown>[] };
  expect(items.find(({ hold_id: id }) => id === open.id)).toMatchObject({
    night: dayAhead(app, 44),
    rank: 1,
    state: "active",
    artist: { slug: act.slug },
    can: { release: true },
  });
  const release = (reason: string) =>
    at.json(`/api/admin/holds/${open.id}/release`, { night: dayAhead(app, 44), reason });
  expect((await release("Spam")).status).toBe(400);
  expect((await release("Held for nobody, asked by telephone.")).status).toBe(200);
  expect((await release("Held for nobody, asked by telephone.")).status).toBe(409);
  await follow(app);
  for (const { user } of [second, owner]) {
    const mail = only(
      (await holdMailsOf(app, user.email, /is released$/)).filter(({ text }) => text?.includes("An admin released it")),
    );
    expect(mail.text?.replaceAll(/\s+/g, " ")).toContain("The reason: Held for nobody, asked by telephone.");
  }
  const { rows } = await sql<{ message: string }>`
    select message from activity where actor_id = ${admin.user.id} and message like '%Held for nobody%'`.execute(
    app.database.db,
  );
  expect(rows).toHaveLength(1);
});
