/**
 * SIGKILL of two server processes on one PostgreSQL while they charge, refund, pay out and reverse: the provider moves
 * nothing twice, no acknowledged request is lost, and the ledger matches the provider. TEST_DEEP=1 kills fifty times,
 * TEST_KILLS=n so often.
 */

import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bookingKey } from "#bookings/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { movableClock } from "#platform/time/clock.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { reconcile } from "#reconciliation/index.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { temporaryFolder } from "../../scripts/temporary-folder.mjs";
import {
  addArtist,
  bookingInput,
  chargedTwice,
  daysAhead,
  endLeases,
  moneyOffences,
  type TwoServers,
  twoServers,
} from "./two-servers.ts";

const kills = Number(process.env["TEST_KILLS"] ?? (process.env["TEST_DEEP"] === "1" ? 50 : 1));
/** Bookings to cancel, and to play, per kill, so every kill interrupts work. */
const perKill = 3;
/** Limit in ms: interrupted work is resumed after its lease, and a busy machine needs additional time. */
const drainMs = 300_000;
/** Number of bookings that are prepared concurrently. */
const madeAtOnce = 6;

let servers: TwoServers;
let app: TestApp;
const dataDir = mkdtempSync(path.join(temporaryFolder, "stagedoor-third-"));
beforeAll(async () => {
  const SECRETS_KEY = randomBytes(32).toString("base64");
  servers = await twoServers({ SECRETS_KEY });
  // Prepares the servers' work and acts as the provider's dashboard. It runs no jobs, and its webhooks go to the servers.
  app = await testApp({ beside: { database: servers.database, dataDir, clock: movableClock() }, env: { SECRETS_KEY } });
  let turn = 0;
  app.services.sandbox?.deliverTo(async (body, headers, endpoint) => {
    const origin = servers.servers[turn++ % 2]?.url() ?? "";
    const url = `${origin}/api/webhooks/stripe${endpoint === "connect" ? "/connect" : ""}`;
    return (await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(5_000) })).ok;
  });
});
afterAll(async () => {
  await app?.close();
  await servers?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

type Made = { id: string; cookie: string; payments: { providerPayment: string; amount: number }[] };

/** Makes a signed booking with both parts paid, and its guest's cookie. `endedHours`: hours since the end of its event. */
async function paidBooking(endedHours: number | null): Promise<Made> {
  const { db } = servers.database;
  const artist = await app.make.artist({ location: "Austin, Texas" });
  await sql`insert into artist_connect (artist_id, provider_account, onboarding_status, updated_at)
    values (${artist.id}, ${`acct_demo_${artist.id.replaceAll("-", "")}`}, 'completed', now())`.execute(db);
  const { keys } = app.services;
  const { id } = await app.make.booking({
    artist,
    status: "contract_signed",
    balancePaid: true,
    keys,
    createdAt: new Date(),
  });
  const end = new Date(Date.now() - (endedHours ?? 0) * hourMs);
  if (endedHours !== null)
    await sql`update bookings set starts_at = ${new Date(end.getTime() - 3 * hourMs)}, ends_at = ${end} where id = ${id}`.execute(
      db,
    );
  const rows = await db
    .selectFrom("payments")
    .select(["provider_payment", "amount"])
    .where("booking_id", "=", id)
    .execute();
  const payments = rows.map((row) => ({ providerPayment: row.provider_payment ?? "", amount: row.amount }));
  return { id, cookie: `bookings=${bookingKey(keys, id)}`, payments };
}

/** Retries until a server has answered. A killed one does not respond. */
async function insist<T>(work: (turn: number) => Promise<T | undefined>): Promise<T> {
  for (let turn = 0; turn < 600; turn++) {
    const result = await work(turn).catch(() => undefined);
    if (result !== undefined) return result;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  throw new Error("none of the servers has answered");
}

async function bookAndPay(number: number): Promise<string> {
  const body = bookingInput(`crash-${number % 10}`, number, daysAhead(40 + Math.floor(number / 10)));
  const requested = await insist(async (turn) => {
    const { status, body: booking, cookie } = await servers.send<{ id: string }>(turn, "/api/bookings", body);
    return status < 300 ? { id: booking.id, cookie } : undefined;
  });
  await insist(async (turn) => {
    const address = "/api/functions/create-contract-and-checkout";
    const opened = await servers.send<{ checkout_url?: string }>(
      turn,
      address,
      { booking_id: requested.id },
      requested.cookie,
    );
    if (!opened.body.checkout_url) return opened.status === 409 ? true : undefined;
    const { status } = await servers.send(turn + 1, `${new URL(opened.body.checkout_url).pathname}/pay`, {});
    return status === 303 ? true : undefined;
  });
  return requested.id;
}

/** Cancels within two days of the payment, with a full refund. */
const cancel = ({ id, cookie, payments }: Made) =>
  insist(async (turn) => {
    const expected_refund_cents = payments.reduce((sum, { amount }) => sum + amount, 0);
    const { status, body } = await servers.send<{ message?: string }>(
      turn,
      `/api/bookings/${id}/cancel`,
      { code: "plans_changed", expected_refund_cents },
      cookie,
    );
    return status === 200 || body.message === "This booking is already canceled." ? true : undefined;
  });

/** Confirms the event as the promoter, which pays the artist. */
const confirm = ({ id, cookie }: Made) =>
  insist(async (turn) => {
    const { status } = await servers.send(turn, `/api/bookings/${id}/complete`, {}, cookie);
    return status === 200 || status === 409 ? true : undefined;
  });

/** Refunds a third of a payment in the provider's dashboard after the payout, which reverses a part of the payout. */
async function refundPaidOut({ id, payments: [payment] }: Made): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await servers.database.db
            .selectFrom("payouts")
            .select("paid_at")
            .where("booking_id", "=", id)
            .executeTakeFirst()
        )?.paid_at ?? null,
      {
        timeout: drainMs,
        interval: 200,
      },
    )
    .not.toBe(null);
  const { providerPayment = "", amount = 0 } = payment ?? {};
  await app.services.gateway?.createRefund({
    refundId: "",
    key: randomUUID(),
    providerPayment,
    amount: Math.floor(amount / 3),
  });
}

