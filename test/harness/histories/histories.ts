/** Generated histories of bookings, played through the whole application with its movable clock, and their final states. */

import fc from "fast-check";
import { sql } from "kysely";
import { expect } from "vitest";
import type { PolicyName } from "#bookings/rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { bookingRow, browser } from "../bookings.ts";
import { expectDocumented, issueDocuments } from "../documents.ts";
import { expectSound, signed } from "../payments.ts";
import { expectAdminFigures, expectAdminFiles } from "./admin-figures.ts";
import { expectEmails, expectSameFigures } from "./figures.ts";
import { type Action, actions, begin, beginLife, type History, type Kind, type Life } from "./history-actions.ts";

/** Steps of most histories, each with a probability and hours after the previous one. Then any action at any time. */
const steps: readonly (readonly [kind: Kind, percent: number, maxHours: number])[] = [
  ["connect account", 80, 1],
  ["decline card", 20, 2],
  ["deposit", 92, 24],
  ["accept request", 90, 24],
  ["sign as promoter", 88, 60],
  ["sign as artist", 88, 60],
  ["balance by two payers", 30, 100],
  ["balance", 75, 200],
];
/** Actions on an open booking shortly before its event, in thousandths of the remaining time. */
const beforeShow: readonly (readonly [kind: Kind, percent: number, from: number])[] = [
  ["propose to end it", 15, 300],
  ["answer the proposal", 15, 450],
  ["refuse refund", 40, 250],
  ["refund in dashboard", 20, 600],
  ["return refund", 50, 700],
  ["extend balance", 40, 780],
  ["release date", 20, 880],
];
/** Actions of the payer's bank, from days before the event until days after it. */
const bank: readonly (readonly [kind: Kind, percent: number])[] = [
  ["dispute", 30],
  ["send evidence", 30],
  ["decide dispute", 50],
];
const atEnd: readonly (readonly [kind: Kind, percent: number])[] = [
  ["report no-show", 20],
  ["confirm show", 25],
  ["decide no-show", 80],
];
/** Actions of an admin after the payout. */
const afterPayout: readonly (readonly [kind: Kind, percent: number])[] = [
  ["reverse in dashboard", 40],
  ["refund in dashboard", 40],
  ["restrict account", 30],
  ["return refund", 40],
  ["dispute", 30],
  ["resolve refunds", 40],
  ["pay outside", 50],
  ["refund in dashboard", 40],
  ["decide dispute", 30],
  ["connect account", 40],
  ["return refund", 30],
  ["reverse in dashboard", 20],
];
const anything: readonly Kind[] = [
  ...steps.map(([kind]) => kind),
  ...atEnd.map(([kind]) => kind),
  ...afterPayout.map(([kind]) => kind),
  ...beforeShow.map(([kind]) => kind),
  ...bank.map(([kind]) => kind),
  "decline request",
  "withdraw the proposal",
  "withdraw consent",
  "decline contract",
  "cancel as promoter",
  "cancel as artist",
  "cancel as admin",
  "refund in dashboard",
  "refund in dashboard",
];

const step = fc.record({ luck: fc.nat(99), wait: fc.nat(1_000), part: fc.integer({ min: 0, max: 1_000 }) });

