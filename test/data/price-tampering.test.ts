/**
 * Price tampering: every call that moves money, with sixty changes of its input. No input changes an amount: booking,
 * payments, refunds, payouts and ledger stay the same, and an opened checkout requests the agreed sum. A new endpoint must
 * be listed in money-calls.ts with or without money.
 */

import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow } from "#test/harness/bookings.ts";
import { expectSound } from "#test/harness/payments.ts";
import { testApp } from "#test/test-app.ts";
import { addressOf, endpoints } from "./endpoints.ts";
import { callsWithoutMoney, type MadeCall, moneyCalls } from "./money-calls.ts";

const app = closeAfterFile(await testApp({ now: new Date("2027-01-10T15:00:00Z") }));
afterAll(() => expectSound({ inTx: (work) => app.database.transaction(work) }));

type Json = Record<string, unknown>;

const writing = endpoints().filter(({ method }) => method !== "GET");

const strange: readonly unknown[] = [
  0,
  -1,
  1,
  1.5,
  1e3,
  1e308,
  Number.MAX_SAFE_INTEGER,
  99_999_999,
  "1",
  "1e3",
  "-1",
  "0x10",
  "",
  "NaN",
];
const more: readonly unknown[] = [null, true, false, [], [1], {}, { amount: 1 }, "usd", "eur", " 1", "१"];
const names = [
  "amount",
  "amount_cents",
  "fee_cents",
  "deposit_cents",
  "balance_cents",
  "currency",
  "commission_bps",
  "deposit_percent",
];
const others = [
  "paid",
  "status",
  "refund_cents",
  "held",
  "price",
  "unit_amount",
  "application_fee_amount",
  "artistId",
  "payment_id",
];
const prototypes = ['"__proto__":{"amount":1}', '"constructor":{"prototype":{"amount":1}}', '"prototype":{"amount":1}'];

/** Returns bodies with unknown names, and bodies that are no object. Each is refused for that reason alone. */
function withExtras(body: Json): string[] {
  const text = JSON.stringify(body).slice(1, -1);
  const added = [...names, ...others].filter((name) => !Object.hasOwn(body, name));
  return [
    ...[[body], [], "1", 1, null].map((one) => JSON.stringify(one)),
    ...added.flatMap((name) => [1, "1", -1].map((value) => JSON.stringify({ ...body, [name]: value }))),
    ...prototypes.map((part) => `{${text ? `${text},` : ""}${part}}`),
  ];
}

/** Returns bodies with other values of the call's own names, repeated names and numbers out of range. */
function withOtherValues({ body, wrong = {}, decides = {}, writes = [] }: MadeCall, foreign: string): string[] {
  const refused: Json = { ...body, ...wrong };
  const isAllowed = (name: string, value: unknown) =>
    (writes.includes(name) && typeof value === "string") ||
    (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= (decides[name] ?? -1));
  const text = JSON.stringify(refused).slice(1, -1);
  const own = Object.keys(refused);
  const bodies: unknown[] = own.flatMap((name) =>
    [...strange, ...more, foreign, String(body[name]), [body[name]]]
      .filter((value) => !isAllowed(name, value) && (value !== body[name] || !Object.hasOwn(wrong, name)))
      .map((value) => ({ ...refused, [name]: value })),
  );
  const twice = own.map((name) => `{${text},${JSON.stringify(name)}:${JSON.stringify(refused[name])}}`);
  const endless = own.map((name) => `{${text},"${name}":1e999}`);
  return [...bodies.map((one) => JSON.stringify(one)), ...twice, ...endless, `{${text ? `${text},` : ""}"amount":1`];
}

