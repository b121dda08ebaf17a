import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type PaymentGateway, ProviderFailure } from "#gateway/gateway.ts";
import { reconcile, reconcileRecent } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, dayAhead, follow, messagesTo, peopleOf } from "#test/harness/bookings.ts";
import { artistWithHolds, holdsBy, promoterOf } from "#test/harness/calendars/holds.ts";
import { submitRefunds, refuseRefunds } from "#test/harness/payment-work.ts";
import { expectSound } from "#test/harness/payments.ts";
import { foreignMoney, withForeign } from "#test/harness/unreconciled.ts";
import { testApp } from "#test/test-app.ts";
import { activeAdmins } from "#users/index.ts";

const app = closeAfterFile(await testApp({ now: new Date("2026-11-21T12:00:00Z") }));
afterAll(() => expectSound({ inTx: (work) => app.database.transaction(work) }));

const { artist, person, held } = peopleOf(() => app);
let admin: Awaited<ReturnType<typeof person>>["at"];
beforeEach(async () => {
  admin = (await person("admin")).at;
});

type Item = { id: string; kind: string; ref: string; amount: number; currency: string; first_seen_at: string };
const listed = async () => ((await admin.json("/api/admin/unreconciled")).body as unknown as { items: Item[] }).items;
const reason = "The venue paid by the link of our old shop.";

async function found(amount: number, currency?: string) {
  const reported = foreignMoney(app, amount, currency);
  await reconcile(withForeign(app, reported));
  const item = (await listed()).find(({ ref }) => ref === reported.money.providerPayment);
  if (!item) throw new Error("the payment was not noted");
  return { item, reported };
}
const act = (item: Item, what: "apply" | "return" | "explain", body: object = {}) =>
  admin.json(`/api/admin/unreconciled/${item.id}/${what}`, { reason, ...body });
const statuses = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

test("an unmatched payment is listed for admins with its amount and the provider's reference, and disappears with its cause", async () => {
  const { item, reported } = await found(12_345);
  expect(item).toMatchObject({ kind: "payment", amount: 12_345, currency: "usd", ref: reported.money.providerPayment });
  const { body } = await admin.json("/api/admin/attention");
  const waiting = (body as unknown as { items: { kind: string; count: number }[] }).items;
  expect(waiting.find(({ kind }) => kind === "unreconciled")?.count).toBeGreaterThan(0);
  await reconcile(withForeign(app, reported));
  expect((await listed()).filter(({ ref }) => ref === item.ref)).toHaveLength(1);
  await follow(app);
  const alarms = await app.database.db
    .selectFrom("messages")
    .select(["recipient", "text"])
    .where("template", "=", "money_alarm")
    .where("text", "like", `%${item.ref}%`)
    .execute();
  const admins = await activeAdmins(app.database.db, app.clock.now());
  expect(alarms.map(({ recipient }) => recipient).toSorted()).toEqual(admins.map(({ email }) => email).toSorted());
  expect(alarms[0]?.text.replaceAll(/\s+/g, " ")).toContain(
    `have 1 new difference. ${item.ref} ($123.45): the provider received a payment that was not requested here. Resolve`,
  );
  await reconcile(app.services);
  expect((await listed()).filter(({ ref }) => ref === item.ref)).toEqual([]);
});

