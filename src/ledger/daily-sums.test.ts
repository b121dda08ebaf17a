import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { releaseHeld } from "#payments/index.ts";
import { rowsOf } from "#platform/db/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayment } from "#test/factories/payments.ts";
import { expectValid, paymentsHarness } from "#test/harness/payments.ts";
import { addToDailySums } from "./daily-sums.store.ts";
import { accounts, move, paidIn, platformSums, post, revenue } from "./index.ts";

const app = closeAfterFile(await paymentsHarness());

const instants = ["2024-05-01", "2024-05-02", "2024-05-03"].flatMap((day) =>
  ["00:00:00.000", "00:00:00.001", "05:30:00.000", "23:59:59.999"].map((time) => new Date(`${day}T${time}Z`)),
);
const instant = fc.constantFrom(...instants);
type Step = { what: "deposit" | "balance" | "release" | "fee" | "lost" | "sum"; at: Date; amount: number };
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom("deposit", "balance", "release", "fee", "lost", "sum"),
  at: instant,
  amount: fc.integer({ min: 100, max: 90_000 }),
});

async function take({ what, at, amount }: Step): Promise<void> {
  const currency = amount % 2 ? "usd" : "eur";
  const bookingId = randomUUID();
  const other = (kind: "provider_fee" | "dispute_lost", debit: string, credit: string) =>
    app.inTx((tx) => post(tx, { cause: randomUUID(), kind, at, entries: move(amount, currency, { debit, credit }) }));
  if (what === "sum") return addToDailySums(app.database);
  if (what === "fee") return void (await other("provider_fee", accounts.pspFees, accounts.pspClearing));
  if (what === "lost") return void (await other("dispute_lost", accounts.disputeLoss, accounts.pspClearing));
  const kind = what === "release" ? "balance" : what;
  await app.inTx((tx) => makePayment(tx, { bookingId, kind, amount, currency, at }));
  if (what !== "release") return;
  const release = { bookingId, artistId: randomUUID(), currency, commissionBps: 1_000, at };
  await app.inTx((tx) => releaseHeld(tx, release));
}

/** Returns the same totals from every entry. */
function totalsOfEntries({ from, to }: { from: Date; to: Date }) {
  const sum = (account: string, condition = "true", since: Date | null = from) => sql`
    (select coalesce(sum(e.amount), 0)::int from ledger_entries e join ledger_groups g on g.id = e.group_id
      left join payments p on p.id = g.payment_id
     where e.account like ${account} and e.currency = c.currency and ${sql.raw(condition)}
       and ${since ? sql`g.posted_at >= ${since}` : sql`true`} and g.posted_at < ${to})`;
  return rowsOf<Record<string, number | string>>(app.database.db)`
    select c.currency, ${sum("psp_clearing", "g.kind = 'charge'")} as captured, -${sum("platform_revenue")} as commission,
      ${sum("psp_fees")} as fees, ${sum("dispute_loss")} as losses, -${sum("held:%", "true", null)} as held,
      -${sum("artist_payable:%", "true", null)} as owed, ${sum("psp_clearing", "g.kind = 'charge' and p.kind = 'deposit'")} as deposits,
      ${sum("psp_clearing", "g.kind = 'charge' and p.kind = 'balance'")} as balances
    from (values ('eur'), ('usd')) c(currency) order by c.currency`;
}

async function totals(period: { from: Date; to: Date }) {
  const { db } = app.database;
  const [sums, platform, paid] = [
    await revenue(db, period),
    await platformSums(db, period),
    await paidIn(db, [period]),
  ];
  return ["eur", "usd"].map((currency) => {
    const is = (row: { currency: string }) => row.currency === currency;
    const paidOf = (kind: string) => paid.find((row) => is(row) && row.payment_kind === kind)?.amount ?? 0;
    const { commission = 0, fees = 0, losses = 0, held = 0, owed = 0 } = platform.find(is) ?? {};
    const captured = sums.find(is)?.captured ?? 0;
    const paidParts = { deposits: paidOf("deposit"), balances: paidOf("balance") };
    return { currency, captured, commission, fees, losses, held, owed, ...paidParts };
  });
}

test("gives any period the totals of its entries, added to the sums of their days or still queued", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), instant, instant, async (steps, one, other) => {
      for (const each of steps) await take(each);
      const [from, to] = one < other ? [one, other] : [other, one];
      expect(await totals({ from, to })).toEqual(await totalsOfEntries({ from, to }));
      await expectValid(app);
    }),
    { numRuns: 40 },
  );
});

test("adds each posting once while others are posted and several processes add", async () => {
  const posting = Array.from({ length: 40 }, (_, index) =>
    take({ what: index % 3 ? "fee" : "release", at: instants[index % 12] ?? new Date(), amount: 1_000 + index }),
  );
  const adding = Array.from({ length: 12 }, async (_, index) => {
    await posting[index * 3];
    await addToDailySums(app.database);
  });
  await Promise.all([...posting, ...adding]);
  await addToDailySums(app.database);
  await expectValid(app);
  expect(await app.database.db.selectFrom("ledger_unsummed").selectAll().execute()).toEqual([]);
});

test("adds up a differing day again by the statements of the guide, before and after the server's next run", async () => {
  const guide = readFileSync(new URL("../../docs/operate/trouble.md", import.meta.url), "utf8");
  const statements = /## The totals of a day differ[\s\S]*?```sql\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const at = new Date("2024-05-02T23:59:59.999Z");
  await take({ what: "deposit", at, amount: 5_000 });
  await addToDailySums(app.database);
  await take({ what: "fee", at, amount: 300 });
  const period = { from: new Date("2024-05-02T00:00Z"), to: new Date("2024-05-03T00:00Z") };
  await app.database.exec(`update ledger_daily_sums set amount = amount + 1 where day = '2024-05-02'`);
  const differing = expect.arrayContaining([expect.objectContaining({ rule: "L11 sums of a day differ" })]);
  await expect(expectValid(app)).rejects.toMatchObject({ actual: differing });
  await app.database.exec(statements.replaceAll("2026-05-01", "2024-05-02"));
  for (const run of [async () => undefined, () => addToDailySums(app.database)]) {
    await run();
    await expectValid(app);
    expect(await totals(period)).toEqual(await totalsOfEntries(period));
  }
  expect(await app.database.db.selectFrom("ledger_unsummed").selectAll().execute()).toEqual([]);
});
