import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type PaymentGateway, ProviderFailure } from "#gateway/gateway.ts";
import { minuteMs, dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, dayAhead, follow, peopleOf, press } from "#test/harness/bookings.ts";
import { planRefund, syncRefund } from "#test/harness/payment-work.ts";
import { testApp } from "#test/test-app.ts";
import type { BookingPage } from "../api.ts";
import type { BookingStatus } from "../rules.ts";
import { inOrder } from "./timeline-entry.ts";

const app = closeAfterFile(await testApp());

const { artist, person, held } = peopleOf(() => app);
type Visitor = ReturnType<typeof browser>;
const read = async (visitor: Visitor, id: string) =>
  (await visitor.json(`/api/bookings/${id}`)).body as unknown as BookingPage;
const kinds = (page: BookingPage) => page.timeline.map(({ kind }) => kind);

async function scene(status: BookingStatus = "initiated", given: object = {}) {
  const [player, promoter, admin] = [await person("artist"), await person("promoter"), await person("admin")];
  const act = await artist({ userId: player.user.id });
  const promoterUserId = promoter.user.id;
  const { booking, visitor } = await held({ artist: act, status, fee: 150_000, promoterUserId, ...given });
  return {
    act,
    booking,
    player,
    promoter,
    admin,
    visitor: promoterUserId === booking.promoter_user_id ? promoter.at : visitor,
  };
}

describe("the timeline", () => {
  test("sorts steps of one second in their usual order, because the provider's times are whole seconds", () => {
    const line = (at: string, kind: BookingPage["timeline"][number]["kind"]) => ({
      at: new Date(at),
      kind,
      text: "",
      by: null,
      detail: null,
    });
    const lines = [
      line("2026-11-21T12:00:00.000Z", "deposit_paid"),
      line("2026-11-21T12:00:00.900Z", "contract_sent"),
      line("2026-11-21T12:00:00.600Z", "checkout_opened"),
      line("2026-11-21T12:00:00.400Z", "requested"),
      line("2026-11-21T12:00:05.000Z", "refund_planned"),
      line("2026-11-21T12:00:05.000Z", "canceled"),
    ];
    expect(lines.toSorted(inOrder).map(({ kind }) => kind)).toEqual([
      "requested",
      "checkout_opened",
      "deposit_paid",
      "contract_sent",
      "canceled",
      "refund_planned",
    ]);
  });

  test("contains holds with their releaser and declined payments, without cards and emails for the artist", async () => {
    const { act, booking, player, promoter, admin, visitor } = await scene();
    const first = await visitor.checkout(booking);
    await press(app, first.body["checkout_url"], "decline");
    await player.at.json(`/api/artist/bookings/${booking.id}/release-hold`, {});
    await follow(app);
    app.clock.advance(31 * minuteMs);
    await visitor.checkout(booking);
    await visitor.json(`/api/bookings/${booking.id}/release-own-hold`, {});
    await follow(app);
    const ofPromoter = await read(promoter.at, booking.id);
    expect(kinds(ofPromoter).toSorted()).toEqual(
      ["requested", "checkout_opened", "payment_failed", "hold_ended", "checkout_opened", "hold_ended"].toSorted(),
    );
    expect(ofPromoter.timeline.filter(({ kind }) => kind === "hold_ended").map(({ by }) => by)).toEqual([
      act.name,
      booking.promoter_name,
    ]);
    expect(ofPromoter.money.payments.map(({ status, declined }) => [status, declined])).toEqual([
      ["failed", true],
      ["failed", false],
    ]);
    const ofArtist = await read(player.at, booking.id);
    expect(kinds(ofArtist)).toEqual(["requested", "checkout_opened", "hold_ended", "checkout_opened", "hold_ended"]);
    const emails = (await read(admin.at, booking.id)).timeline.filter(({ kind }) => kind === "email");
    expect(emails.map(({ text }) => text)).toContain("Email: Checkout Declined");
    expect(emails.map(({ detail }) => detail).join(" ")).toContain(`to ${booking.promoter_email}`);
    expect(kinds(await read(visitor, booking.id))).not.toContain("email");
  });

  test("names no user for a hold that expired unpaid", async () => {
    const { booking, promoter, visitor } = await scene();
    await visitor.checkout(booking);
    app.clock.advance(40 * minuteMs);
    const { sweepHolds } = await import("../jobs.ts");
    await sweepHolds(app.services);
    await follow(app);
    const ended = (await read(promoter.at, booking.id)).timeline.find(({ kind }) => kind === "hold_ended");
    expect(ended).toMatchObject({ text: "The hold ended unpaid", by: null });
  });

  test("states that a hold ended unconfirmed while the provider is away, and after it reports the payment", async () => {
    const { booking, promoter, visitor } = await scene();
    const { body } = await visitor.checkout(booking);
    await app.server.inject({ method: "POST", url: `${new URL(String(body["checkout_url"])).pathname}/pay` });
    app.clock.advance(37 * minuteMs);
    const gateway = new Proxy(app.services.gateway as PaymentGateway, {
      get: () => () => Promise.reject(new ProviderFailure("no_answer", "the provider is away")),
    });
    const { sweepHolds } = await import("../jobs.ts");
    await sweepHolds({ ...app.services, gateway });
    const texts = async () => (await read(promoter.at, booking.id)).timeline.map(({ text }) => text);
    expect(await texts()).toContain("The hold ended before the payment was confirmed");
    await app.database.db
      .insertInto("past_holds")
      .columns(["artist_id", "event_date", "booking_id", "opened_at", "ended_at", "ended_by"])
      .expression((eb) =>
        eb
          .selectFrom("past_holds")
          .select([
            "artist_id",
            "event_date",
            "booking_id",
            "ended_at",
            sql<Date>`ended_at + interval '1 hour'`.as("at"),
          ])
          .select("ended_by")
          .where("booking_id", "=", booking.id),
      )
      .execute();
    expect((await texts()).filter((text) => text === "The hold ended unpaid")).toHaveLength(1);
    await follow(app);
    await app.services.sandbox?.settle();
    await follow(app);
    expect(await texts()).toEqual(
      expect.arrayContaining(["Deposit paid", "The hold ended before the payment was confirmed"]),
    );
  });

  test("contains the sending of a refund, and later its return by the bank, each with its time", async () => {
    const { booking, promoter } = await scene("deposit_paid");
    const payment = app.database.db.selectFrom("payments").selectAll().where("booking_id", "=", booking.id);
    const { id: paymentId } = await payment.executeTakeFirstOrThrow();
    const sentAt = app.clock.now();
    const plan = { paymentId, amount: 5_000, reason: "A test", causeKey: booking.id, now: sentAt };
    const refund = await app.database.transaction((tx) => planRefund(tx, plan));
    const report = (state: "succeeded" | "failed") =>
      app.database.transaction((tx) =>
        syncRefund(
          tx,
          {
            ref: `re_${booking.id}`,
            refundId: refund.id,
            providerPayment: refund.provider_payment,
            amount: 5_000,
            currency: "usd",
            state,
            reason: null,
            settled: null,
            createdAt: sentAt,
          },
          app.clock.now(),
        ),
      );
    const timeline = async () =>
      (await read(promoter.at, booking.id)).timeline.filter(({ kind }) => kind.startsWith("refund"));
    await report("succeeded");
    const first = await timeline();
    app.clock.advance(5 * minuteMs);
    await report("succeeded");
    expect(await timeline()).toEqual(first);
    app.clock.advance(5 * minuteMs);
    await report("failed");
    const steps = await timeline();
    expect(steps.map(({ text }) => text)).toEqual([
      "$50 refunded to the payer",
      "The bank of the card returned the refund of $50",
    ]);
    const [sent = 0, returned = 0] = steps.map(({ at }) => new Date(at).getTime());
    expect(returned - sent).toBeGreaterThanOrEqual(10 * minuteMs);
  });
});