/** Returns refunds, transfers and reversals that the provider made more than once for one row. */
const movedTwice = async (db: Reader) =>
  (
    await sql`
      select 'refund' as what, body->'metadata'->>'refund_id' as id from sandbox_objects
        where kind = 'refund' and body->'metadata'->>'refund_id' <> '' group by 2 having count(*) > 1
      union all select 'transfer', body->'metadata'->>'transfer_id' from sandbox_objects
        where kind = 'transfer' group by 2 having count(*) > 1
      union all select 'reversal', r->'metadata'->>'reversal_id' from sandbox_objects, jsonb_array_elements(body->'reversals'->'data') r
        where kind = 'transfer' group by 2 having count(*) > 1`.execute(db)
  ).rows;

/** Returns the moved amounts of our ledger and of the provider. */
async function books(db: Reader): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select 'refunds' as what, (select coalesce(sum(amount), 0) from refunds where status = 'succeeded')::int as ours,
      (select coalesce(sum((body->>'amount')::int), 0) from sandbox_objects where kind = 'refund')::int as provider
    union all select 'transfers', (select coalesce(sum(amount), 0) from transfers where status = 'succeeded')::int,
      (select coalesce(sum((body->>'amount')::int), 0) from sandbox_objects where kind = 'transfer')::int
    union all select 'reversals', (select coalesce(sum(amount), 0) from transfer_reversals where status = 'succeeded')::int,
      (select coalesce(sum((body->>'amount_reversed')::int), 0) from sandbox_objects where kind = 'transfer')::int
    union all select 'in the ledger', (
        select coalesce(sum(e.amount), 0) from ledger_entries e join ledger_groups g on g.id = e.group_id
        where e.account = 'psp_clearing' and g.kind not in ('charge', 'suspense_charge', 'provider_fee'))::int,
      (select coalesce(-sum((body->>'amount')::int), 0) from sandbox_objects where kind = 'refund')::int
      - (select coalesce(sum((body->>'amount')::int - (body->>'amount_reversed')::int), 0) from sandbox_objects where kind = 'transfer')::int`.execute(
    db,
  );
  return rows;
}

const waiting = async () =>
  (
    await sql<{ what: string }>`
      select 'event' as what from event_outbox union all select 'provider event' from provider_events where processed_at is null
      union all select 'refund' from refunds where status <> 'succeeded'
      union all select 'transfer' from transfers where status <> 'succeeded'
      union all select 'reversal' from transfer_reversals where status <> 'succeeded'
      union all select 'payout' from payouts where planned_at is null and amount > 0
      union all select 'webhook' from sandbox_objects where kind = 'event' and due_at is not null`.execute(
      servers.database.db,
    )
  ).rows.map(({ what }) => what);

/** Ends the claims of killed processes, which otherwise last for minutes to prevent duplicate calls. */
async function letClaimsEnd(): Promise<void> {
  await endLeases(servers);
  for (const table of ["refunds", "transfers", "transfer_reversals"])
    // A locked row is in progress.
    await sql`update ${sql.table(table)} set next_try_at = now() where id in (
      select id from ${sql.table(table)} where status in ('requested', 'submitted') for update skip locked)`.execute(
      servers.database.db,
    );
}

/** Proves the check for double movements with a copied refund and a copied transfer. */
async function expectPlantedFound(): Promise<void> {
  const plant = servers.database.transaction(async (tx) => {
    for (const kind of ["refund", "transfer"])
      await sql`insert into sandbox_objects (id, kind, body) select ${`planted_${kind}`}, kind, body from sandbox_objects
        where kind = ${kind} and coalesce(body->'metadata'->>'refund_id', 'x') <> '' limit 1`.execute(tx);
    throw Object.assign(new Error("only planted"), { found: await movedTwice(tx) });
  });
  await expect(plant).rejects.toMatchObject({
    found: expect.arrayContaining([
      expect.objectContaining({ what: "refund" }),
      expect.objectContaining({ what: "transfer" }),
    ]),
  });
}

test(
  `moves no money twice with ${kills} ${kills === 1 ? "kill" : "kills"} while charging, refunding, paying out and reversing`,
  { timeout: 600_000 + kills * 30_000 },
  async () => {
    const { db } = servers.database;
    for (let index = 0; index < 10; index++) await addArtist(servers, `crash-${index}`);
    const canceled: Made[] = [];
    const played: Made[] = [];
    while (played.length < kills * perKill) {
      const made = Array.from({ length: Math.min(madeAtOnce, kills * perKill - played.length) });
      canceled.push(...(await Promise.all(made.map(() => paidBooking(null)))));
      played.push(...(await Promise.all(made.map(() => paidBooking(30)))));
    }
    const charged: string[] = [];
    let number = 0;
    let running = true;
    let round = 0;
    /** Does the work of each round when its kill comes. */
    const inRounds = async (made: readonly Made[], act: (one: Made) => Promise<unknown>) => {
      for (const [index, one] of made.entries()) {
        while (running && round < Math.floor(index / perKill)) await new Promise((resolve) => setTimeout(resolve, 50));
        await act(one);
      }
    };
    const work = [
      ...[1, 2].map(async () => {
        while (running) charged.push(await bookAndPay(number++));
      }),
      inRounds(canceled, cancel),
      inRounds(played, confirm),
      inRounds(played, refundPaidOut),
    ];
    const all = Promise.all(work);
    all.catch(() => undefined);
    for (let kill = 0; kill < kills; kill++) {
      // At different intervals after a start, so kills interrupt different work.
      await new Promise((resolve) => setTimeout(resolve, 400 + ((kill * 137) % 800)));
      const victim = servers.servers[kill % 2];
      await victim?.kill();
      await victim?.start();
      await letClaimsEnd();
      round++;
    }
    running = false;
    // The remaining work waits for payouts, and these for claims of killed processes, so claims are ended until nothing is left.
    let waits = true;
    const claims = (async () => {
      while (waits) {
        await letClaimsEnd();
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    })();
    try {
      await all;
      await expect.poll(waiting, { timeout: drainMs, interval: 200 }).toEqual([]);
    } finally {
      waits = false;
      await claims;
    }

    expect(charged.length).toBeGreaterThan(0);
    const statuses = await db.selectFrom("bookings").select(["id", "status"]).execute();
    const statusOf = new Map(statuses.map(({ id, status }) => [id, status]));
    expect(
      charged.filter((id) => statusOf.get(id) === "initiated"),
      "every paid booking was confirmed or ended",
    ).toEqual([]);
    expect(new Set(canceled.map(({ id }) => statusOf.get(id)))).toEqual(new Set(["canceled"]));
    expect(new Set(played.map(({ id }) => statusOf.get(id)))).toEqual(new Set(["completed"]));
    for (const { id, payments } of canceled) {
      const rows = await sql<{ amount: number }>`select r.amount from refunds r join payments p on p.id = r.payment_id
      where p.booking_id = ${id} and r.status = 'succeeded'`.execute(db);
      expect(rows.rows.map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual(
        payments.map(({ amount }) => amount).toSorted((a, b) => a - b),
      );
    }
    expect(await chargedTwice(db), "charged twice").toEqual([]);
    expect(await movedTwice(db), "moved twice").toEqual([]);
    for (const { what, ours, provider } of await books(db)) expect(ours, String(what)).toBe(provider);
    expect(await moneyOffences(servers)).toEqual([]);
    expect(await reconcile(app.services)).toMatchObject({ differences: [] });
    await expectPlantedFound();
  },
);
