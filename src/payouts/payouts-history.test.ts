import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { lockChargesLeft, makePayouts } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { payoutsAt } from "#test/harness/payouts.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { otherAccountOf } from "#test/harness/provider/other-account.ts";
import { payoutsOf } from "./index.ts";
import { recordPayoutPaidOutside } from "./paid-outside.ts";
import { lockPayoutOf, retryTransfers } from "./payouts.store.ts";

const provider = memoryProvider();
const { reversals, failures } = provider.payouts.transfers;
/** Its payments are rows of the test, so the provider only knows that there is one. */
const retrievePayment = async (ref: string) =>
  ({ ref, markedBy: "nobody", paymentId: null, state: "pending", money: null, reason: null }) as const;
const gateway = { ...provider.gateway, retrievePayment };
const app = closeAfterFile(await paymentsHarness({ gateway }));
// The artist's account remains, because the end of an account blocks every call.
const otherAccount = { ...otherAccountOf(gateway), retrieveAccount: gateway.retrieveAccount };

const { played, sentFor, sumOf, report, refundInDashboard, reverseInDashboard } = payoutsAt(() => app, provider);

/** Records what was refused as paid, or paid back, outside the provider. Returns the sum. */
async function recordOutside(bookingId: string): Promise<number> {
  const now = app.clock.now();
  const expected = (await payoutsOf(app.database.db, [bookingId], now)).get(bookingId)?.outside ?? 0;
  const paid = { bookingId, how: "Bank transfer of today.", by: randomUUID(), expected, now };
  if (expected !== 0) await app.inTx((tx) => recordPayoutPaidOutside(tx, paid, lockChargesLeft));
  return expected;
}

const step = fc.oneof(
  fc.record({
    do: fc.constant("pay" as const),
    fail: fc.constantFrom("none", "away", "lost", "server_error", "refused"),
    isOther: fc.boolean(),
  }),
  fc.record({ do: fc.constant("refund" as const), payment: fc.nat(1), permille: fc.integer({ min: 1, max: 1_000 }) }),
  fc.record({ do: fc.constant("reverse" as const), permille: fc.integer({ min: 1, max: 1_000 }) }),
  fc.record({ do: fc.constant("bank" as const), number: fc.nat(2) }),
  fc.record({ do: fc.constant("restrict" as const) }),
  fc.record({ do: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 80 }) }),
  fc.record({ do: fc.constant("retry" as const) }),
  fc.record({ do: fc.constant("outside" as const) }),
);
const amountsOf = fc.tuple(fc.integer({ min: 50, max: 49_999_999 }), fc.integer({ min: 50, max: 49_999_999 }));
const runs = Number(process.env["REPLAY_RUNS"] ?? 12);

const pay = (fail: "none" | "lost", isOther = false) => ({ do: "pay" as const, fail, isOther });
const [hour, outside] = [{ do: "wait" as const, hours: 1 }, { do: "outside" as const }];
const refund = { do: "refund" as const, payment: 0, permille: 500 };
/** Before, nothing in another account counted as proof that nothing was sent or reversed. */
const settledTooEarly = [
  [[50_000, 50_000], [pay("lost"), hour, pay("none", true), outside], false],
  [[50_000, 50_000], [pay("none"), refund, pay("lost"), hour, pay("none", true), outside], true],
] as [[number, number], (typeof step extends fc.Arbitrary<infer T> ? T : never)[], boolean][];

/** Fails if a refused transfer or reversal is not listed for an admin. */
async function expectListed(bookingId: string): Promise<void> {
  const { rows } = await sql<{ failed: boolean }>`
    select exists (select 1 from transfers t join payouts p on p.id = t.payout_id
      left join transfer_reversals r on r.transfer_id = t.id and r.status = 'failed'
      where p.booking_id = ${bookingId} and (t.status = 'failed' or r.id is not null)) as failed`.execute(
    app.database.db,
  );
  const payout = (await payoutsOf(app.database.db, [bookingId], app.clock.now())).get(bookingId);
  expect(rows[0]?.failed && !payout?.canRetry && payout?.outside === 0).toBe(false);
}

test(
  "matches artist and ledger to the provider after any history of payouts, refunds, freezes, failures and repeats",
  { timeout: 120_000 + runs * 4_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        amountsOf,
        fc.array(step, { maxLength: 10 }),
        fc.boolean(),
        async (amounts, steps, hasCharges) => {
          failures.splice(0);
          const one = await played(amounts);
          const { db } = app.database;
          if (!hasCharges)
            await db.updateTable("payments").set({ provider_charge: null }).where("id", "in", one.payments).execute();
          const refunded = [0, 0];
          let outside = 0;
          for (const action of steps) {
            if (action.do === "pay") {
              if (action.fail !== "none") failures.push(action.fail as "away" | "lost" | "server_error" | "refused");
              const services = { ...app.services, gateway: action.isOther ? otherAccount : app.services.gateway };
              await Promise.all([makePayouts(services), makePayouts(services)]);
              failures.splice(0);
            } else if (action.do === "refund") {
              const amount = Math.ceil(((amounts[action.payment] ?? 0) * action.permille) / 1_000);
              if ((refunded[action.payment] ?? 0) + amount > (amounts[action.payment] ?? 0)) continue;
              refunded[action.payment] = (refunded[action.payment] ?? 0) + amount;
              await refundInDashboard(one.payments[action.payment] ?? "", amount);
            } else if (action.do === "reverse") {
              const { amount = 0, reversed = 0 } = sentFor(one.bookingId).at(-1) ?? {};
              const part = Math.ceil(((amount - reversed) * action.permille) / 1_000);
              if (part > 0) await reverseInDashboard(one.bookingId, part);
            } else if (action.do === "bank") await report(one.artistId, `bank ${action.number}`);
            else if (action.do === "restrict") await report(one.artistId, "bank 1", "restricted");
            else if (action.do === "outside") outside += await recordOutside(one.bookingId);
            else if (action.do === "wait") app.clock.advance(action.hours * hourMs);
            else
              await app.inTx(async (tx) =>
                retryTransfers(tx, (await lockPayoutOf(tx, one.bookingId))!.id, app.clock.now()),
              );
            await expectSound(app);
            await expectListed(one.bookingId);
          }
          await report(one.artistId, "bank 1");
          await app.inTx(async (tx) =>
            retryTransfers(tx, (await lockPayoutOf(tx, one.bookingId))!.id, app.clock.now()),
          );
          for (let turn = 0; turn < 4; turn++) {
            app.clock.advance(75 * hourMs);
            await makePayouts(app.services);
          }
          outside += await recordOutside(one.bookingId);
          await expectSound(app);
          const sent = sentFor(one.bookingId);
          const back = [...reversals.values()].filter(({ transfer }) => sent.some(({ ref }) => ref === transfer));
          const kept = sumOf(sent) - sumOf(back) + outside;
          const left = (amounts[0] ?? 0) + (amounts[1] ?? 0) - (refunded[0] ?? 0) - (refunded[1] ?? 0);
          // Each refund is divided by the largest remainder, so each may move one cent.
          expect(Math.abs(kept - left * 0.9)).toBeLessThanOrEqual(1 + steps.length);
          expect(new Set(sent.map(({ transferId }) => transferId)).size).toBe(sent.length);
          expect(await app.balance(`artist_payable:${one.artistId}`)).toBe(0);
          expect(await app.balance(`artist_receivable:${one.artistId}`)).toBe(0);
        },
      ),
      { numRuns: runs, examples: settledTooEarly },
    );
  },
);
