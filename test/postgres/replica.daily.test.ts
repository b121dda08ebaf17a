/** Public reads from a streaming replica: up to date for a user who has written, without failures, and never cached when too old. */

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, migrate, openDatabase } from "#platform/db/index.ts";
import { makeUser } from "#test/factories/users.ts";
import { replicationIsHere, startReplicated } from "#test/harness/postgres/replicated.ts";
import { silencable } from "#test/harness/postgres/silencable.ts";
import { createDatabase, databaseUrl } from "#test/served-databases.ts";
import { testPassword } from "#test/test-app.ts";
import { admin, endAll, freshFolder, type Server, startServer } from "../process/server.ts";
import { addArtist, bookingInput, daysAhead } from "./two-servers.ts";

describe.skipIf(!replicationIsHere)("with a streaming replica", () => {
  let servers: Awaited<ReturnType<typeof startReplicated>>;
  let between: Awaited<ReturnType<typeof silencable>>;
  let database: Database;
  let server: Server;
  let token: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    servers = await startReplicated();
    const url = await createDatabase(servers.primary.url, "market");
    database = await openDatabase({ url, poolSize: 4, statementMs: 60_000 });
    await migrate(database);
    await addArtist({ database }, "mirrored");
    const person = await database.transaction((tx) => makeUser(tx, { role: "admin", password: testPassword }));
    // The process starts without the replica, and uses it later.
    await servers.replica.stop();
    between = await silencable(new URL(databaseUrl(servers.replica.url, "market")));
    env = {
      DATABASE_URL: url,
      DATABASE_REPLICA_URL: between.url,
      DATA_DIR: freshFolder(),
      DEMO: "1",
      RATE_LIMITS: "off",
      LOG_LEVEL: "fatal",
      SECRETS_KEY: randomBytes(32).toString("base64"),
    };
    server = await startServer(env);
    const session = await post("/auth/v1/token?grant_type=password", { email: person.email, password: testPassword });
    token = ((await session.json()) as { access_token: string }).access_token;
    await servers.replica.start();
  });
  afterAll(async () => {
    await endAll();
    between?.close();
    await database?.close();
    await servers?.close();
  });

  const post = (address: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${server.address}${address}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const get = (address: string, headers: Record<string, string> = {}) =>
    fetch(`${server.address}${address}`, { headers });
  const nameIn = async (headers: Record<string, string> = {}) =>
    ((await (await get("/api/artists/mirrored", headers)).json()) as { name: string }).name;
  /** Returns the name in the page's title. */
  const nameOnPage = async (headers: Record<string, string> = {}) =>
    /<title>(\w+)/.exec(await (await get("/artist/mirrored", headers)).text())?.[1];
  let renamed = 0;
  const rename = async () => {
    const name = `Name${++renamed}`;
    await database.db.updateTable("artists").set({ name }).where("slug", "=", "mirrored").execute();
    return name;
  };
  const pauseReplay = () => servers.replica.query("select pg_wal_replay_pause()");
  const resumeReplay = () => servers.replica.query("select pg_wal_replay_resume()");
  const cookieOf = (response: Response) =>
    response.headers.getSetCookie().find((cookie) => cookie.startsWith("recent_write=")) ?? "";
  const testReplica = async () =>
    (await (await post("/api/admin/components/replica/test", {}, { authorization: `Bearer ${token}` })).json()) as {
      ok: boolean;
      message: string;
      component: { status: string; message: string };
    };

  /** Pauses the replay and changes a name. Readers of the replica get the old one. Repeated if it takes longer than the permitted delay of the replica. */
  const whoSeesTheOldName = async () => {
    const before = await rename();
    await expect.poll(() => nameIn()).toBe(before);
    await pauseReplay();
    try {
      const after = await rename();
      const words = new Map([
        [before, "old"],
        [after, "new"],
      ]);
      const seen = async (reading: Promise<string | undefined>) => words.get((await reading) ?? "");
      const visitor = await seen(nameIn());
      const page = await seen(nameOnPage());
      const signedIn = await seen(nameIn({ authorization: `Bearer ${token}` }));
      // This process makes a change, so its cached pages must include it from now on.
      const night = daysAhead(30 + renamed);
      const requested = await post("/api/bookings", bookingInput("mirrored", renamed, night));
      const pageAfterChange = await seen(nameOnPage());
      const [cookie = "", ...attributes] = cookieOf(requested).split("; ");
      const writer = [await seen(nameIn({ cookie })), await seen(nameOnPage({ cookie }))];
      return {
        requested: requested.status,
        attributes,
        visitor,
        page,
        signedIn,
        pageAfterChange,
        writer,
        later: await seen(nameIn()),
      };
    } finally {
      await resumeReplay();
    }
  };
  const expected = {
    requested: 201,
    attributes: ["Max-Age=6", "Path=/", "HttpOnly", "SameSite=Lax"],
    visitor: "old",
    page: "old",
    signedIn: "new",
    pageAfterChange: "new",
    writer: ["new", "new"],
    later: "old",
  };

  test("reads from it for visitors, but not for writers and signed-in users, and caches no page that lacks a change", async () => {
    await expect.poll(whoSeesTheOldName).toEqual(expected);
  });

  test("does not read from one that is too far behind, reports it, and reads again when it has caught up", async () => {
    await expect.poll(testReplica).toMatchObject({ ok: true, component: { status: "works" } });
    await pauseReplay();
    const name = await rename();
    await expect.poll(() => nameIn()).toBe(name);
    await expect.poll(() => nameOnPage()).toBe(name);
    expect(await testReplica()).toMatchObject({
      ok: false,
      message: expect.stringMatching(
        /^The replica is \d+\.\d s behind, more than the 5\.0 s that are allowed\. Visitors are not affected/,
      ),
      component: { status: "failing" },
    });
    await resumeReplay();
    await expect.poll(testReplica).toMatchObject({ ok: true, component: { status: "works" } });
    expect((await testReplica()).component.message).toContain("Its changes were compared");
  });

  test("fails no request while it is stopped, silent, or returns", async () => {
    let stopped = false;
    const statuses = new Map<number, number>();
    const addresses = ["/api/artists/mirrored", "/api/artists?search=", "/artist/mirrored?x=", "/?search=x"];
    const visitors = Array.from({ length: 4 }, async (_, number) => {
      for (let turn = 0; !stopped; turn++) {
        const { status } = await get(`${addresses[number]}${number % 4 === 0 ? "" : turn}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    const answered = () => statuses.get(200) ?? 0;
    const some = async () => {
      const before = answered();
      await expect.poll(answered).toBeGreaterThan(before + 20);
    };
    await some();
    await servers.replica.stop();
    await expect.poll(testReplica).toMatchObject({ ok: false, message: expect.stringContaining("does not answer") });
    await some();
    const { code, output } = await admin(["components"], { ...env, DATA_DIR: freshFolder() });
    expect(output).toMatch(/^Database replica +external +FAILING .*read from the primary database/m);
    expect(code).toBe(1);
    await servers.replica.start();
    await expect.poll(testReplica).toMatchObject({ ok: true });
    await some();
    between.silence(true);
    await expect.poll(testReplica).toMatchObject({ ok: false });
    await some();
    between.silence(false);
    between.goAway(true);
    between.goAway(false);
    await expect.poll(testReplica).toMatchObject({ ok: true });
    stopped = true;
    await Promise.all(visitors);
    expect([...statuses.keys()]).toEqual([200]);
    await expect.poll(whoSeesTheOldName).toEqual(expected);
  });
});
