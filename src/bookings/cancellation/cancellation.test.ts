import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import {
  bookingRow,
  dayAhead,
  emailsFor,
  follow,
  peopleOf,
  press,
  refunds,
  reservations,
} from "#test/harness/bookings.ts";
import { recordDashboardRefund, submitRefunds } from "#test/harness/payment-work.ts";
import { overlapping } from "#test/harness/postgres/overlapping.ts";
import { testApp } from "#test/test-app.ts";
import { completeShows } from "../jobs.ts";
import { type CancelCode, cancelCodes, type Canceler, cancelers, isCancelCodeOf } from "../rules.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));

const { artist, held, person } = peopleOf(() => app);

const balanceOf = async (account: string) => {
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(amount), 0) as sum from ledger_entries where account = ${account}`.execute(app.database.db);
  return 0 - Number(rows[0]?.sum);
};
type Visitor = Awaited<ReturnType<typeof held>>["visitor"];
const preview = async (at: Visitor, id: string) => at.json(`/api/bookings/${id}/cancellation`);
const cancel = (at: Visitor, id: string, expected: number, code = "plans_changed", note?: string) =>
  at.json(`/api/bookings/${id}/cancel`, { code, note, expected_refund_cents: expected });

async function paidBooking(daysAhead: number) {
  const act = await artist();
  const { booking, visitor } = await held({
    artist: act,
    eventDate: dayAhead(app, daysAhead),
    now: app.clock.now(),
    createdAt: app.clock.now(),
  });
  await press(app, (await visitor.checkout(booking)).body["checkout_url"], "pay");
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid" });
  return { act, booking, visitor };
}

describe("cancelBooking (promoter)", () => {
  test("refunds a balance that was paid under a withdrawn signature, regardless of what the terms retain of the deposit", async () => {
    const given = { status: "contract_signed", balancePaid: true, eventDate: dayAhead(app, 10) } as const;
    const { booking, visitor } = await held({
      ...given,
      createdAt: new Date(app.clock.now().getTime() - 120 * hourMs),
    });
    const { deposit_cents: deposit, balance_cents: balance } = booking;
    const amounts = async () => (await preview(visitor, booking.id)).body;
    expect(await amounts()).toMatchObject({ refund_cents: 0, artist_keeps_cents: deposit + balance });
    const { db } = app.database;
    await db.updateTable("bookings").set({ status: "contract_sent" }).where("id", "=", booking.id).execute();
    expect(await amounts()).toMatchObject({ refund_cents: balance, artist_keeps_cents: deposit });
    expect((await cancel(visitor, booking.id, balance)).status).toBe(200);
    await follow(app);
    expect((await refunds(app, booking.id)).map(({ amount }) => amount)).toEqual([balance]);
  });

  test("compares the amounts only after a refund in the provider's dashboard that is being recorded", async () => {
    const { booking, visitor } = await paidBooking(60);
    const canceled = await overlapping(
      app,
      (tx) => recordDashboardRefund(tx, booking.id, { amount: 10_000, now: app.clock.now() }),
      () => cancel(visitor, booking.id, 37_500),
    );
    expect(canceled).toMatchObject({ status: 409, body: { data: { refund_cents: 27_500 } } });
    expect((await cancel(visitor, booking.id, 27_500)).status).toBe(200);
  });

  test("refunds the previewed amount in full within two days of payment", async () => {
    const { act, booking, visitor } = await paidBooking(60);
    const { body } = await preview(visitor, booking.id);
    expect(body).toMatchObject({
      refund_cents: 37_500,
      artist_keeps_cents: 0,
      commission_cents: 0,
      currency: "usd",
    });
    const steps = body["steps"] as { until: string; refund_cents: number; artist_keeps_cents: number }[];
    expect(body["valid_until"]).toBe(steps[0]?.until);
    expect(steps).toMatchObject([
      { refund_cents: 37_500, artist_keeps_cents: 0 },
      { until: booking.starts_at.toISOString(), refund_cents: 0, artist_keeps_cents: 37_500 },
    ]);
    const done = await cancel(visitor, booking.id, 37_500, "plans_changed", "The venue has closed.");
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    expect(done.body).toMatchObject({ status: "canceled", canceled_by: "promoter", cancel_code: "plans_changed" });
    expect((done.body["timeline"] as { kind: string }[]).filter(({ kind }) => kind === "canceled")).toMatchObject([
      { text: "Canceled: The event will not take place.", detail: "The venue has closed." },
    ]);
    expect(await reservations(app, act.id)).toEqual([]);
    await follow(app);
    const admin = await person("admin");
    const listed = async () =>
      (await admin.at.json(`/api/admin/bookings?status=all&search=${booking.number}`)).body["items"];
    const listedRefund = (refunding: number) => [
      { payments: [{ refunded_cents: 37_500, refunding_cents: refunding }] },
    ];
    expect(await listed()).toMatchObject(listedRefund(37_500));
    await submitRefunds(app.services);
    await follow(app);
    expect(await refunds(app, booking.id)).toMatchObject([{ amount: 37_500, status: "succeeded" }]);
    expect(await listed()).toMatchObject(listedRefund(0));
    expect(await balanceOf(`held:${booking.id}`)).toBe(0);
    const mails = (await emailsFor(app, booking.id)).filter(({ template }) => template === "booking_canceled");
    const promoterMail = mails.find(({ recipient }) => recipient === booking.promoter_email);
    expect(promoterMail?.text).toContain("We refund $375");
    expect(promoterMail?.text).toContain("The venue has closed.");
  });

  test("after two days retains the deposit for the artist less the commission, and refuses the earlier preview (409)", async () => {
    const { act, booking, visitor } = await paidBooking(60);
    app.clock.advance(49 * hourMs);
    expect((await preview(visitor, booking.id)).body).toMatchObject({
      refund_cents: 0,
      artist_keeps_cents: 37_500,
      commission_cents: 0,
    });
    const stale = await cancel(visitor, booking.id, 37_500);
    expect(stale.status).toBe(409);
    expect(stale.body["data"]).toMatchObject({ refund_cents: 0, artist_keeps_cents: 37_500 });
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid" });
    expect((await cancel(visitor, booking.id, 0)).status).toBe(200);
    expect(await balanceOf(`held:${booking.id}`)).toBe(0);
    expect(await balanceOf(`artist_payable:${act.id}`)).toBe(33_750);
    expect(await refunds(app, booking.id)).toEqual([]);
  });

  test("refunds the last payment first, because the terms retain the deposit before the balance", async () => {
    const act = await artist();
    const { booking, visitor } = await held({
      artist: act,
      status: "contract_signed",
      balancePaid: true,
      eventDate: dayAhead(app, 20),
      now: app.clock.now(),
    });
    const seen = await preview(visitor, booking.id);
    expect(seen.body).toMatchObject({ refund_cents: 56_250, artist_keeps_cents: 93_750 });
    expect((await cancel(visitor, booking.id, 56_250)).status).toBe(200);
    expect(await refunds(app, booking.id)).toMatchObject([{ amount: 56_250, kind: "balance" }]);
    expect(await balanceOf(`artist_payable:${act.id}`)).toBe(84_375);
  });

  test("frees the date of an unpaid booking without moving money", async () => {
    const act = await artist();
    const { booking, visitor } = await held({ artist: act, eventDate: dayAhead(app, 60), now: app.clock.now() });
    await visitor.checkout(booking);
    expect((await cancel(visitor, booking.id, 0)).status).toBe(200);
    expect(await reservations(app, act.id)).toEqual([]);
    const again = await cancel(visitor, booking.id, 0);
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({
      message: "This booking is already canceled.",
      data: { status: "canceled" },
    });
    expect((await preview(visitor, booking.id)).status).toBe(409);
  });

  test("refuses (409) when a payment has just arrived, and the booking is paid", async () => {
    const act = await artist();
    const { booking, visitor } = await held({ artist: act, eventDate: dayAhead(app, 60), now: app.clock.now() });
    const { body } = await visitor.checkout(booking);
    await app.server.inject({ method: "POST", url: `${new URL(String(body["checkout_url"])).pathname}/pay` });
    const refused = await cancel(visitor, booking.id, 0);
    expect(refused.status).toBe(409);
    await follow(app);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "deposit_paid" });
  });
});

describe("cancelBooking (artist and admin)", () => {
  test("refunds everything for the artist, and refuses reasons of another list", async () => {
    const owner = await person("artist");
    const act = await artist({ userId: owner.user.id });
    const { booking } = await held({
      artist: act,
      status: "contract_signed",
      balancePaid: true,
      eventDate: dayAhead(app, 10),
      now: app.clock.now(),
    });
    expect((await preview(owner.at, booking.id)).body).toMatchObject({ refund_cents: 150_000, artist_keeps_cents: 0 });
    expect((await cancel(owner.at, booking.id, 150_000, "plans_changed")).status).toBe(400);
    expect((await cancel(owner.at, booking.id, 150_000, "cannot_perform")).status).toBe(200);
    expect(await bookingRow(app, booking.id)).toMatchObject({ canceled_by: "artist", cancel_code: "cannot_perform" });
  });

  test("blocks the night if the artist cannot perform until the artist unblocks it, and frees it for other reasons", async () => {
    const owner = await person("artist");
    const act = await artist({ userId: owner.user.id });
    const cancelWith = async (code: string, daysAhead: number) => {
      const eventDate = dayAhead(app, daysAhead);
      const { booking } = await held({ artist: act, status: "contract_signed", eventDate, now: app.clock.now() });
      expect((await cancel(owner.at, booking.id, 37_500, code)).status).toBe(200);
      await follow(app);
      const [email] = (await emailsFor(app, booking.id)).filter(({ template }) => template === "booking_canceled");
      const stateAt = async (eventTime: string) =>
        (
          (await owner.at.check({ artistId: act.slug, eventDate, eventTime, duration: "1 hour" })).body as unknown as {
            date: { state: string };
          }
        ).date.state;
      const nights = (await owner.at.json(`/api/artist/calendar?from=${eventDate}&to=${eventDate}`)).body;
      return {
        booking,
        text: email?.text.replaceAll(/\s+/g, " "),
        stateAt,
        entries: nights["items"] as { id: string; title: string }[],
      };
    };
    const blocked = await cancelWith("cannot_perform", 40);
    expect([await blocked.stateAt("09:00"), await blocked.stateAt("23:00")]).toEqual(["closed", "closed"]);
    expect(blocked.text).toContain("The artist cannot perform.");
    expect(blocked.text).not.toContain("free again");
    expect(blocked.entries).toMatchObject([{ kind: "blocked", title: `Canceled ${blocked.booking.number}` }]);
    const unblocked = await app.request(`/api/artist/blocked-times/${blocked.entries[0]?.id}`, {
      method: "DELETE",
      headers: await app.signIn(owner.user),
    });
    expect(unblocked.status).toBe(200);
    expect(await blocked.stateAt("20:00")).toBe("free");

    const other = await cancelWith("other", 50);
    expect([await other.stateAt("20:00"), other.entries]).toEqual(["free", []]);
    expect(other.text).toMatch(/day \d+ [A-Z][a-z]+ is free again\./);
    // A credit note prints the reason of its refund.
    expect((await refunds(app, other.booking.id)).map(({ reason }) => reason)).toEqual(["The booking was canceled."]);

    const eventDate = dayAhead(app, 60);
    const rival = await held({ artist: act, eventDate, now: app.clock.now() });
    await held({ artist: act, status: "contract_signed", eventDate, now: app.clock.now() });
    expect((await cancel(rival.visitor, rival.booking.id, 0)).status).toBe(200);
    await follow(app);
    const ended = (await emailsFor(app, rival.booking.id)).filter(({ template }) => template === "booking_canceled");
    expect(ended).toHaveLength(2);
    for (const { text } of ended) expect(text).not.toContain("free again");
  });

  test("refunds everything for an admin, and returns not found (404) to other artists", async () => {
    const [admin, stranger] = [await person("admin"), await person("artist")];
    const { booking } = await held({ status: "deposit_paid", eventDate: dayAhead(app, 5), now: app.clock.now() });
    for (const response of [await preview(stranger.at, booking.id), await cancel(stranger.at, booking.id, 0)])
      expect(response.status).toBe(404);
    expect((await cancel(admin.at, booking.id, 37_500, "terms_broken")).status).toBe(200);
  });

  test("refuses a system code, an unknown code and a negative amount", async () => {
    const { booking, visitor } = await held({ eventDate: dayAhead(app, 60), now: app.clock.now() });
    for (const code of ["date_lost", "balance_unpaid", "anything"])
      expect((await cancel(visitor, booking.id, 0, code)).status).toBe(400);
    expect((await cancel(visitor, booking.id, -1)).status).toBe(400);
  });
});

describe("completing after the show", () => {
  const signed = (given: Record<string, unknown>) =>
    held({ status: "contract_signed", balancePaid: true, now: app.clock.now(), ...given });

  test("completes a paid booking after 48 hours and releases its money once", async () => {
    const act = await artist();
    const { booking } = await signed({ artist: act, eventDate: dayAhead(app, -1) });
    await completeShows(app.services);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_signed" });
    app.clock.advance(48 * hourMs);
    await completeShows(app.services);
    await completeShows(app.services);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "completed" });
    expect(await balanceOf(`held:${booking.id}`)).toBe(0);
    expect(await balanceOf(`artist_payable:${act.id}`)).toBe(135_000);
  });

  test("lets only the promoter confirm earlier, and not before the end", async () => {
    const { booking, visitor } = await signed({ eventDate: dayAhead(app, -1) });
    const ahead = await signed({ eventDate: dayAhead(app, 3) });
    const owner = await person("artist");
    const complete = (at: Visitor, id: string) => at.json(`/api/bookings/${id}/complete`, {});
    expect((await complete(ahead.visitor, ahead.booking.id)).status).toBe(409);
    expect((await complete(owner.at, booking.id)).status).toBe(404);
    expect((await complete(visitor, booking.id)).body).toMatchObject({ status: "completed" });
    const late = await cancel(visitor, booking.id, 0);
    expect(late.body["message"]).toBe("The show is over. You can no longer cancel this booking.");
  });
});

test("the database accepts every cancellation reason of each side, and the end by agreement only from both", async () => {
  const { booking } = await held({ status: "canceled" });
  const isTaken = async (by: Canceler, code: CancelCode) => {
    const undone = app.database.transaction(async (tx) => {
      await tx
        .updateTable("bookings")
        .set({ canceled_by: by, cancel_code: code })
        .where("id", "=", booking.id)
        .execute();
      throw new Error("taken");
    });
    return undone.catch((error: unknown) => error instanceof Error && error.message === "taken");
  };
  const pairs = cancelers.flatMap((by) => cancelCodes.map((code) => ({ by, code, may: isCancelCodeOf(by, code) })));
  const allowed = pairs.filter(({ by, code, may }) => may || by === "both" || code === "force_majeure");
  const answers = [];
  for (const { by, code } of allowed) answers.push({ by, code, may: await isTaken(by, code) });
  expect(answers).toEqual(allowed);
});