/** Returns all stored amounts. The amount of a checkout is compared with the booking's own. */
async function moneyOf(id: string) {
  const { rows } = await sql<Json>`
    select 'booking' as what, concat_ws(' ', fee_cents, deposit_cents, balance_cents, deposit_percent, commission_bps, currency) as sums from bookings where id = ${id}
    union all select 'payment', concat_ws(' ', kind, amount, amount_refunded, currency) from payments where booking_id = ${id} and status <> 'requires_payment_method'
    union all select 'refund', concat_ws(' ', r.amount, r.currency) from refunds r join payments p on p.id = r.payment_id where p.booking_id = ${id}
    union all select 'payout', concat_ws(' ', amount, currency) from payouts where booking_id = ${id}
    union all select 'ledger', concat_ws(' ', g.kind, e.account, e.amount, e.currency) from ledger_groups g join ledger_entries e on e.group_id = g.id where g.booking_id = ${id}
    order by 1, 2`.execute(app.database.db);
  return rows;
}

const opened = async (id: string) =>
  (
    await app.database.db
      .selectFrom("payments")
      .select(["kind", "amount", "currency"])
      .where("booking_id", "=", id)
      .where("status", "=", "requires_payment_method")
      .execute()
  ).map(({ kind, amount, currency }) => `${kind} ${amount} ${currency}`);

/** Returns the booking's status, and the number of bookings. */
const stateOf = async (id: string) => {
  const { status, updated_at: at } = await bookingRow(app, id);
  const { length: bookings } = await app.database.db.selectFrom("bookings").select("id").execute();
  return { status, at, bookings, opened: await opened(id) };
};

test("lists every call that writes exactly once, with or without money", () => {
  const known = [...Object.keys(moneyCalls), ...callsWithoutMoney].toSorted();
  expect(known).toEqual(writing.map(({ operationId }) => operationId).toSorted());
});

test.each(Object.entries(moneyCalls))(
  "changes no amount by any changed input of %s",
  async (name, prepare) => {
    const endpoint = writing.find(({ operationId }) => operationId === name);
    if (!endpoint) throw new Error(`there is no call ${name}`);
    const made = await prepare(app);
    const foreign = await prepare(app);
    const { bookingId, at } = made;
    const ofForeign = async () => ({ sums: await moneyOf(foreign.bookingId), opened: await opened(foreign.bookingId) });
    const untouched = await ofForeign();
    const sums = await moneyOf(bookingId);
    const address = addressOf(endpoint, made.addressId ?? bookingId);
    const send = async (body: string) => {
      const response = await at.call(address, body, { "content-type": "application/json" });
      expect(response.status, body).toBeLessThan(500);
      return response.status;
    };
    const extras = withExtras(made.body);
    const values = withOtherValues(made, foreign.addressId ?? foreign.bookingId);
    expect(extras.length + values.length).toBeGreaterThanOrEqual(60);

    const before = await stateOf(bookingId);
    for (const body of extras) expect(await send(body), body).toBe(400);
    expect(await stateOf(bookingId)).toEqual(before);
    for (const body of values) await send(body);
    expect(await moneyOf(bookingId)).toEqual(sums);
    expect(await ofForeign()).toEqual(untouched);
    const { deposit_cents, currency } = await bookingRow(app, bookingId);
    for (const opening of await opened(bookingId)) expect(opening).toBe(`deposit ${deposit_cents} ${currency}`);

    // The unchanged call is accepted in the same state, so the changes caused the errors.
    const right = addressOf(endpoint, foreign.addressId ?? foreign.bookingId);
    const { status, body: response } = await foreign.at.json(right, foreign.body);
    expect(status, `unchanged: ${JSON.stringify(response)}`).toBe(foreign.status ?? 200);
  },
  120_000,
);

test("stores requests at the artist's price with the platform's terms", async () => {
  const { rows } =
    await sql<Json>`select b.id, b.fee_cents, a.base_rate, b.deposit_percent, b.commission_bps, b.currency
    from bookings b join artists a on a.id = b.artist_id
    where b.fee_cents <> a.base_rate or b.deposit_percent not in (0, 25) or b.commission_bps <> 1000 or b.currency <> 'usd'
      or b.deposit_cents + b.balance_cents <> b.fee_cents`.execute(app.database.db);
  expect(rows).toEqual([]);
});
