import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#platform/db/index.ts";
import { type AccountsApp, testPassword, accountsApp } from "#test/harness/accounts.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { deleteAccount } from "../account/delete-account.ts";
import { authenticate, makeFirstAdminToken } from "../index.ts";
import { decideRequest } from "./admin-commands.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
afterAll(() => app.close());

const watching = (locks: string[]): KyselyPlugin => ({
  transformQuery: ({ node }) => {
    const text = JSON.stringify(node);
    if (text.includes("pg_advisory_xact_lock")) locks.push("admins");
    else if (text.includes("ForUpdate")) locks.push("person");
    return node;
  },
  transformResult: async ({ result }) => result,
});

const makeAdmin = () => app.user({ role: "admin" });

describe("list of users", () => {
  it("finds by name or email case-insensitively, filters by role, counts and orders", async () => {
    const admin = await app.as(await makeAdmin());
    const mark = crypto.randomUUID().slice(0, 8);
    for (let i = 0; i < 5; i++) await app.user({ name: `Zoë ${mark} 100%_${i}`, role: i % 2 ? "artist" : "promoter" });
    const list = async (query: string) => {
      const { body } = await admin.call("GET", `/admin/users?search=${encodeURIComponent(`ZOË ${mark}`)}${query}`);
      return { total: body["total"], names: (body.items ?? []).map((item) => String(item["name"])) };
    };
    const newest = [4, 3, 2, 1, 0].map((i) => `Zoë ${mark} 100%_${i}`);
    expect(await list("")).toEqual({ total: 5, names: newest });
    expect((await list("&sort=name")).names).toEqual(newest.toReversed());
    expect((await list("&sort=-joined")).names).toEqual(newest);
    expect((await list("&sort=-seen&page=2")).names).toEqual([]);
    const artists = await admin.call("GET", `/admin/users?search=${mark}&role=artist`);
    expect(artists.body.items).toHaveLength(2);
    expect((await admin.call("GET", `/admin/users?search=${encodeURIComponent(`${mark} 1%`)}`)).body.items).toEqual([]);
  });

  it.each(["artist", "promoter"] as const)("is refused for a %s", async (role) => {
    const person = await app.as(await app.user({ role }));
    expect((await person.call("GET", "/admin/users")).status).toBe(403);
    expect((await person.call("POST", `/admin/users/${crypto.randomUUID()}/role`, { role: "admin" })).status).toBe(403);
  });

  it("is refused for a visitor", async () => {
    expect((await app.send("/api/admin/users")).status).toBe(401);
  });
});