describe("applyItem", () => {
  const unpaid = async () => {
    const act = await artist();
    return (await held({ artist: act, fee: 150_000, eventDate: dayAhead(app, 60), now: app.clock.now() })).booking;
  };

  test("applies exactly the due amount to the booking, once", async () => {
    const booking = await unpaid();
    const { item } = await found(37_500);
    const seen = await admin.json(`/api/admin/unreconciled/${item.id}/match?number=${booking.number.toLowerCase()}`);
    expect(seen.body).toMatchObject({ booking: { id: booking.id }, kind: "deposit", due_cents: 37_500, reason: null });
    const answers = await Promise.all([1, 2, 3].map(() => act(item, "apply", { number: booking.number })));
    expect(statuses(answers)).toEqual([200, 409, 409]);
    await follow(app);
    expect(await bookingRow(app, booking.id)).toMatchObject({
      status: expect.stringMatching(/deposit_paid|contract_sent/),
    });
    const { body } = await admin.json(`/api/bookings/${booking.id}`);
    expect(body["money"]).toMatchObject({ paid_cents: 37_500, held_cents: 37_500 });
    const log = await app.database.db
      .selectFrom("activity")
      .select("message")
      .where("ref_id", "=", booking.id)
      .execute();
    expect(log.map(({ message }) => message).join("\n")).toContain(reason);
    expect(await listed()).not.toContainEqual(expect.objectContaining({ id: item.id }));
  });

  test("refuses a booking whose checkout is open, and previews it (409)", async () => {
    const { booking } = await held({ artist: await artist(), fee: 150_000, eventDate: dayAhead(app, 61) });
    const { item } = await found(37_500);
    await app.database.db
      .insertInto("payments")
      .values({
        booking_id: booking.id,
        kind: "deposit",
        amount: 37_500,
        currency: "usd",
        title: "",
        provider: "stripe",
      })
      .execute();
    const payment = app.database.db.updateTable("payments").where("booking_id", "=", booking.id);
    const preview = async () =>
      (await admin.json(`/api/admin/unreconciled/${item.id}/match?number=${booking.number}`)).body["reason"];
    await payment.set({ requested_at: app.clock.now(), checkout_state: "open" }).execute();
    expect(await preview()).toBe("A checkout of this payment is open or paid. Try again when it has ended.");
    expect(await act(item, "apply", { number: booking.number })).toMatchObject({
      status: 409,
      body: { message: await preview() },
    });
    await payment.set({ requested_at: null, checkout_state: "reserved" }).execute();
    expect(await preview()).toBe(null);
    expect((await act(item, "apply", { number: booking.number })).status).toBe(200);
    await follow(app);
  });

  test("applies the deposit of the promoter who holds the night, and refuses that of others (409)", async () => {
    const { act: star } = await artistWithHolds(app);
    const promoter = await promoterOf(app);
    const night = dayAhead(app, 63);
    await holdsBy(promoter).placed(star.slug, [night]);
    const of = async (given: object) =>
      (await held({ artist: star, fee: 150_000, eventDate: night, now: app.clock.now(), ...given })).booking;
    const [own, other] = [await of({ promoterUserId: promoter.user.id }), await of({ eventTime: "14:00" })];
    const { item } = await found(37_500);
    const message = "Another booking or a hold has the date. The payment would be refunded immediately.";
    expect(await act(item, "apply", { number: other.number })).toMatchObject({ status: 409, body: { message } });
    expect((await act(item, "apply", { number: own.number })).status).toBe(200);
    await follow(app);
    expect(await bookingRow(app, own.id)).toMatchObject({ deposit_paid_at: expect.any(Date), canceled_at: null });
  });

  test.each([
    ["another sum", 37_501, "usd", "a deposit of $375.00, which is a different amount"],
    ["another currency", 37_500, "eur", "paid in another currency"],
  ] as const)("refuses a payment of %s (409)", async (_name, amount, currency, message) => {
    const booking = await unpaid();
    const { item } = await found(amount, currency);
    const seen = await admin.json(`/api/admin/unreconciled/${item.id}/match?number=${booking.number}`);
    expect(seen.body["reason"]).toContain(message);
    expect((await act(item, "apply", { number: booking.number })).status).toBe(409);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "initiated" });
    expect((await act(item, "explain")).status).toBe(200);
  });

  test("refuses a booking without a due payment, an unknown number and a missing reason", async () => {
    const { item } = await found(37_500);
    const { booking } = await held({ status: "deposit_paid", fee: 150_000 });
    expect((await act(item, "apply", { number: booking.number })).status).toBe(409);
    expect((await act(item, "apply", { number: "SD-AAAAAA" })).status).toBe(404);
    expect((await act(item, "apply", { number: booking.number, reason: "no" })).status).toBe(400);
    expect((await act(item, "explain")).status).toBe(200);
  });
});

test("returnItem refunds the payment through the provider exactly once", async () => {
  const { item } = await found(5_000);
  expect(statuses(await Promise.all([1, 2, 3].map(() => act(item, "return"))))).toEqual([200, 409, 409]);
  expect((await act(item, "explain")).status).toBe(409);
  await submitRefunds(app.services);
  await follow(app);
  await submitRefunds(app.services);
  const rows = await app.database.db
    .selectFrom("refunds")
    .select(["amount", "status"])
    .where("provider_payment", "=", item.ref)
    .execute();
  expect(rows).toEqual([{ amount: 5_000, status: "succeeded" }]);
  const ledger = (await (await admin.call("/api/admin/ledger.csv")).text()).split("\r\n");
  const postings = ledger.filter((line) => line.includes(`,${item.ref},`)).map((line) => line.split(",")[1]);
  expect(new Set(postings)).toEqual(
    new Set([
      "Unapplied payment captured",
      "Provider's fee",
      "Refund of an unapplied payment planned",
      "Unapplied payment refunded",
    ]),
  );
  const alarms = app.database.db.selectFrom("messages").select("id").where("template", "=", "money_alarm");
  expect(await alarms.where("dedupe_key", "like", `%${item.ref}%`).execute()).toEqual([]);
});