/** Generates one history: an event between three and `maxDays` days ahead, and the actions until some time after it. */
export const anyHistory = (maxDays: number): fc.Arbitrary<History> =>
  fc
    .record({
      daysAhead: fc.integer({ min: 3, max: maxDays }),
      hour: fc.integer({ min: 10, max: 23 }),
      minutes: fc.constantFrom(60, 180, 480),
      currency: fc.constantFrom("usd", "eur", "gbp"),
      fee: fc.oneof(fc.integer({ min: 1_000, max: 300_000 }), fc.constantFrom(201, 99_999_999)),
      policy: fc.constantFrom<PolicyName>("flexible", "standard", "strict"),
      requiresDeposit: fc.nat(3).map((one) => one > 0),
      card: fc.constantFrom("not kept" as const, "works" as const, "card_declined" as const),
      before: fc.array(step, { minLength: beforeShow.length, maxLength: beforeShow.length }),
      atBank: fc.array(step, { minLength: bank.length, maxLength: bank.length }),
      usual: fc.array(step, { minLength: steps.length, maxLength: steps.length }),
      paidOut: fc.array(step, { minLength: afterPayout.length, maxLength: afterPayout.length }),
      last: fc.array(step, { minLength: atEnd.length, maxLength: atEnd.length }),
      extra: fc.array(fc.record({ kind: fc.constantFrom(...anything), at: fc.nat(1_000), part: fc.nat(1_000) }), {
        maxLength: 4,
      }),
    })
    .map(({ usual, before, atBank, paidOut, last, extra, ...terms }) => {
      let hour = 0;
      const actions: Action[] = [];
      for (const [index, [kind, percent, maxHours]] of steps.entries()) {
        const { luck = 0, wait = 0, part = 0 } = usual[index] ?? {};
        if (luck >= percent) continue;
        hour += 1 + Math.floor((wait * maxHours) / 1_000);
        actions.push({ hour, kind, part });
      }
      const show = terms.daysAhead * 24;
      for (const [index, [kind, percent, from]] of beforeShow.entries()) {
        const { luck = 0, wait = 0, part = 0 } = before[index] ?? {};
        if (luck < percent) actions.push({ hour: Math.floor((show * (from + wait / 10)) / 1_000), kind, part });
      }
      let banking = Math.floor(show / 2);
      for (const [index, [kind, percent]] of bank.entries()) {
        const { luck = 0, wait = 0, part = 0 } = atBank[index] ?? {};
        banking += 1 + Math.floor((wait * (show / 2 + 48)) / 1_000);
        if (luck < percent) actions.push({ hour: banking, kind, part });
      }
      let after = show + 8;
      for (const [index, [kind, percent]] of atEnd.entries()) {
        const { luck = 0, wait = 0, part = 0 } = last[index] ?? {};
        after += 1 + Math.floor((wait * 16) / 1_000);
        if (luck < percent) actions.push({ hour: after, kind, part: part > 500 ? 1_000 : part });
      }
      after += 72;
      for (const [index, [kind, percent]] of afterPayout.entries()) {
        const { luck = 0, wait = 0, part = 0 } = paidOut[index] ?? {};
        after += 1 + Math.floor((wait * 24) / 1_000);
        if (luck < percent) actions.push({ hour: after, kind, part });
      }
      for (const { kind, at, part } of extra)
        actions.push({ hour: Math.floor(((show + 96) * at) / 1_000), kind, part });
      return { ...terms, actions };
    });

/** How webhooks arrive: in order, or shuffled, repeated under the same and other ids, and delivered again much later. */
export type Delivery = "in order" | { seed: number };

type Sent = { body: string; headers: Readonly<Record<string, string>>; endpoint: "account" | "connect" };

