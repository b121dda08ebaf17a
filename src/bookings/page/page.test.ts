import { describe, expect, test } from "vitest";
import { minuteMs, dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import {
  bookingRow,
  browser,
  dayAhead,
  emailsFor,
  follow,
  linkTokenOf,
  peopleOf,
  reservations,
  sceneOf,
} from "#test/harness/bookings.ts";
import { testApp } from "#test/test-app.ts";
import type { BookingPage } from "../api.ts";
import { bookingStatusNames } from "../rules.ts";
import { requireConfirmation } from "../store.ts";

const app = closeAfterFile(await testApp({ env: { RATE_LIMITS: "on" } }));

const { artist, person } = peopleOf(() => app);
const read = async (visitor: Visitor, id: string, more = "") => {
  const { status, body } = await visitor.json(`/api/bookings/${id}${more}`);
  return { status, page: body as unknown as BookingPage };
};

type Visitor = ReturnType<typeof browser>;
const scene = sceneOf(() => app);

describe("the booking page", () => {
  test.each(bookingStatusNames)("lists each viewer's possible actions at %s", async (status) => {
    const { booking, player, promoter, visitor } = await scene(status);
    const admin = await person("admin");
    const nothing = {
      pay: null,
      confirm_request: false,
      release_own_hold: false,
      state_no_show: false,
      release: false,
      answer: false,
      sign: false,
      mark_signed: false,
      create_balance_link: false,
      decide_balance: false,
      complete: false,
      cancel: false,
      report_no_show: false,
      decide_no_show: false,
    };
    const pay = status === "initiated" ? "deposit" : status === "contract_signed" ? "balance" : null;
    const open = status !== "completed" && status !== "canceled";
    const sent = status === "contract_sent";
    const ofPromoter = { ...nothing, pay, cancel: open, sign: sent };
    const seen = async (at: Visitor) => (await read(at, booking.id)).page.can;
    expect(await seen(promoter.at)).toEqual(ofPromoter);
    expect(await seen(visitor)).toEqual(ofPromoter);
    expect(await seen(player.at)).toEqual({
      ...nothing,
      cancel: open,
      sign: sent,
      create_balance_link: ["deposit_paid", "contract_sent", "contract_signed"].includes(status),
    });
    expect(await seen(admin.at)).toEqual({ ...nothing, pay, cancel: open, mark_signed: sent });
    for (const [at, address, who] of [
      [promoter.at, "/api/promoter/bookings", promoter.at],
      [player.at, "/api/artist/bookings", player.at],
    ] as const) {
      const { items } = (await at.json(address)).body as unknown as { items: BookingPage[] };
      expect(items.find((one) => one.id === booking.id)?.can).toEqual(await seen(who));
    }
  });

  test("lets the promoter and the artist end an open checkout", async () => {
    const { booking, player, promoter, visitor } = await scene("initiated");
    await visitor.checkout(booking);
    expect((await read(promoter.at, booking.id)).page).toMatchObject({
      can: { release_own_hold: true, release: false },
    });
    expect((await read(player.at, booking.id)).page).toMatchObject({ can: { release_own_hold: false, release: true } });
    const [listed] = (await player.at.json("/api/artist/bookings")).body["items"] as { hold: object | null }[];
    expect(listed?.hold).not.toBeNull();
    const release = (at: Visitor) => at.json(`/api/artist/bookings/${booking.id}/release-hold`, {});
    expect((await release((await person("artist")).at)).status).toBe(404);
    expect(await release(player.at)).toMatchObject({ status: 200, body: { released: true } });
    await follow(app);
    expect(await reservations(app, booking.artist_id)).toEqual([]);
    expect((await release(player.at)).status).toBe(409);
    expect((await read(promoter.at, booking.id)).page).toMatchObject({ hold: null, can: { release_own_hold: false } });
    expect((await read(player.at, booking.id)).page).toMatchObject({ can: { release: false } });
  });

  test("does not tell the artist whether the promoter has an account", async () => {
    const { booking, player, promoter } = await scene("initiated");
    await app.database.transaction((tx) => requireConfirmation(tx, booking));
    expect((await read(promoter.at, booking.id)).page).toMatchObject({ has_account: true, needs_confirmation: true });
    const hidden = { has_account: false, needs_confirmation: false };
    expect((await read(player.at, booking.id)).page).toMatchObject(hidden);
    const { items } = (await player.at.json("/api/artist/bookings")).body as unknown as { items: unknown[] };
    expect(items).toContainEqual(expect.objectContaining({ id: booking.id, needs_confirmation: false }));
  });

  test("returns details, money, contract and history, with contacts for the artist only after both signatures", async () => {
    const { act, booking, player, promoter } = await scene("contract_sent");
    const { page } = await read(promoter.at, booking.id);
    expect(page).toMatchObject({
      artist: { has_page: true },
      number: expect.stringMatching(/^SD-[2-9A-HJKMNP-Z]{6}$/),
      viewer: "promoter",
      has_account: true,
      promoter_email: booking.promoter_email,
      money: { paid_cents: 37_500, refunded_cents: 0, outstanding_cents: 112_500, commission_cents: null },
      contract: { status: "sent" },
    });
    expect(page.timeline.map((line) => line.kind)).toEqual([
      "requested",
      "checkout_opened",
      "deposit_paid",
      "contract_sent",
    ]);
    const ofArtist = (await read(player.at, booking.id)).page;
    expect(ofArtist).toMatchObject({
      viewer: "artist",
      promoter_email: null,
      promoter_phone: null,
      event_type: "Wedding",
      guest_count: 180,
      money: { commission_cents: 15_000 },
    });
    await app.database.db.updateTable("artists").set({ is_public: false }).where("id", "=", act.id).execute();
    expect((await read(promoter.at, booking.id)).page.artist.has_page).toBe(false);
    const signed = await scene("contract_signed");
    expect((await read(signed.player.at, signed.booking.id)).page.promoter_email).toBe(signed.booking.promoter_email);
  });

  test("is not found (404) for other users, as for a missing booking", async () => {
    const { booking } = await scene("contract_signed");
    const missing = await read(browser(app), "00000000-0000-4000-8000-000000000000");
    for (const at of [browser(app), (await person("promoter")).at, (await person("artist")).at]) {
      const response = await read(at, booking.id);
      expect([response.status, response.page]).toEqual([
        404,
        expect.objectContaining({ message: "Booking not found" }),
      ]);
      expect(Object.keys(response.page).sort()).toEqual(Object.keys(missing.page).sort());
    }
  });
});

test("the page of an unpaid request reports the availability of its date, and offers the payment only if it is available", async () => {
  const { act, booking, visitor } = await scene("initiated");
  expect((await read(visitor, booking.id)).page).toMatchObject({ date: { state: "free" }, can: { pay: "deposit" } });
  await visitor.checkout(booking);
  expect((await read(visitor, booking.id)).page).toMatchObject({
    date: null,
    can: { pay: "deposit", release_own_hold: true },
  });
  await visitor.json(`/api/bookings/${booking.id}/release-own-hold`, {});
  await follow(app);
  const after = (await read(visitor, booking.id)).page;
  expect(after).toMatchObject({ date: { state: "held_before" }, can: { pay: null } });
  expect(after.date?.message).toMatch(/You have just held .* again from \d\d:\d\d \(US Central\)/);
  expect((await visitor.checkout(booking)).status).toBe(429);
  app.clock.advance(31 * minuteMs);
  expect((await read(visitor, booking.id)).page).toMatchObject({ date: { state: "free" }, can: { pay: "deposit" } });
  await app.make.booking({ artist: act, status: "deposit_paid", eventDate: booking.event_date });
  expect((await read(visitor, booking.id)).page).toMatchObject({ date: { state: "taken" }, can: { pay: null } });
});

test("the email about an ended hold names the cause and links to the current state", async () => {
  const mine = await scene("initiated", { promoterUserId: null });
  await mine.visitor.checkout(mine.booking);
  await mine.visitor.json(`/api/bookings/${mine.booking.id}/release-own-hold`, {});
  await follow(app);
  const theirs = await scene("initiated", { promoterUserId: null });
  await theirs.visitor.checkout(theirs.booking);
  await theirs.player.at.json(`/api/artist/bookings/${theirs.booking.id}/release-hold`, {});
  await follow(app);
  const late = await scene("initiated", { promoterUserId: null });
  await late.visitor.checkout(late.booking);
  app.clock.advance(40 * minuteMs);
  const { sweepHolds } = await import("../jobs.ts");
  await sweepHolds(app.services);
  await follow(app);
  for (const [{ booking }, text] of [
    [mine, /You released the hold on/],
    [theirs, /released the date/],
    [late, /was not paid in time/],
  ] as const) {
    const ended = (await emailsFor(app, booking.id)).filter((email) => email.template === "hold_ended");
    expect(ended).toHaveLength(1);
    expect(ended[0]?.text.replaceAll(/\s+/g, " ")).toMatch(text);
    const address = new URL(/https?:\/\/\S+\/booking\/\S+/.exec(ended[0]?.text ?? "")?.[0] ?? "");
    const response = await read(browser(app), booking.id, address.search);
    expect(response.page).toMatchObject({
      viewer: "guest",
      date: { state: expect.stringMatching(/^(free|held_before)$/) },
    });
  }
});

test("an email to an unverified mailbox omits the text of the form", async () => {
  const act = await artist();
  const words = "Buy at evil dot example";
  const requestBooking = (at: Visitor, more = {}) =>
    at.requestBooking({ artistId: act.slug, clientName: words, eventLocation: `${words}, Austin, Texas`, ...more });
  const { body } = await requestBooking(browser(app));
  await follow(app);
  const [first] = await emailsFor(app, body.id);
  expect(first?.template).toBe("request_received");
  expect(first?.text).not.toContain("evil");
  const promoter = await person("promoter");
  const { body: known } = await requestBooking(promoter.at, {
    clientEmail: promoter.user.email,
    eventDate: dayAhead(app, 80),
  });
  await follow(app);
  expect((await emailsFor(app, known.id))[0]?.text).toContain("evil");
});

describe("a signed link", () => {
  const guest = (given = {}) => scene("initiated", { promoterUserId: null, ...given });
  const linkOf = (id: string) => linkTokenOf(app, id);

  test("opens its booking in any browser, and returns the cookie for payment", async () => {
    const { booking } = await guest();
    const other = browser(app);
    const link = linkOf(booking.id);
    expect((await read(other, booking.id)).status).toBe(404);
    expect((await read(other, booking.id, `?link=${link}`)).page).toMatchObject({
      viewer: "guest",
      has_account: false,
      can: { pay: "deposit" },
    });
    expect((await read(other, booking.id)).status).toBe(404);
    expect((await other.json(`/api/bookings/${booking.id}/open`, { link })).status).toBe(200);
    expect((await bookingRow(app, booking.id)).email_proven_at).not.toBeNull();
    expect((await read(other, booking.id)).page.viewer).toBe("guest");
    expect((await other.checkout(booking)).status).toBe(200);
  });

  test("opens an imported booking without a browser key", async () => {
    const { booking } = await guest();
    await app.database.db.updateTable("bookings").set({ access_key_hash: null }).where("id", "=", booking.id).execute();
    const reader = browser(app);
    expect((await reader.json(`/api/bookings/${booking.id}/open`, { link: linkOf(booking.id) })).status).toBe(200);
    expect((await read(reader, booking.id)).page?.viewer).toBe("guest");
    expect((await read(browser(app), booking.id)).status).toBe(404);
  });

  test("opens no other booking, expires after 30 days, and cannot be changed", async () => {
    const [mine, theirs] = [await guest(), await guest({ eventDate: dayAhead(app, 90) })];
    const link = linkOf(mine.booking.id);
    const old = linkTokenOf(app, mine.booking.id, new Date(app.clock.now().getTime() - 32 * dayMs));
    const [day = "", signed = ""] = link.split(".");
    const later = `${(Number.parseInt(day, 36) + 1).toString(36)}.${signed}`;
    const visitor = browser(app);
    for (const [id, token] of [
      [theirs.booking.id, link],
      [mine.booking.id, old],
      [mine.booking.id, later],
      [mine.booking.id, `${day}.${"A".repeat(32)}`],
      [mine.booking.id, ""],
    ] as const) {
      expect((await read(visitor, id, `?link=${token}`)).status, token).toBe(404);
      expect((await visitor.json(`/api/bookings/${id}/open`, { link: token })).status, token).toBe(404);
    }
    expect(visitor.jar.has("bookings")).toBe(false);
  });

  test("is sent again only to the mailbox of the request, 3 times per hour, and opens nothing once an account owns the booking", async () => {
    const { booking } = await guest();
    for (let round = 0; round < 5; round++)
      expect((await browser(app).json(`/api/bookings/${booking.id}/send-link`, {})).status).toBe(200);
    const sent = (await emailsFor(app, booking.id)).filter((email) => email.template === "booking_link");
    expect(sent.map((email) => email.recipient)).toEqual(Array.from({ length: 3 }, () => booking.promoter_email));
    const address = new URL(/https?:\/\/\S+\/booking\/\S+/.exec(sent[0]?.text ?? "")?.[0] ?? "");
    const link = address.searchParams.get("link") ?? "";
    expect((await read(browser(app), booking.id, `?link=${link}`)).status).toBe(200);
    const owner = await app.make.user({ role: "promoter", email: booking.promoter_email, confirmed: true });
    await app.database.transaction(async (tx) => {
      const { attachRequestsTo } = await import("../handlers.ts");
      await attachRequestsTo(tx, { userId: owner.id });
    });
    expect((await read(browser(app), booking.id, `?link=${link}`)).status).toBe(404);
    const account = browser(app, await app.signIn(owner));
    expect((await read(account, booking.id)).page).toMatchObject({ viewer: "promoter", has_account: true });
  });
});

test("every booking has a unique number, which its emails contain", async () => {
  const act = await artist();
  const { body } = await browser(app).requestBooking({ artistId: act.slug });
  await follow(app);
  const [first] = await emailsFor(app, body.id);
  expect(first?.text).toContain(String(body["number"]));
  const numbers = (await app.database.db.selectFrom("bookings").select("number").execute()).map((row) => row.number);
  expect(new Set(numbers).size).toBe(numbers.length);
});
