import { describe, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { changeArtistSettings, saveArtistSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, emailText, follow, reservations, peopleOf } from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());

const { artist, held, person } = peopleOf(() => app);

describe("a price that no card can pay", () => {
  test.each([0, 1, 49])("of %s cents is on request, and holds no date", async (cents) => {
    const act = await artist({ baseRate: cents });
    const { visitor } = await held();
    const check = await visitor.check({ artistId: act.slug });
    expect(check.body).toMatchObject({ checkout: "on_request", price: { fee_cents: 0, deposit_cents: 0 } });
    const { body: booking } = await visitor.requestBooking({ artistId: act.slug });
    const checkout = await visitor.checkout(booking);
    const none = { checkout_url: null, reason: "on_request", contract: null };
    expect(checkout).toMatchObject({ status: 200, body: none });
    expect(await reservations(app, act.id)).toEqual([]);
  });

  test("becomes the whole price as the deposit if only the deposit is too small", async () => {
    const act = await artist({ baseRate: 190 });
    const { visitor } = await held();
    const { body: booking } = await visitor.requestBooking({ artistId: act.slug });
    expect(booking).toMatchObject({ fee_cents: 190, deposit_cents: 190, balance_cents: 0 });
    expect((await visitor.checkout(booking)).status).toBe(200);
  });

  test("is refused (409) also for a booking that was stored before", async () => {
    const act = await artist();
    const { booking, visitor } = await held({ artist: act, fee: 30 });
    expect((await visitor.checkout(booking)).body).toMatchObject({ checkout_url: null, reason: "on_request" });
    const direct = await visitor.json("/api/functions/create-checkout", { bookingId: booking.id, isDeposit: true });
    expect([direct.status, direct.body["message"]]).toEqual([409, expect.stringMatching(/too small for a card/)]);
    expect(await reservations(app, act.id)).toEqual([]);
  });
});

test.each([
  ["price", { base_rate: 90_000 }, { fee_cents: 90_000, deposit_cents: 22_500 }],
  ["cancellation terms", {}, { fee_cents: 150_000, policy_name: "flexible" }],
])("a request that is sent again after a change of the %s has those that its form shows", async (_, changes, shown) => {
  const player = await person("artist");
  const act = await artist({ userId: player.user.id, baseRate: 150_000 });
  const { visitor } = await held();
  const { body: first } = await visitor.requestBooking({ artistId: act.slug });
  expect(first).toMatchObject({ fee_cents: 150_000, policy_name: "standard" });
  expect((await visitor.requestBooking({ artistId: act.slug })).body.id).toBe(first.id);
  if ("base_rate" in changes)
    await app.database.db.updateTable("artists").set(changes).where("id", "=", act.id).execute();
  else
    await app.database.transaction((tx) =>
      changeArtistSettings(tx, act.id, { policyName: "flexible" }, player.user.id),
    );
  expect((await visitor.check({ artistId: act.slug })).body).toMatchObject({ price: shown });
  const { body: again } = await visitor.requestBooking({ artistId: act.slug });
  expect(again).toMatchObject(shown);
  expect(await bookingRow(app, first.id)).toMatchObject({ status: "canceled", cancel_code: "replaced" });
});

test("a request whose checkout is open keeps its price, and at another price it is not sent again", async () => {
  const act = await artist({ baseRate: 150_000 });
  const { visitor } = await held();
  const { body: first } = await visitor.requestBooking({ artistId: act.slug });
  expect((await visitor.checkout(first)).status).toBe(200);
  expect((await visitor.requestBooking({ artistId: act.slug })).body.id).toBe(first.id);
  await app.database.db.updateTable("artists").set({ base_rate: 90_000 }).where("id", "=", act.id).execute();
  const { event_date: eventDate, event_time: eventTime } = first;
  const checked = await visitor.check({ artistId: act.slug, eventDate, eventTime });
  expect(checked.body).toMatchObject({ date: { state: "own_hold" }, price: { fee_cents: 150_000 } });
  expect(await visitor.requestBooking({ artistId: act.slug })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("continue to the payment, or release the hold") },
  });
});