function chanceOf(seed: number) {
  let state = seed | 0;
  return () => {
    state = Math.trunc(Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Delays the sandbox's events until all due ones are sent, then delivers them in random order. */
function mixDeliveries(app: TestApp, seed: number): void {
  const { sandbox, clock } = app.services;
  if (!sandbox) throw new Error("the provider of a history is the sandbox");
  const chance = chanceOf(seed);
  const kept: Sent[] = [];
  const past: Sent[] = [];
  const { settle } = sandbox;
  sandbox.deliverTo(async (body, headers, endpoint) => {
    kept.push({ body, headers, endpoint });
    return true;
  });
  const receive = async ({ body, headers, endpoint }: Sent, under?: string) => {
    const text = under ? JSON.stringify({ ...(JSON.parse(body) as object), id: under }) : body;
    const secret = endpoint === "connect" ? sandbox.connectWebhookSecret : sandbox.webhookSecret;
    const response = await app.server.inject({
      method: "POST",
      url: `/api/webhooks/stripe${endpoint === "connect" ? "/connect" : ""}`,
      payload: text,
      headers: { ...headers, "stripe-signature": signed(secret, clock.now(), text) },
    });
    expect(response.statusCode, response.body).toBe(200);
  };
  const mixed = async () => {
    await settle();
    const fresh = kept.splice(0);
    if (fresh.length === 0) return;
    const again = past.filter(() => chance() < 2 / past.length);
    const all = [...fresh, ...fresh.filter(() => chance() < 0.5), ...again];
    const order = all.map((sent) => ({ sent, key: chance() })).toSorted((a, b) => a.key - b.key);
    for (const { sent } of order)
      await receive(sent, chance() < 0.25 ? `evt_again${Math.floor(chance() * 1e9)}` : undefined);
    past.push(...fresh);
  };
  Object.assign(sandbox, { settle: mixed });
}

/** Days after the event: the last deadline is after 30 days, and its effects follow within three more. */
const restDays = 33;

/** Advances the installation's clock, with everything that becomes due. */
export async function moveTo(app: TestApp, instant: Date): Promise<void> {
  const seconds = Math.floor((instant.getTime() - app.services.clock.now().getTime()) / 1_000);
  if (seconds <= 0) return;
  const response = await app.request("/api/dev/clock", {
    body: { advance: `PT${Math.floor(seconds / 60)}M${seconds % 60}S` },
  });
  expect(response.status, await response.clone().text()).toBe(200);
}

/**
 * Plays all histories concurrently in one installation until each has ended: an admin decides what requires an admin, and
 * the clock advances beyond the last deadline. Returns each final state, and as `later` the state two weeks afterwards.
 * `received`: the currency of the provider's account, to which it converts US dollars.
 */
export async function playHistories(histories: readonly History[], delivery: Delivery, received: string) {
  await using app = await testApp({ now: begin, env: { SANDBOX_CURRENCIES: received } });
  app.clock.now = () => begin;
  if (delivery !== "in order") mixDeliveries(app, delivery.seed);
  const adminHeaders = await app.signIn(await app.make.user({ role: "admin", email: "admin@example.test" }));
  const admin = browser(app, adminHeaders);
  const lives: Life[] = [];
  for (const [index, history] of histories.entries()) lives.push(await beginLife(app, history, index, adminHeaders));
  const timeline = lives
    .flatMap((life) => life.history.actions.map((action) => ({ life, ...action })))
    .toSorted((a, b) => a.hour - b.hour);
  for (const { life, hour, kind, part } of timeline) {
    await moveTo(app, new Date(begin.getTime() + hour * hourMs));
    await actions[kind](app, life, part);
    await app.services.sandbox?.settle();
    await app.settle();
    await expectSameFigures(life, `after ${kind} at ${hour}: ${JSON.stringify(life.history)}`);
    await expectAdminFigures(admin, lives, `after ${kind} at ${hour}: ${JSON.stringify(life.history)}`);
    await expectEmails(app, life, `after ${kind} at ${hour}: ${JSON.stringify(life.history)}`);
    await expectSound({ inTx: (work) => app.database.transaction(work) });
  }
  // A payer's bank may decide long after the last event.
  const lastAction = Math.ceil((timeline.at(-1)?.hour ?? 0) / 24);
  const lastDay = Math.max(lastAction, ...histories.map(({ daysAhead }) => daysAhead));
  await moveTo(app, new Date(begin.getTime() + (lastDay + 5) * 24 * hourMs));
  for (const life of lives) await actions["decide no-show"](app, life, 1_000);
  for (const life of lives) await actions["connect account"](app, life, 0);
  await moveTo(app, new Date(begin.getTime() + (lastDay + restDays) * 24 * hourMs));
  // Once for what was not sent, once for what was not reversed.
  for (const life of [...lives, ...lives]) {
    await actions["resolve refunds"](app, life, 0);
    await actions["pay outside"](app, life, 0);
    await app.settle();
  }
  // Payouts that a failed refund blocked are sent.
  await moveTo(app, new Date(begin.getTime() + (lastDay + restDays) * 24 * hourMs + hourMs));
  const left = await Promise.all(lives.map((life) => leftOf(app, life)));
  await moveTo(app, new Date(begin.getTime() + (lastDay + restDays + 14) * 24 * hourMs));
  for (const life of lives) await expectSameFigures(life, `at rest: ${JSON.stringify(life.history)}`);
  await expectAdminFigures(admin, lives, "at rest");
  const later = await Promise.all(lives.map((life) => leftOf(app, life)));
  await issueDocuments(app.services);
  await expectDocumented(app.database.db);
  await expectAdminFiles(admin, lives);
  await expectSound({ inTx: (work) => app.database.transaction(work) });
  return { left, later, atProvider: await providerSums(app), waiting: await waitingWork(app) };
}

const rowsOf = async (app: TestApp, query: ReturnType<typeof sql<Record<string, unknown>>>) =>
  (await query.execute(app.database.db)).rows;

/** Returns the final state of a booking without random ids. */
async function leftOf(app: TestApp, { bookingId: id, artistId }: Life) {
  const booking = await bookingRow(app, id);
  return {
    booking: {
      status: booking.status,
      canceled_by: booking.canceled_by,
      cancel_code: booking.cancel_code,
      at: [booking.deposit_paid_at, booking.balance_paid_at, booking.completed_at, booking.canceled_at],
    },
    contract: await rowsOf(app, sql`select signed_status from contracts where booking_id = ${id}`),
    payments: await rowsOf(
      app,
      sql`select kind, status, checkout_state, amount, amount_refunded from payments where booking_id = ${id} order by 1, 2, 3, 4, 5`,
    ),
    refunds: await rowsOf(
      app,
      sql`select p.kind, r.amount, r.status, r.reason from refunds r join payments p on p.id = r.payment_id
        where p.booking_id = ${id} order by 1, 2, 3, 4`,
    ),
    payout: await rowsOf(
      app,
      sql`select p.amount, p.paid_at is not null as paid, (select sum(t.amount) from transfers t where t.payout_id = p.id)::int as sent,
          (select sum(t.amount_reversed) from transfers t where t.payout_id = p.id)::int as back
        from payouts p where p.booking_id = ${id}`,
    ),
    ledger: await rowsOf(
      app,
      sql`select g.kind, split_part(e.account, ':', 1) as account, sum(e.amount)::int as amount, count(*)::int as times
        from ledger_groups g join ledger_entries e on e.group_id = g.id where g.booking_id = ${id} group by 1, 2 order by 1, 2`,
    ),
    balances: await rowsOf(
      app,
      sql`select split_part(account, ':', 1) as account, sum(amount)::int as amount from ledger_entries
        where account in (${`held:${id}`}, ${`artist_payable:${artistId}`}, ${`artist_receivable:${artistId}`}) group by 1 order by 1`,
    ),
    emails: await rowsOf(
      app,
      sql`select template, recipient, channel, count(*)::int as times from messages where ref_id = ${id} group by 1, 2, 3 order by 1, 2, 3`,
    ),
    disputes: await rowsOf(
      app,
      sql`select amount, status, withdrawn, from_refunds, from_held, from_artist, from_platform, from_loss from disputes
        where booking_id = ${id} order by 1, 2, 3, 4`,
    ),
    proposals: await rowsOf(
      app,
      sql`select proposed_by, refund_cents, outcome, closed_at from force_majeure_proposals where booking_id = ${id} order by proposed_at`,
    ),
    consents: await rowsOf(
      app,
      sql`select withdrawn_by, withdrawn_at, charge_id is not null as charged from balance_consents where booking_id = ${id}`,
    ),
    steps: await rowsOf(app, sql`select round, step from balance_steps where booking_id = ${id} order by 1, 2`),
  };
}
export type Left = Awaited<ReturnType<typeof leftOf>>;

/** Returns the balance of the provider's account and that of the ledger, in minor units per currency. */
async function providerSums(app: TestApp) {
  const provider = await rowsOf(
    app,
    sql`select body->>'currency' as currency, sum((body->>'net')::bigint)::bigint as amount from sandbox_objects
      where kind = 'balance_transaction' group by 1 having sum((body->>'net')::bigint) <> 0 order by 1`,
  );
  const ledger = await rowsOf(
    app,
    sql`select currency, sum(amount)::bigint as amount from ledger_entries where account = 'psp_clearing'
      group by 1 having sum(amount) <> 0 order by 1`,
  );
  return { provider, ledger };
}

export const waitingWork = (app: TestApp) =>
  rowsOf(
    app,
    sql`select 'event ' || topic as what from event_outbox
      union all select 'provider event ' || type || ': ' || coalesce(last_error, '') from provider_events where processed_at is null
      union all select 'refund ' || status from refunds where status <> 'succeeded'
      union all select 'transfer ' || status from transfers where status <> 'succeeded'
      union all select 'reversal ' || status from transfer_reversals where status <> 'succeeded'
      union all select 'difference ' || differences::text from reconciliations where differences::text <> '[]'`,
  );