describe("the money", () => {
  test("reports the held amounts from the ledger, with the commission and the provider's fee only to permitted viewers", async () => {
    const { booking, player, promoter, admin } = await scene("contract_signed", { balancePaid: true });
    const ofPromoter = (await read(promoter.at, booking.id)).money;
    expect(ofPromoter).toMatchObject({
      held_cents: 150_000,
      returning_cents: 0,
      released_cents: 0,
      artist_cents: null,
      commission_cents: null,
      provider_fees: null,
    });
    expect(
      ofPromoter.movements.map(({ kind, amount_cents, held_after_cents }) => [kind, amount_cents, held_after_cents]),
    ).toEqual([
      ["deposit", 37_500, 37_500],
      ["balance", 112_500, 150_000],
    ]);
    expect((await read(player.at, booking.id)).money).toMatchObject({
      commission_cents: 15_000,
      artist_cents: 0,
      provider_fees: null,
    });
    const ofAdmin = (await read(admin.at, booking.id)).money;
    // 2.9 % and 30 cents of each of the two charges.
    expect(ofAdmin.provider_fees).toEqual([{ amount_cents: 1_118 + 3_293, currency: "usd" }]);
  });

  test("contains a refund of a sold date", async () => {
    const { act, booking, promoter, visitor } = await scene();
    const { body } = await visitor.checkout(booking);
    // Another booking gets the date first, to cause a full refund.
    await app.database.db.deleteFrom("date_reservations").where("booking_id", "=", booking.id).execute();
    await app.make.booking({ artist: act, status: "deposit_paid", eventDate: booking.event_date });
    await press(app, body["checkout_url"], "pay");
    await app.services.sandbox?.settle();
    await follow(app);
    const page = await read(promoter.at, booking.id);
    expect(page.money).toMatchObject({ held_cents: 0, paid_cents: 37_500 });
    expect(page.money.returning_cents + page.money.refunded_cents).toBe(37_500);
    expect(page.money.movements.map(({ kind }) => kind)).toEqual(["deposit", "refund"]);
    expect(kinds(page).some((kind) => kind === "refund_planned" || kind === "refunded")).toBe(true);
  });
});

test.each<[BookingStatus, object, string[]]>([
  ["initiated", {}, ["show_starts"]],
  ["deposit_paid", {}, ["contract_due", "balance_due", "show_starts"]],
  ["contract_sent", {}, ["signatures_due", "balance_due", "show_starts"]],
  ["contract_signed", {}, ["balance_due", "show_starts"]],
  ["contract_signed", { balancePaid: true }, ["show_starts"]],
  ["completed", {}, []],
  ["canceled", {}, []],
])("the deadlines of a booking that is %s %o are %o", async (status, given, expected) => {
  const { booking, promoter } = await scene(status, {
    createdAt: app.clock.now(),
    eventDate: status === "completed" ? undefined : dayAhead(app, 60),
    ...given,
  });
  await app.database.transaction((tx) =>
    tx
      .updateTable("contracts")
      .set({ expires_at: new Date(app.clock.now().getTime() + 7 * dayMs) })
      .where("booking_id", "=", booking.id)
      .where("signed_status", "=", "sent")
      .execute(),
  );
  expect((await read(promoter.at, booking.id)).deadlines.map(({ kind }) => kind)).toEqual(expected);
});
