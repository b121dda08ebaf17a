/** PgBouncer in transaction mode between the web processes and PostgreSQL, with a direct connection in addition. */

import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "#platform/db/index.ts";
import { freshDatabase, type TestDatabase } from "#test/database.ts";
import { makeUser } from "#test/factories/users.ts";
import { type PgBouncer, pgbouncerIsHere, startPgBouncer } from "#test/harness/postgres/pgbouncer.ts";
import { openStream } from "#test/harness/streams.ts";
import { testPassword } from "#test/test-app.ts";
import { admin, endAll, freshFolder, refused, startServer } from "../process/server.ts";
import { addArtist, bookingInput, daysAhead } from "./two-servers.ts";

let place: TestDatabase;
let pooler: PgBouncer;
let env: Record<string, string>;
beforeAll(async () => {
  if (!pgbouncerIsHere) return;
  place = await freshDatabase("postgres");
  pooler = await startPgBouncer(place.url ?? "");
  env = {
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: place.url ?? "",
    // PgBouncer 1.18 of Debian 12 does not support prepared statements.
    DATABASE_PREPARE: "off",
    DEMO: "1",
    RATE_LIMITS: "off",
    SECRETS_KEY: randomBytes(32).toString("base64"),
    PUBLIC_URL: "http://stagedoor.localhost",
  };
});
afterAll(async () => {
  await endAll();
  await pooler?.close();
  await place?.drop();
});

describe.skipIf(!pgbouncerIsHere)("with PgBouncer", () => {
  test("refuses a pooler without a statement time limit, and returns how to set one", async () => {
    const { code, output } = await refused({ ...env, PROCESS: "web", DATA_DIR: freshFolder() });
    expect(code).toBe(1);
    expect(output).toContain("set statement_timeout = '5s'");
  });

  test("uses the server directly for everything that needs a session", async () => {
    await sql`alter database ${sql.id(new URL(pooler.url).pathname.slice(1))} set statement_timeout = '5s'`.execute(
      place.database.db,
    );
    // Connections from before the setting are closed, as by an operator.
    await pooler.stop();
    await pooler.start();
    const database = await openDatabase({ url: pooler.url, directUrl: place.url, prepare: false, poolSize: 6 });
    const heard: string[] = [];
    await expect(openDatabase({ url: pooler.url })).rejects.toThrow("is a connection pooler. Set DATABASE_DIRECT_URL");
    const leave = await database.listen("pooler", {
      onNotification: (payload) => void heard.push(payload),
      onResync: () => undefined,
      onError: () => undefined,
    });
    // A script disables the time limit of its session, and may fail in the middle.
    await expect(database.exec("set jit = on; select broken")).rejects.toThrow("broken");
    await database.exec("select 1");
    // More transactions than connections, each with a transaction lock.
    await Promise.all(
      Array.from({ length: 12 }, (_, number) =>
        database.transaction(async (tx) => {
          await sql`select pg_advisory_xact_lock(4711)`.execute(tx);
          const { rows } = await sql<{ limit: string; idle: string }>`
            select current_setting('statement_timeout') as limit, current_setting('idle_in_transaction_session_timeout') as idle`.execute(
            tx,
          );
          expect(rows).toEqual([{ limit: "5s", idle: "30s" }]);
          await sql`select pg_notify('pooler', ${String(number)})`.execute(tx);
        }),
      ),
    );
    await expect.poll(() => heard.length).toBe(12);
    await leave();
    await database.close();
  });

  test("serves and works, live, and survives a restart of the pooler", async () => {
    const [web, worker] = await Promise.all([
      startServer({ ...env, PROCESS: "web", DATA_DIR: freshFolder() }),
      startServer({ ...env, PROCESS: "worker", DATA_DIR: freshFolder() }),
    ]);
    const post = (address: string, body: object) =>
      fetch(`${web.address}${address}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const reader = await place.database.transaction((tx) => makeUser(tx, { role: "admin", password: testPassword }));
    const session = await post("/auth/v1/token?grant_type=password", { email: reader.email, password: testPassword });
    const { access_token: token } = (await session.json()) as { access_token: string };
    const stream = await openStream(web.address, { authorization: `Bearer ${token}` });

    await addArtist(place, "pooled-act");
    const requested = Array.from({ length: 20 }, (_, at) =>
      post("/api/bookings", bookingInput("pooled-act", at, daysAhead(30 + at))),
    );
    expect((await Promise.all(requested)).map(({ status }) => status)).toEqual(requested.map(() => 201));
    await stream.hears("bookings");
    await expect.poll(() => place.database.db.selectFrom("event_outbox").selectAll().execute()).toEqual([]);
    expect((await place.database.db.selectFrom("messages").select("id").execute()).length).toBeGreaterThan(0);

    await pooler.stop();
    const ready = async (address: string) => (await fetch(`${address}/readyz`)).status;
    expect([await ready(web.address), await ready(worker.address)]).toEqual([503, 200]);
    // Commands bypass the pooler, even with the settings of a web process.
    const { output } = await admin(["components"], { ...env, PROCESS: "web", DATA_DIR: freshFolder() });
    expect(output).toMatch(/^Database +external +works/m);
    expect(stream.isOver()).toBe(false);
    await pooler.start();
    await expect.poll(() => ready(web.address)).toBe(200);
    await expect
      .poll(async () => (await post("/api/bookings", bookingInput("pooled-act", 40, daysAhead(90)))).status)
      .toBe(201);
    await stream.hears("bookings", 2);
    stream.leave();
  });
});
