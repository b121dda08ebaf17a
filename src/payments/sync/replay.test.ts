import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { processEvents } from "#reconciliation/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { planRefund, submitRefunds } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { type ProviderNotice, memoryProvider } from "#test/harness/provider/memory-provider.ts";

const provider = memoryProvider();
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));

const actions = ["pay", "payWrong", "payForeign", "payAgain", "decline", "end"] as const;
const script = fc.array(fc.record({ intent: fc.nat(3), action: fc.constantFrom(...actions) }), { maxLength: 8 });
const givenBack = fc.array(
  fc.record({ intent: fc.nat(3), permille: fc.integer({ min: 1, max: 1000 }), dashboard: fc.boolean() }),
  { maxLength: 5 },
);

type Step = { intent: number; action: (typeof actions)[number] };
const amounts = [10_000, 30_000, 99_999_999, 50];

/** Runs the script on four payments of two bookings. Returns them with the provider's events. */
async function play(steps: readonly Step[]) {
  const bookings = [randomUUID(), randomUUID()];
  const intents = [];
  for (const index of [0, 1, 2, 3]) {
    intents.push(
      await app.start({
        bookingId: bookings[index >> 1],
        kind: index % 2 ? "balance" : "deposit",
        amount: amounts[index],
      }),
    );
  }
  const notices: ProviderNotice[] = [];
  const foreign: string[] = [];
  for (const { intent, action } of steps) {
    const session = provider.sessions.get(intents[intent]?.ref ?? "");
    if (!session) throw new Error("the session is there");
    const payment = `pi_${session.ref}`;
    if (action === "pay") notices.push(...provider.pay(session));
    if (action === "payWrong") notices.push(...provider.pay(provider.add(session.request), session.request.amount + 1));
    if (action === "payAgain") notices.push(...provider.pay(provider.add(session.request)));
    if (action === "payForeign") {
      const other = provider.add(session.request);
      foreign.push(`pi_${other.ref}`);
      notices.push(...provider.pay(other, 700, randomUUID()));
    }
    if (action === "decline" && session.state === "open") {
      session.declined = true;
      notices.push({ type: "payment_intent.payment_failed", objectId: payment, paymentRef: null });
    }
    if (action === "end" && session.state === "open") {
      session.state = "ended";
      notices.push({ type: "checkout.session.expired", objectId: session.ref, paymentRef: null });
    }
  }
  return { bookings, intents, notices, foreign };
}

/** Delivers each notice `times` times, under its own id or a new one, in the given order. */
async function deliver(notices: readonly ProviderNotice[], times: number, order: readonly number[]): Promise<void> {
  const deliveries = Array.from({ length: times }, (_, time) =>
    notices.map((notice, index) => ({ ...notice, time, index })),
  ).flat();
  const ids = notices.map(() => `evt_${randomUUID()}`);
  const shuffled = deliveries
    .map((notice, index) => ({ notice, key: order[index % order.length] ?? index }))
    .sort((a, b) => a.key - b.key);
  for (const [position, { notice }] of shuffled.entries()) {
    const id = notice.time % 10 === 1 ? `evt_${randomUUID()}` : ids[notice.index];
    const response = await app.server.inject({
      method: "POST",
      url: "/api/webhooks/stripe",
      payload: JSON.stringify({ ...notice, id }),
    });
    expect(response.statusCode).toBe(200);
    if (position % 2) await processEvents(app.services);
  }
  await processEvents(app.services);
}