test.each([
  ["the price is on request", 0, "Your price is on request, so nothing can be paid here yet."],
  ["payments are not set up", 150_000, "Nothing can be paid here yet."],
])("while %s, the artist gets the promoter's address to answer by email", async (_, baseRate, why) => {
  const player = await person("artist");
  const act = await artist({ userId: player.user.id, baseRate });
  const { visitor } = await held();
  const { gateway } = app.services;
  if (baseRate > 0) Object.assign(app.services, { gateway: null });
  try {
    const { body: booking } = await visitor.requestBooking({ artistId: act.slug });
    await follow(app);
    const contact = { promoter_email: booking.promoter_email, promoter_phone: booking.promoter_phone };
    expect((await player.at.json(`/api/bookings/${booking.id}`)).body).toMatchObject(contact);
    const { items } = (await player.at.json("/api/artist/bookings")).body as unknown as { items: unknown[] };
    expect(items).toContainEqual(expect.objectContaining({ id: booking.id, ...contact }));
    const toArtist = await emailText(app, booking.id, "new_request");
    expect(toArtist).toContain(why);
    expect(toArtist).toContain(booking.promoter_email);
    expect(toArtist).toContain(booking.promoter_phone);
    const toPromoter = await emailText(app, booking.id, "request_received");
    expect(toPromoter).toContain("answers you by email");
    expect(toPromoter).not.toContain("within 24 hours");
  } finally {
    Object.assign(app.services, { gateway });
  }
});

test("a request without a deposit from before payments were set up is answered by email, or sent again to be accepted", async () => {
  const player = await person("artist");
  const act = await artist({ userId: player.user.id, baseRate: 150_000 });
  await app.database.transaction((tx) => changeArtistSettings(tx, act.id, { requireDeposit: false }, player.user.id));
  const { visitor } = await held();
  const { gateway } = app.services;
  Object.assign(app.services, { gateway: null });
  const { body: booking } = await visitor.requestBooking({ artistId: act.slug });
  Object.assign(app.services, { gateway });
  const { promoter_email } = booking;
  expect((await player.at.json(`/api/bookings/${booking.id}`)).body).toMatchObject({ promoter_email });
  expect(await visitor.checkout(booking)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("Send it again to book the date here.") },
  });
  const { body: again } = await visitor.requestBooking({ artistId: act.slug });
  expect(again.id).not.toBe(booking.id);
  expect(again["answer_due_at"]).not.toBeNull();
  expect((await visitor.checkout(again)).body).toMatchObject({ reason: "no_deposit" });
});

test("the date check returns an hour of today that has passed as too soon, and does not offer today", async () => {
  const noon = await testApp({ now: new Date("2027-03-03T18:00:00Z") });
  try {
    const act = await noon.make.artist({ location: "Austin, Texas", timeZone: "America/Chicago" });
    const by = (await noon.make.user({ role: "admin" })).id;
    await noon.database.transaction((tx) =>
      saveArtistSettings(tx, act.id, { values: { minimumNotice: 0 }, version: 0, by }),
    );
    const check = async (date: string, time?: string) => {
      const body = { artistId: act.slug, eventDate: date, ...(time ? { eventTime: time } : {}) };
      const response = await noon.request("/api/bookings/check", { body });
      return ((await response.json()) as { date: { state: string; message: string; nearest: { date: string }[] } })
        .date;
    };
    expect(await check("2027-03-03", "08:00")).toMatchObject({
      state: "too_soon",
      message: expect.stringMatching(/has passed/),
    });
    expect(await check("2027-03-03", "20:00")).toMatchObject({ state: "free" });
    await noon.make.booking({ artist: act, status: "deposit_paid", eventDate: "2027-03-04", eventTime: "08:00" });
    const taken = await check("2027-03-04", "08:00");
    expect(taken.state).toBe("taken");
    expect(taken.nearest.map((one) => one.date)).not.toContain("2027-03-03");
    noon.clock.advance(9 * hourMs);
    expect(await check("2027-03-03")).toMatchObject({
      state: "incomplete",
      message: expect.stringMatching(/Choose a time/),
    });
  } finally {
    await noon.close();
  }
});
