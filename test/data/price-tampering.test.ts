/**
 * Price tampering: every call that moves money, with sixty changes of what it is given. Nothing that a caller sends changes an amount:
 * the booking, its payments, refunds, payouts and the ledger stay as they were, and what is opened asks for the agreed sum. The calls
 * are found in the list of endpoints: one that is new and about money is taken with names alone until its body is written here.
 */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bookingRow, browser, peopleOf } from "#test/harness/bookings.ts";
import { expectSound } from "#test/harness/payments.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { addressOf, endpoints } from "./endpoints.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ now: new Date("2027-01-10T15:00:00Z") });
});
afterAll(async () => {
  await expectSound({ inTx: (work) => app.database.transaction(work) });
  await app.close();
});

type Json = Record<string, unknown>;
type Who = "guest" | "artist" | "admin";
/** A call as it is meant: who makes it at which booking, and what is sent besides the booking's id in the address. */
type Case = {
  who: Who;
  state: "asked" | "signed" | "played";
  body: (booking: { id: string; balance_cents: number }) => Json;
};

const cases: Record<string, Case> = {
  createContractAndCheckout: { who: "guest", state: "asked", body: ({ id }) => ({ booking_id: id }) },
  createCheckout: { who: "guest", state: "asked", body: ({ id }) => ({ bookingId: id, isDeposit: true }) },
  cancelBooking: {
    who: "guest",
    state: "signed",
    body: () => ({ code: "plans_changed", note: null, expected_refund_cents: 1 }),
  },
  completeBooking: { who: "guest", state: "played", body: () => ({}) },
  decideNoShow: {
    who: "admin",
    state: "played",
    body: () => ({ release_cents: 1, decision: "This is what we have found." }),
  },
  releaseDate: { who: "artist", state: "signed", body: () => ({ expected_refund_cents: 1 }) },
};

/** Calls that write and are about money by their address. */
const aboutMoney = /checkout|cancel|complete|no-show|balance-link|release-date|payout|payment|refund|dispute|invoice/;
const moneyCalls = endpoints().filter(
  ({ method, path }) => method !== "GET" && aboutMoney.test(path) && !path.includes("/webhooks/"),
);

const strange: unknown[] = [
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
const more: unknown[] = [null, true, false, [], [1], {}, { amount: 1 }, "usd", "eur", " 1", "१"];
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

/** At least sixty bodies made of one: names that nobody asked for, other values of its own, prototype names, lists and repeated names. */
function tampered(body: Json, foreign: string): string[] {
  const bodies: unknown[] = [
    ...[...names, ...others].flatMap((name) => [1, "1", -1].map((value) => ({ ...body, [name]: value }))),
    ...Object.keys(body).flatMap((name) => [...strange, ...more].map((value) => ({ ...body, [name]: value }))),
    ...Object.keys(body).map((name) => ({ ...body, [name]: foreign })),
    [body],
    [],
    "1",
    1,
    null,
  ];
  const text = JSON.stringify(body).slice(1, -1);
  const whole = text ? `${text},` : "";
  const raw = prototypes.map((part) => `{${whole}${part}}`);
  const twice = Object.entries(body).map(
    ([name, value]) => `{${whole}${JSON.stringify(name)}:${JSON.stringify(value)}}`,
  );
  const endless = Object.keys(body).map((name) => `{${whole}"${name}":1e999}`);
  return [...bodies.map((one) => JSON.stringify(one)), ...raw, ...twice, ...endless, `{${whole}"amount":1`];
}

/** Everything about money that is stored; what a checkout asks for is compared with the booking's own sum. */
async function moneyOf(id: string) {
  const { rows } = await sql<Json>`
    select 'booking' as what, concat_ws(' ', fee_cents, deposit_cents, balance_cents, deposit_percent, commission_bps, currency) as sums from bookings where id = ${id}
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

/** A booking in a state, and whoever makes the call. */
async function madeFor({ who, state }: Case) {
  const people = peopleOf(() => app);
  const player = await people.person("artist");
  const act = await people.artist({ userId: player.user.id });
  const { booking, visitor } = await people.held({
    artist: act,
    now: app.clock.now(),
    createdAt: app.clock.now(),
    ...(state === "asked" ? {} : { status: "contract_signed" as const, balancePaid: state === "played" }),
  });
  const at = who === "guest" ? visitor : who === "artist" ? player.at : (await people.person("admin")).at;
  return { booking, at };
}

/** Without a case of its own a call is made by whoever may make it, with nothing but the names that a forger would add. */
const caseOf = ({ operationId, access }: (typeof moneyCalls)[number]): Case =>
  cases[operationId] ?? {
    who: access === "admin" || access === "artist" ? access : "guest",
    state: "signed",
    body: () => ({}),
  };

test("the calls that move money are found, and each that is written here is one of them", () => {
  const found = moneyCalls.map(({ operationId }) => operationId);
  expect(found).toEqual(
    expect.arrayContaining([...Object.keys(cases), "retryPayout", "openPaymentAccount", "createBalanceLink"]),
  );
});

test.each(moneyCalls.map((call) => [call.operationId, call] as const))(
  "%s: no change of what is sent changes a sum",
  async (_name, endpoint) => {
    const made = caseOf(endpoint);
    const { booking, at } = await madeFor(made);
    const foreign = await madeFor(made);
    const before = await moneyOf(booking.id);
    const before2 = await moneyOf(foreign.booking.id);
    const bodies = tampered(made.body(booking), foreign.booking.id);
    expect(bodies.length).toBeGreaterThanOrEqual(60);
    for (const body of bodies) {
      const answer = await at.call(addressOf(endpoint, booking.id), body, { "content-type": "application/json" });
      expect(answer.status, body).toBeLessThan(500);
    }
    expect(await moneyOf(booking.id)).toEqual(before);
    expect(await moneyOf(foreign.booking.id)).toEqual(before2);
    const { deposit_cents, currency } = await bookingRow(app, booking.id);
    for (const asked of await opened(booking.id)) expect(asked).toBe(`deposit ${deposit_cents} ${currency}`);
    expect(await opened(foreign.booking.id)).toEqual([]);
    expect(browser(app).jar.size).toBe(0);
  },
  120_000,
);