test("a payment whose refund the provider refuses can be recorded as paid back outside it", async () => {
  const { item } = await found(6_000);
  expect((await act(item, "return")).status).toBe(200);
  await refuseRefunds(app);
  const list = "/api/admin/refused-refunds";
  const { items } = (await admin.json(list)).body as unknown as { items: { id: string }[] };
  expect(items).toMatchObject([{ amount: 6_000, booking_id: null, payer_email: null, provider_payment: item.ref }]);
  await follow(app);
  const alarms = app.database.db.selectFrom("messages").select("text").where("template", "=", "money_alarm");
  const [alarm] = await alarms.where("text", "like", "%$60%").execute();
  expect(alarm?.text).toContain("View payments");
  expect(alarm?.text).toMatch(/\/admin\/payments\s/);
  expect((await admin.json(`${list}/${items[0]?.id}/settle`, { how: "Bank transfer of today." })).status).toBe(200);
  expect((await admin.json(list)).body).toEqual({ items: [] });
});

test("an explained item remains resolved when the next comparison finds it again", async () => {
  const { item, reported } = await found(777);
  expect((await act(item, "explain")).status).toBe(200);
  await reconcile(withForeign(app, reported));
  expect((await listed()).filter(({ ref }) => ref === item.ref)).toEqual([]);
  expect((await act(item, "return")).status).toBe(409);
});

describe("alertOfDifferences", () => {
  const alarms = async () => {
    await follow(app);
    const messages = await messagesTo(app, (await activeAdmins(app.database.db, app.clock.now()))[0]?.email ?? "");
    return messages.filter(({ template }) => template === "money_alarm").map(({ text }) => text);
  };
  beforeEach(async () => {
    await follow(app);
    await app.database.db.deleteFrom("messages").execute();
    app.clock.advance(60_000);
  });

  test("sends one email per admin for all new differences of a run, foreign and lost, and the first with their references", async () => {
    const foreign = Array.from({ length: 5 }, (_, at) => foreignMoney(app, 31_000 + at));
    const lost = Array.from({ length: 5 }, (_, at) => ({
      ...foreignMoney(app, 32_000 + at),
      markedBy: "us" as const,
      paymentId: randomUUID(),
    }));
    const services = withForeign(app, ...foreign, ...lost);
    await reconcileRecent(services);
    const [text] = await alarms();
    expect(await alarms()).toHaveLength(1);
    expect(text).toContain(`have 10 new differences. ${foreign[0]?.money.providerPayment} ($310.00): the provider`);
    expect(text).toContain("7 more are listed. Resolve them");
    await reconcile(services);
    expect(await alarms()).toHaveLength(1);
  });

  test("emails a difference again that heals and returns, and lists the growth of an open one", async () => {
    const reported = foreignMoney(app, 20_000);
    const seen: unknown[] = [];
    for (const amount of [20_000, 500_000, 0, 20_000, 20_000]) {
      app.clock.advance(60_000);
      const found = { ...reported, money: { ...reported.money, amount } };
      await reconcile(amount > 0 ? withForeign(app, found) : app.services);
      const item = (await listed()).find(({ ref }) => ref === reported.money.providerPayment);
      seen.push([item?.amount, (await alarms()).length]);
    }
    expect(seen).toEqual([
      [20_000, 1],
      [500_000, 1],
      [undefined, 1],
      [20_000, 2],
      [20_000, 2],
    ]);
  });

  test("lists what a comparison found before the provider failed", async () => {
    const reported = foreignMoney(app, 33_000);
    const services = withForeign(app, reported);
    const listCharges = () => {
      throw new ProviderFailure("no_answer", "the connection was lost");
    };
    const failing = { ...services, gateway: services.gateway && { ...services.gateway, listCharges } };
    await expect(reconcile(failing)).rejects.toThrow("the connection was lost");
    expect((await listed()).map(({ ref }) => ref)).toContain(reported.money.providerPayment);
    expect(await alarms()).toHaveLength(1);
  });
});

test("an explained item whose amount changes is listed again", async () => {
  const { item, reported } = await found(779);
  expect((await act(item, "explain")).status).toBe(200);
  await reconcile(withForeign(app, { ...reported, money: { ...reported.money, amount: 1_779 } }));
  expect((await listed()).filter(({ ref }) => ref === item.ref)).toMatchObject([{ id: item.id, amount: 1_779 }]);
  await reconcile(withForeign(app));
});

test("returnItem refuses a payment that was refunded at the provider since then (409)", async () => {
  const { item } = await found(4_321);
  const gateway = app.services.gateway as PaymentGateway;
  const refund = {
    key: randomUUID(),
    refundId: randomUUID(),
    providerPayment: item.ref,
    amount: 1_000,
    currency: "usd",
  };
  await gateway.createRefund(refund as Parameters<PaymentGateway["createRefund"]>[0]);
  const response = await act(item, "return");
  expect(response.status).toBe(409);
  expect(JSON.stringify(response.body)).toContain("disputed at the provider");
  expect((await act(item, "explain")).status).toBe(200);
});