async function seen(played: Awaited<ReturnType<typeof play>>) {
  const ids = played.intents.map((intent) => intent.paymentId);
  const rows = await app.database.db.selectFrom("payments").selectAll().where("id", "in", ids).execute();
  const payments = ids
    .map((id) => rows.find((row) => row.id === id))
    .map((row) => [row?.status, row?.checkout_state, row?.amount_refunded]);
  const earliest = ids.map((id, index) => {
    const valid = [...provider.sessions.values()].filter(
      (session) => session.request.paymentId === id && session.money?.amount === amounts[index],
    );
    const times = valid.map((session) => session.money?.at.getTime() ?? 0);
    return (
      rows.find((row) => row.id === id)?.payment_date?.getTime() === (valid.length ? Math.min(...times) : undefined)
    );
  });
  const held = await Promise.all(played.bookings.map((id) => app.balance(`held:${id}`)));
  const charges = await app.database.db
    .selectFrom("provider_charges")
    .selectAll()
    .where("payment_id", "in", ids)
    .execute();
  const aside = charges
    .filter((row) => row.recorded_as === "suspense")
    .map((row) => `${ids.indexOf(row.payment_id ?? "")} ${row.amount} ${row.why}`);
  const refunds = await app.database.db.selectFrom("refunds").selectAll().where("payment_id", "in", ids).execute();
  const back = refunds.map((row) => `${ids.indexOf(row.payment_id ?? "")} ${row.amount} ${row.status}`);
  const published = (await Promise.all(played.bookings.map((id) => app.publishedEvents(id)))).flat();
  const succeeded = published
    .filter((event) => event.topic === "payment.succeeded")
    .map((event) => ids.indexOf(String(event.body["paymentId"])));
  return {
    payments,
    earliest,
    held,
    aside: aside.toSorted(),
    back: back.toSorted(),
    succeeded: succeeded.toSorted((a, b) => a - b),
  };
}

function expected(steps: readonly Step[]) {
  return [0, 1, 2, 3].map((intent) => {
    const mine = steps.filter((step) => step.intent === intent).map((step) => step.action);
    const end = mine.indexOf("end");
    const pay = mine.indexOf("pay");
    const paid = mine.includes("payAgain") || (pay >= 0 && (end < 0 || pay < end));
    const ended = end >= 0 && (pay < 0 || end < pay);
    const firstOfEnd = [end, pay].filter((at) => at >= 0);
    const declined = mine.some((action, at) => action === "decline" && firstOfEnd.every((first) => at < first));
    return paid ? "succeeded" : ended || declined ? "failed" : "requires_payment_method";
  });
}

const runs = Number(process.env["REPLAY_RUNS"] ?? 8);

test(
  "reaches the same state for any history, delivered up to a hundred times in any order",
  { timeout: 120_000 + runs * 4_000 },
  async () => {
    const order = fc.array(fc.nat(), { minLength: 20, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(script, fc.integer({ min: 1, max: 100 }), order, order, async (steps, times, one, other) => {
        const first = await play(steps);
        const second = await play(steps);
        await deliver(first.notices, times, one);
        await deliver(second.notices, 1, other);
        const state = await seen(first);
        expect(await seen(second)).toEqual(state);
        expect(state.payments.map(([status]) => status)).toEqual(expected(steps));
        expect(state.earliest).toEqual([true, true, true, true]);
        const foreign = await app.database.db
          .selectFrom("unreconciled_items")
          .select("amount")
          .where("ref", "in", [...first.foreign, "none"])
          .execute();
        expect(foreign.map((row) => row.amount)).toEqual(first.foreign.map(() => 700));
        const refunded = app.database.db.selectFrom("refunds").select("id");
        expect(await refunded.where("provider_payment", "in", [...first.foreign, "none"]).execute()).toEqual([]);
        await expectSound(app);
      }),
      { numRuns: runs },
    );
  },
);

test(
  "refunds each cent once, with lost responses and reports before or after the charge",
  { timeout: 120_000 + runs * 4_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        givenBack,
        fc.nat(3),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        async (plans, lost, times, early) => {
          provider.loseAnswers(0);
          const played = await play([0, 1, 2, 3].map((intent) => ({ intent, action: "pay" })));
          const refundNotices = () =>
            played.intents.map(({ ref }) => ({
              type: "charge.refunded",
              objectId: `ch_${ref}`,
              paymentRef: `pi_${ref}`,
            }));
          if (!early) await deliver(played.notices, 1, [1]);
          const wanted = [0, 0, 0, 0];
          for (const { intent, permille, dashboard } of plans) {
            const { ref, paymentId } = played.intents[intent] ?? { ref: "", paymentId: "" };
            const amount = Math.ceil(((amounts[intent] ?? 0) * permille) / 1000);
            if ((wanted[intent] ?? 0) + amount > (amounts[intent] ?? 0)) continue;
            if (dashboard)
              await provider.gateway.createRefund({
                refundId: "",
                key: randomUUID(),
                providerPayment: `pi_${ref}`,
                amount,
              });
            else if (early) continue;
            else {
              if (plans.some((plan) => plan.dashboard)) await deliver(refundNotices(), 1, [1]);
              await app.inTx((tx) =>
                planRefund(tx, {
                  paymentId: paymentId,
                  amount,
                  reason: "test",
                  causeKey: `test:${randomUUID()}`,
                  now: app.clock.now(),
                }),
              );
            }
            wanted[intent] = (wanted[intent] ?? 0) + amount;
          }
          provider.loseAnswers(lost);
          for (let turn = 0; turn < lost + 2; turn++) {
            await submitRefunds(app.services);
            app.clock.advance(hourMs);
          }
          await deliver([...refundNotices(), ...played.notices], times, [5, 3, 9, 1, 7]);
          const { payments, held } = await seen(played);
          expect(payments.map((payment) => payment[2])).toEqual(wanted);
          expect(payments.map((payment) => payment[0])).toEqual(
            wanted.map((sum, index) => (sum === amounts[index] ? "refunded" : "succeeded")),
          );
          const paid = amounts.map((amount, index) => amount - (wanted[index] ?? 0));
          expect(held.map((sum) => -sum)).toEqual([(paid[0] ?? 0) + (paid[1] ?? 0), (paid[2] ?? 0) + (paid[3] ?? 0)]);
          const atProvider = played.intents.map(({ ref }) =>
            [...provider.refunds.values()]
              .filter((refund) => refund.providerPayment === `pi_${ref}`)
              .reduce((sum, refund) => sum + refund.amount, 0),
          );
          expect(atProvider).toEqual(wanted);
          await expectSound(app);
        },
      ),
      { numRuns: runs },
    );
  },
);

