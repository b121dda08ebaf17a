/** Live updates between processes: a change through one server reaches users of the other, and a broken listener reconnects. */

import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { type MadeUser, makeUser } from "#test/factories/users.ts";
import { type OpenStream, openStream, soonMs } from "#test/harness/streams.ts";
import { testPassword } from "#test/test-app.ts";
import { daysAhead, addArtist, bookingInput } from "../two-servers.ts";
import { servers } from "./servers.ts";

const opened: OpenStream[] = [];

const origin = (turn: number) => servers.servers[turn]?.url() ?? "";
const person = (role: MadeUser["role"]) =>
  servers.database.transaction((tx) => makeUser(tx, { role, password: testPassword }));

async function signIn(user: MadeUser): Promise<{ authorization: string }> {
  const { body } = await servers.send<{ access_token: string }>(0, "/auth/v1/token?grant_type=password", {
    email: user.email,
    password: testPassword,
  });
  return { authorization: `Bearer ${body.access_token}` };
}

async function watching(turn: number, headers: Record<string, string>) {
  const stream = await openStream(origin(turn), headers);
  opened.push(stream);
  return stream;
}

const suspend = (turn: number, admin: Record<string, string>, user: MadeUser) =>
  fetch(`${origin(turn)}/api/admin/users/${user.id}/suspend`, {
    method: "POST",
    headers: { ...admin, "content-type": "application/json" },
    body: JSON.stringify({ reason: "A test of suspension." }),
  });

/** Ends the servers' notification connections, like a restart of the database. */
async function cutListeners(): Promise<number> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'stagedoor signals' and datname = current_database()`.execute(servers.database.db);
  return rows.length;
}

export function live(): void {
  afterEach(() => {
    for (const stream of opened.splice(0)) stream.leave();
  });

  test("notifies users of the other server of a request within five seconds", async () => {
    await addArtist(servers, "live-act");
    const stream = await watching(1, await signIn(await person("admin")));
    const took: number[] = [];
    for (const time of [1, 2, 3]) {
      const since = performance.now();
      const requested = await servers.send(0, "/api/bookings", bookingInput("live-act", time, daysAhead(60 + time)));
      expect(requested.status).toBe(201);
      await stream.hears("bookings", time);
      took.push(performance.now() - since);
    }
    expect(Math.min(...took)).toBeLessThan(soonMs);
  });

  test("ends a suspended user's stream on the other server", async () => {
    const user = await person("promoter");
    const [headers, admin] = [await signIn(user), await signIn(await person("admin"))];
    const [stream, admins] = [await watching(1, headers), await watching(1, admin)];
    expect((await suspend(0, admin, user)).status).toBe(200);
    await stream.ends();
    await admins.hears("users");
    expect(admins.isOver()).toBe(false);
    expect((await fetch(`${origin(1)}/api/me`, { headers })).status).toBe(401);
  });

  test("reconnects a broken listener, and notifies that everything may have changed", async () => {
    const stream = await watching(1, await signIn(await person("admin")));
    expect(await cutListeners()).toBeGreaterThan(0);
    await stream.hears("everything");
    const requested = await servers.send(0, "/api/bookings", bookingInput("live-act", 9, daysAhead(69)));
    expect(requested.status).toBe(201);
    await stream.hears("bookings");
  });

  test("applies changes during a lost connection afterwards", async () => {
    const user = await person("promoter");
    const [headers, admin] = [await signIn(user), await signIn(await person("admin"))];
    const stream = await watching(1, headers);
    await servers.database.transaction(async (tx) => {
      await tx.deleteFrom("sessions").where("user_id", "=", user.id).execute();
    });
    expect(stream.isOver()).toBe(false);
    await cutListeners();
    await stream.ends();
    expect((await suspend(0, admin, user)).status).toBe(200);
  });
}
