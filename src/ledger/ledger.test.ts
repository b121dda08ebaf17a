import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { paymentBySession, paymentsOf, releaseHeld } from "#payments/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayment } from "#test/factories/payments.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { payableOf, revenue } from "./index.ts";
import { heldFor, move, post } from "./store.ts";

const app = closeAfterFile(await paymentsHarness());
afterAll(() => expectSound(app));

const entries = () => app.database.db.selectFrom("ledger_entries").selectAll().orderBy("id").execute();

test.each([
  "update ledger_entries set amount = amount * 2",
  "update ledger_groups set cause_key = 'other'",
  "delete from ledger_entries",
  "delete from ledger_groups",
  "truncate ledger_entries",
  "truncate ledger_groups, ledger_entries",
  "truncate payments cascade",
])("refuses to the owner of the ledger: %s", async (statement) => {
  await app.inTx((tx) => makePayment(tx, { bookingId: randomUUID(), kind: "deposit", amount: 1_000 }));
  const before = await entries();
  await expect(app.inTx((tx) => sql.raw(statement).execute(tx))).rejects.toThrow("the ledger is append-only");
  expect(await entries()).toEqual(before);
});

test("refuses at commit a group that does not sum to zero in each currency", async () => {
  const unbalanced = (entriesOf: { account: string; amount: number; currency: string }[]) =>
    app.inTx((tx) => post(tx, { cause: `test:${randomUUID()}`, kind: "charge", at: new Date(0), entries: entriesOf }));
  await expect(unbalanced([{ account: "psp_clearing", amount: 100, currency: "usd" }])).rejects.toThrow("sum to zero");
  await expect(
    unbalanced([
      { account: "psp_clearing", amount: 100, currency: "usd" },
      { account: "suspense", amount: -100, currency: "eur" },
    ]),
  ).rejects.toThrow("sum to zero");
});

test("posts one cause once, with repeated and concurrent events", async () => {
  const bookingId = randomUUID();
  const { id } = await app.inTx((tx) => makePayment(tx, { bookingId, kind: "deposit", amount: 1_000 }));
  const again = () =>
    app.inTx((tx) =>
      post(tx, {
        cause: `test:${bookingId}`,
        kind: "provider_fee",
        bookingId,
        paymentId: id,
        at: app.clock.now(),
        entries: move(30, "usd", { debit: "psp_fees", credit: "psp_clearing" }),
      }),
    );
  const posted = await Promise.all(Array.from({ length: 8 }, again));
  expect(posted.filter(Boolean)).toHaveLength(1);
  expect(await app.inTx((tx) => heldFor(tx, bookingId, "usd"))).toBe(1_000);
});

test("sums payments of every status from the ledger", async () => {
  const [bookingId, artistId] = [randomUUID(), randomUUID()];
  const at = new Date("2024-05-01T20:00:00Z");
  const span = { from: new Date("2024-01-01T00:00:00Z"), to: new Date("2025-01-01T00:00:00Z") };
  const make = (
    kind: "deposit" | "balance",
    status: "succeeded" | "failed" | "refunded" | "requires_payment_method",
    booking = bookingId,
  ) => app.inTx((tx) => makePayment(tx, { bookingId: booking, kind, amount: 20_000, status, at, currency: "eur" }));
  await make("deposit", "failed");
  await make("deposit", "refunded");
  const deposit = await make("deposit", "succeeded");
  await make("balance", "succeeded");
  await make("deposit", "requires_payment_method", randomUUID());
  expect(await revenue(app.database.db, span)).toMatchObject([{ currency: "eur", amount: 40_000 }]);
  expect(await heldFor(app.database.db, bookingId, "eur")).toBe(40_000);
  const release = { bookingId, artistId, currency: "eur", commissionBps: 1_000, at };
  expect(await app.inTx((tx) => releaseHeld(tx, release))).toEqual({ commission: 4_000, artist: 36_000 });
  await app.inTx((tx) => releaseHeld(tx, release));
  expect(await heldFor(app.database.db, bookingId, "eur")).toBe(0);
  expect(await payableOf(app.database.db, artistId)).toEqual([{ currency: "eur", amount: 36_000 }]);
  expect((await paymentsOf(app.database.db, [bookingId])).map((payment) => payment.status).sort()).toEqual([
    "failed",
    "refunded",
    "succeeded",
    "succeeded",
  ]);
  expect(await paymentBySession(app.database.db, deposit.provider_ref ?? "")).toMatchObject({
    id: deposit.id,
    amount: 20_000,
  });
  expect(await paymentBySession(app.database.db, "cs_none")).toBeUndefined();
  expect(await paymentsOf(app.database.db, [])).toEqual([]);
  await expectSound(app);
});