test("plans a refund once per cause, and refuses more than is left", async () => {
  const played = await play([{ intent: 0, action: "pay" }]);
  await deliver(played.notices, 1, [1]);
  const paymentId = played.intents[0]?.paymentId ?? "";
  const plan = (amount: number, causeKey: string, of = paymentId) =>
    app.inTx((tx) => planRefund(tx, { paymentId: of, amount, reason: "test", causeKey, now: app.clock.now() }));
  const cause = randomUUID();
  const first = await plan(6_000, cause);
  expect((await plan(6_000, cause)).id).toBe(first.id);
  await expect(plan(4_001, randomUUID())).rejects.toMatchObject({ kind: "conflict" });
  for (const wrong of [0, -1, 1.5]) await expect(plan(wrong, randomUUID())).rejects.toMatchObject({ kind: "invalid" });
  await plan(4_000, randomUUID());
  const unpaid = played.intents[1]?.paymentId ?? "";
  await expect(plan(1, randomUUID(), unpaid)).rejects.toMatchObject({ kind: "conflict" });
  await expect(plan(1, randomUUID(), randomUUID())).rejects.toMatchObject({ kind: "not_found" });
});

test("applies the earlier of two charges for one payment and refunds the later, although it was reported first", async () => {
  const played = await play([
    { intent: 0, action: "pay" },
    { intent: 0, action: "payAgain" },
  ]);
  const [early, late] = [played.notices.slice(0, 3), played.notices.slice(3)];
  await deliver(late, 1, [1]);
  await deliver(early, 3, [3, 1, 2]);
  const paymentId = played.intents[0]?.paymentId ?? "";
  expect(await app.payment(paymentId)).toMatchObject({ status: "succeeded", provider_payment: early[1]?.objectId });
  const back = await app.database.db
    .selectFrom("refunds")
    .select(["amount", "payment_id"])
    .where("provider_payment", "=", late[1]?.objectId ?? "")
    .execute();
  expect(back).toEqual([{ amount: amounts[0], payment_id: null }]);
  expect(await app.balance(`held:${played.bookings[0]}`)).toBe(-(amounts[0] ?? 0));
  expect((await app.topics(played.bookings[0] ?? "")).filter((topic) => topic === "payment.succeeded")).toHaveLength(1);
  await expectSound(app);
});