describe("change of role", () => {
  it("applies to the next request of an open session, is emailed to both sides and logged", async () => {
    const adminPerson = await makeAdmin();
    const admin = await app.as(adminPerson);
    const person = await app.user({ role: "promoter" });
    const open = await app.as(person);
    const changed = await admin.call("POST", `/admin/users/${person.id}/role`, { role: "artist" });
    expect(changed).toMatchObject({ status: 200, body: { userId: person.id, role: "artist" } });
    expect(await authenticate(app.services, open.token)).toMatchObject({ role: "artist" });
    expect((await app.lastMessage(person.email)).template).toBe("role_changed");
    expect((await app.lastMessage(adminPerson.email)).text).toContain(person.email);
    const entry = await app.services.database.db
      .selectFrom("activity")
      .select("message")
      .where("ref_id", "=", person.id)
      .executeTakeFirst();
    expect(entry?.message).toContain("from promoter to artist");
  });

  it("requires recent authentication for the role admin", async () => {
    const admin = await app.as(await makeAdmin());
    const person = await app.user();
    app.clock.advance(11 * minuteMs);
    const url = `/admin/users/${person.id}/role`;
    expect(await admin.call("POST", url, { role: "admin" })).toMatchObject({
      status: 403,
      body: { code: "reauthentication_needed" },
    });
    expect(await admin.call("POST", url, { role: "admin", password: "not this one" })).toMatchObject({
      status: 403,
      body: { code: "reauthentication_not_valid" },
    });
    expect((await admin.call("POST", url, { role: "artist" })).status).toBe(200);
    expect((await admin.call("POST", url, { role: "admin", password: testPassword })).status).toBe(200);
  });

  it("refuses unknown names, roles and users", async () => {
    const admin = await app.as(await makeAdmin());
    const person = await app.user();
    expect((await admin.call("POST", `/admin/users/${person.id}/role`, { role: "owner" })).status).toBe(400);
    expect((await admin.call("POST", `/admin/users/${person.id}/role`, { role: "artist", extra: 1 })).status).toBe(400);
    expect((await admin.call("POST", "/admin/users/nonsense/role", { role: "artist" })).status).toBe(400);
    expect(await admin.call("POST", `/admin/users/${crypto.randomUUID()}/role`, { role: "artist" })).toMatchObject({
      status: 404,
      body: { code: "PGRST116" },
    });
  });

  it("refuses the role admin for an unverified address", async () => {
    const admin = await app.as(await makeAdmin());
    const person = await app.user({ confirmed: false });
    expect(await admin.call("POST", `/admin/users/${person.id}/role`, { role: "admin" })).toMatchObject({
      status: 409,
      body: { message: "This user has not confirmed their email address yet." },
    });
    expect((await admin.call("POST", `/admin/users/${person.id}/role`, { role: "artist" })).status).toBe(200);
  });

  it("refuses to remove the last admin who can sign in, not counting suspended, unverified and deleted admins", async () => {
    const own = await accountsApp();
    try {
      const last = await own.user({ role: "admin" });
      const others = [
        await own.user({ role: "admin" }),
        await own.user({ role: "admin", confirmed: false }),
        await own.user({ role: "admin" }),
      ];
      const { call } = await own.as(last);
      expect((await call("POST", `/admin/users/${others[0]?.id}/suspend`, { reason: "gone" })).status).toBe(200);
      expect((await (await own.as(others[2] ?? last)).call("POST", "/me/delete", {})).status).toBe(200);
      const demote = () => call("POST", `/admin/users/${last.id}/role`, { role: "promoter" });
      expect((await demote()).status).toBe(409);
      expect((await call("POST", "/me/delete", {})).status).toBe(409);
      expect((await call("GET", "/me/deletion-obstacle")).body).toEqual({ obstacle: "last_admin" });
      await own.user({ role: "admin" });
      expect((await call("GET", "/me/deletion-obstacle")).body).toEqual({ obstacle: null });
      expect((await demote()).status).toBe(200);
    } finally {
      await own.close();
    }
  });

  it("blocks the deletion of an account that became the last admin between the request and the lock", async () => {
    const own = await accountsApp();
    try {
      const person = await own.user({ role: "promoter" });
      const read = await authenticate(own.services, (await own.as(person)).token);
      if (!read) throw new Error("nobody is signed in");
      await own.services.database.db
        .updateTable("profiles")
        .set({ role: "admin" })
        .where("user_id", "=", person.id)
        .execute();
      await expect(
        own.services.database.transaction((tx) => deleteAccount(tx, own.services, { ...read, role: "promoter" })),
      ).rejects.toMatchObject({ status: 409 });
    } finally {
      await own.close();
    }
  });

  it("never removes the last admin in fifty concurrent attempts", async () => {
    const own = await accountsApp();
    try {
      const admins = [
        await own.user({ role: "admin" }),
        await own.user({ role: "admin" }),
        await own.user({ role: "admin" }),
      ];
      const callers = await Promise.all(admins.map((admin) => own.as(admin)));
      const tries = Array.from({ length: 50 }, (_, at) => {
        const target = admins[at % 3]?.id ?? "";
        const caller = callers[(at + 1) % 3];
        return at % 2
          ? caller?.call("POST", `/admin/users/${target}/role`, { role: "promoter" })
          : caller?.call("POST", `/admin/users/${target}/suspend`, { reason: "a race" });
      });
      const answers = await Promise.all(tries.map((one) => Promise.resolve(one)));
      expect(answers.every((response) => response && response.status < 500)).toBe(true);
      const left = await own.services.database.db
        .selectFrom("profiles")
        .innerJoin("users", "users.id", "profiles.user_id")
        .select("user_id")
        .where("role", "=", "admin")
        .where("banned_until", "is", null)
        .execute();
      expect(left.length).toBeGreaterThanOrEqual(1);
    } finally {
      await own.close();
    }
  });
});

