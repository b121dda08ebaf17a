/** Two server processes on one PostgreSQL, for races and crashes. */

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { compileCache } from "#test/compile-cache.ts";
import { freshDatabase } from "#test/database.ts";
import { freePorts } from "#test/free-ports.ts";
import { temporaryFolder } from "../../scripts/temporary-folder.mjs";

const root = path.resolve(import.meta.dirname, "../..");

export type TwoServers = Awaited<ReturnType<typeof twoServers>>;
export type Answer<T = Record<string, unknown>> = { status: number; body: T; cookie: string };

/**
 * Starts both and waits until they serve, in demo mode with the sandbox, without rate limits and seed. `env` applies to
 * both, such as a shared PUBLIC_URL, without which a token of one is not valid for the other.
 */
export async function twoServers(env: Record<string, string> = {}) {
  const place = await freshDatabase("postgres");
  const shared = { SECRETS_KEY: randomBytes(32).toString("base64"), ...env };
  const ports = await freePorts(2);
  const servers = await Promise.all(ports.map((port) => oneServer(port, place.url ?? "", shared)));
  return {
    database: place.database,
    servers,
    /** Sends to one of the servers in turn. */
    send: <T = Record<string, unknown>>(turn: number, address: string, body?: object, cookie = "") =>
      send<T>(servers[turn % servers.length]?.url() ?? "", address, body, cookie),
    /** Kills both. test/process tests an orderly end. */
    close: async () => {
      await Promise.all(servers.map((server) => server.end()));
      await place.drop();
    },
  };
}

async function oneServer(port: number, databaseUrl: string, env: Record<string, string>) {
  const dataDir = mkdtempSync(path.join(temporaryFolder, "stagedoor-two-"));
  let child: ChildProcess;
  let output = "";
  const url = () => `http://127.0.0.1:${port}`;
  const start = async () => {
    child = spawn(process.execPath, ["src/app/main.ts"], {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        ...compileCache,
        PATH: process.env["PATH"] ?? "",
        DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        PORT: String(port),
        DEMO: "1",
        SEED: "none",
        RATE_LIMITS: "off",
        LOG_LEVEL: "error",
        ...env,
      },
    });
    child.stderr?.on("data", (part) => (output += String(part)));
    await untilServing(
      url(),
      () => child.exitCode !== null,
      () => output,
    );
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  };
  await start();
  return {
    url,
    start,
    kill,
    end: async () => {
      await kill();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilServing(url: string, ended: () => boolean, output: () => string): Promise<void> {
  // A busy machine starts slowly. Only a process that never serves is a failure.
  for (const began = Date.now(); Date.now() - began < 120_000;) {
    if (ended()) throw new Error(`the server ended before it served: ${output()}`);
    const ready = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the server does not serve: ${output()}`);
}

async function send<T>(origin: string, address: string, body: object | undefined, cookie: string): Promise<Answer<T>> {
  const response = await fetch(`${origin}${address}`, {
    method: body ? "POST" : "GET",
    redirect: "manual",
    headers: { ...(body ? { "content-type": "application/json" } : {}), ...(cookie ? { cookie } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  const set = response.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
  return { status: response.status, body: (text.startsWith("{") ? JSON.parse(text) : {}) as T, cookie: set.join("; ") };
}

/**
 * Ends the leases of 30 seconds that a killed process holds on webhooks of the sandbox and on provider events. This
 * includes leases of running processes, so two may work on one event, which must change nothing. Failed events keep their
 * retry interval.
 */
export async function endLeases({ database }: Pick<TwoServers, "database">): Promise<void> {
  await sql`update provider_events set next_try_at = now() where id in (select id from provider_events
    where processed_at is null and attempts = 0 and next_try_at > now() for update skip locked)`.execute(database.db);
  await sql`update sandbox_objects set due_at = now() where id in (select id from sandbox_objects
    where kind = 'event' and attempts = 0 and due_at > now() for update skip locked)`.execute(database.db);
}

export async function addArtist(servers: Pick<TwoServers, "database">, slug: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into artists (slug, name, genre, base_rate, time_zone, location)
    values (${slug}, ${slug}, 'jazz', 150000, 'America/Chicago', 'Austin, Texas') returning id`.execute(
    servers.database.db,
  );
  return rows[0]?.id ?? "";
}

export const bookingInput = (slug: string, number: number, eventDate: string, eventTime = "20:00") => ({
  artistId: slug,
  clientName: `Promoter ${number}`,
  clientEmail: `promoter-${number}@example.test`,
  clientPhone: "+1 512 555 0100",
  eventDate,
  eventTime,
  eventLocation: "The Lantern Room, Austin",
  eventType: "Concert",
  guestCount: 100,
  duration: "2 hours",
  specialRequests: "",
});

/** Returns a date `days` ahead, YYYY-MM-DD. */
export const daysAhead = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

/** Returns bookings whose deposit or balance the provider took more than once without a refund, by the provider's records. */
export async function chargedTwice(db: Reader): Promise<unknown[]> {
  const { rows } = await sql`
    select p.booking_id, p.kind, count(*)::int as charges
    from sandbox_objects intent
    join payments p on p.id::text = intent.body->'metadata'->>'intent_id'
    join sandbox_objects charge on charge.kind = 'charge' and charge.body->>'payment_intent' = intent.id
    where intent.kind = 'payment_intent' and (charge.body->>'paid')::boolean
      and (charge.body->>'amount_refunded')::bigint < (charge.body->>'amount')::bigint
    group by p.booking_id, p.kind having count(*) > 1`.execute(db);
  return rows;
}

/** Returns every violation of the rules of money and its documents. */
export async function moneyOffences(servers: Pick<TwoServers, "database">): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const file of ["src/ledger/invariants.sql", "src/invoicing/invariants.sql"])
    found.push(...(await sql.raw(readFileSync(path.join(root, file), "utf8")).execute(servers.database.db)).rows);
  return found;
}