describe("suspension", () => {
  it("ends every session immediately, refuses the password and the refresh token, and can be reverted", async () => {
    const admin = await app.as(await makeAdmin());
    const person = await app.user();
    const open = await app.as(person);
    expect(await admin.call("POST", `/admin/users/${person.id}/suspend`, { reason: "Fake bookings" })).toMatchObject({
      status: 200,
      body: { suspended: true, suspendedReason: "Fake bookings" },
    });
    expect(await open.call("GET", "/me")).toMatchObject({ status: 401, body: { code: "user_banned" } });
    expect((await app.lastMessage(person.email)).template).toBe("account_suspended");
    expect((await open.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
    expect(
      (await app.client().auth.signInWithPassword({ email: person.email, password: testPassword })).error?.code,
    ).toBe("user_banned");
    await admin.call("POST", `/admin/users/${person.id}/restore`, {});
    expect((await (await app.as(person)).call("GET", "/me")).status).toBe(200);
  });

  it("is refused for oneself", async () => {
    const person = await makeAdmin();
    expect(
      (await (await app.as(person)).call("POST", `/admin/users/${person.id}/suspend`, { reason: "tired" })).status,
    ).toBe(409);
  });
});

describe("request to become an admin", () => {
  it("waits for an admin, and is granted only to a verified mailbox", async () => {
    const admin = await app.as(await makeAdmin());
    const email = `${crypto.randomUUID().slice(0, 8)}@people.test`;
    const browser = app.client();
    await browser.auth.signUp({ email, password: testPassword, options: { data: { name: "Wishful", role: "admin" } } });
    const request = (await admin.call("GET", "/admin/admin-requests")).body.items?.find(
      (item) => item["email"] === email,
    );
    expect(request).toMatchObject({ name: "Wishful", emailVerified: false });
    const url = `/admin/admin-requests/${String(request?.["userId"])}`;
    expect((await admin.call("POST", url, { granted: true })).status).toBe(409);
    await browser.auth.verifyOtp({ token_hash: (await app.lastMessage(email)).token, type: "signup" });
    expect(await admin.call("POST", url, { granted: true })).toMatchObject({ status: 200, body: { role: "admin" } });
    expect((await admin.call("POST", url, { granted: true })).status).toBe(404);
  });

  it("is decided with the same order of locks as other commands, which prevents a deadlock of two admins", async () => {
    const { services } = app;
    const person = await app.user();
    const locks: string[] = [];
    const work = services.database.transaction((tx) => {
      const watched = tx.withPlugin(watching(locks)) as Tx;
      const actor = { userId: null, name: "The operator CLI", email: null };
      return decideRequest(watched, { services, actor, userId: person.id, granted: false });
    });
    await expect(work).rejects.toMatchObject({ status: 404 });
    expect(locks.slice(0, 2)).toEqual(["admins", "person"]);
  });
});

describe("operator's token", () => {
  it("makes one user the first admin, once, within an hour", async () => {
    const person = await app.as(await app.user());
    const { services } = app;
    const make = () => services.database.transaction((tx) => makeFirstAdminToken(tx, services));
    const waits = async () => (await person.call("GET", "/me")).body["firstAdminTokenWaits"];
    expect(await waits()).toBe(false);
    const old = await make();
    const token = await make();
    expect(await waits()).toBe(true);
    expect((await person.call("POST", "/me/first-admin", { token: old })).status).toBe(403);
    expect(await person.call("POST", "/me/first-admin", { token })).toMatchObject({
      status: 200,
      body: { role: "admin" },
    });
    expect(await waits()).toBe(false);
    const { message } = await app.database.db
      .selectFrom("activity")
      .select("message")
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow();
    expect(message).toMatch(/^The operator CLI changed the role of .* to admin$/);
    const other = await app.as(await app.user());
    expect(await other.call("POST", "/me/first-admin", { token })).toMatchObject({
      status: 403,
      body: { message: "This token is wrong, used or older than an hour. Create a new one on the command line." },
    });
    const late = await make();
    app.clock.advance(3_601_000);
    const fresh = await app.as(await app.user());
    expect((await fresh.call("POST", "/me/first-admin", { token: late })).status).toBe(403);
  });
});
