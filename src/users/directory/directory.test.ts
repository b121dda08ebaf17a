import type { KyselyPlugin } from "kysely";
import { describe, expect, it } from "vitest";
import type { Tx } from "#platform/db/index.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { setUpAccounts, testPassword } from "#test/harness/accounts.ts";
import { makeFirstAdminToken } from "../index.ts";
import { decideRequest } from "./admin-commands.ts";

const app = setUpAccounts();

const watching = (locks: string[]): KyselyPlugin => ({
  transformQuery: ({ node }) => {
    const text = JSON.stringify(node);
    if (text.includes("pg_advisory_xact_lock")) locks.push("admins");
    else if (text.includes("ForUpdate")) locks.push("person");
    return node;
  },
  transformResult: async ({ result }) => result,
});

async function signedInAdmin() {
  const user = await app.user({ role: "admin" });
  return { user, ...(await app.as(user)) };
}
const missing = "00000000-0000-4000-8000-000000000000";

describe("list of users", () => {
  it("finds by name or email case-insensitively, filters by role, counts and orders", async () => {
    const admin = await signedInAdmin();
    const mark = crypto.randomUUID().slice(0, 8);
    for (let i = 0; i < 5; i++) await app.user({ name: `Zoë ${mark} 100%_${i}`, role: i % 2 ? "artist" : "promoter" });
    const list = async (search: string, query = "") => {
      const { body } = await admin.call("GET", `/admin/users?search=${encodeURIComponent(search)}${query}`);
      return { total: body["total"], names: (body.items ?? []).map((item) => String(item["name"])) };
    };
    const newest = [4, 3, 2, 1, 0].map((i) => `Zoë ${mark} 100%_${i}`);
    expect(await list(`ZOË ${mark}`)).toEqual({ total: 5, names: newest });
    expect((await list(mark, "&sort=name")).names).toEqual(newest.toReversed());
    expect((await list(mark, "&sort=-joined")).names).toEqual(newest);
    expect((await list(mark, "&sort=-seen&page=2")).names).toEqual([]);
    expect((await list(mark, "&role=artist")).names).toHaveLength(2);
    expect((await list(`${mark} 1%`)).names).toEqual([]);
  });

  it("is refused for other roles and visitors", async () => {
    for (const role of ["artist", "promoter"] as const) {
      const { call } = await app.as(await app.user({ role }));
      expect((await call("GET", "/admin/users")).status).toBe(403);
      expect((await call("POST", `/admin/users/${missing}/role`, { role: "admin" })).status).toBe(403);
    }
    expect((await app.send("/api/admin/users")).status).toBe(401);
  });
});

describe("change of role", () => {
  it("applies to the next request of an open session, is emailed to both sides and logged", async () => {
    const admin = await signedInAdmin();
    const { user, token } = await app.signedIn();
    const changed = await admin.call("POST", `/admin/users/${user.id}/role`, { role: "artist" });
    expect(changed).toMatchObject({ status: 200, body: { userId: user.id, role: "artist" } });
    expect(await app.authenticate(token)).toMatchObject({ role: "artist" });
    expect((await app.lastMessage(user.email)).template).toBe("role_changed");
    expect((await app.lastMessage(admin.user.email)).text).toContain(user.email);
    const logged = await app.db.selectFrom("activity").select("message").where("ref_id", "=", user.id).execute();
    expect(logged).toEqual([{ message: expect.stringContaining("from promoter to artist") }]);
  });

  it("is refused if another admin has changed the role since the caller saw it", async () => {
    const { call } = await signedInAdmin();
    const { id } = await app.user();
    const change = (role: string) => call("POST", `/admin/users/${id}/role`, { role, from: "promoter" });
    expect((await change("artist")).status).toBe(200);
    const message = "The role of this user is now artist. Review the change again.";
    expect(await change("admin")).toMatchObject({ status: 409, body: { message } });
    expect((await change("artist")).status).toBe(200);
  });

  it("requires recent authentication for the role admin", async () => {
    const { call } = await signedInAdmin();
    const { id } = await app.user();
    const change = (body: object) => call("POST", `/admin/users/${id}/role`, body);
    app.clock.advance(11 * minuteMs);
    const refused = (code: string) => ({ status: 403, body: { code } });
    expect(await change({ role: "admin" })).toMatchObject(refused("reauthentication_needed"));
    const wrong = { role: "admin", password: "not this one" };
    expect(await change(wrong)).toMatchObject(refused("reauthentication_not_valid"));
    expect((await change({ role: "artist" })).status).toBe(200);
    expect((await change({ role: "admin", password: testPassword })).status).toBe(200);
  });

  it("refuses unknown names, roles and users, and the role admin for an unverified address", async () => {
    const { call } = await signedInAdmin();
    const { id } = await app.user({ confirmed: false });
    const change = (userId: string, body: object) => call("POST", `/admin/users/${userId}/role`, body);
    expect((await change(id, { role: "owner" })).status).toBe(400);
    expect((await change(id, { role: "artist", extra: 1 })).status).toBe(400);
    expect((await change("nonsense", { role: "artist" })).status).toBe(400);
    expect(await change(missing, { role: "artist" })).toMatchObject({ status: 404, body: { code: "PGRST116" } });
    const message = "This user has not confirmed their email address yet.";
    expect(await change(id, { role: "admin" })).toMatchObject({ status: 409, body: { message } });
    expect((await change(id, { role: "artist" })).status).toBe(200);
  });
});

describe("suspension", () => {
  it("ends every session immediately, refuses the password and the refresh token, and can be reverted", async () => {
    const admin = await signedInAdmin();
    const person = await app.user();
    const open = await app.as(person);
    const reason = "Fake bookings";
    expect(await admin.call("POST", `/admin/users/${person.id}/suspend`, { reason })).toMatchObject({
      status: 200,
      body: { suspended: true, suspendedReason: reason },
    });
    const again = await admin.call("POST", `/admin/users/${person.id}/suspend`, { reason: "Another one" });
    expect(again).toMatchObject({ status: 409, body: { message: "This user is already suspended." } });
    const suspended = await admin.call("GET", "/admin/users?show=suspended");
    expect(suspended.body).toMatchObject({ total: 1, items: [{ userId: person.id }] });
    expect(await open.call("GET", "/me")).toMatchObject({ status: 401, body: { code: "user_banned" } });
    expect((await app.lastMessage(person.email)).template).toBe("account_suspended");
    expect((await open.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
    expect((await app.client().signInError(person.email))?.code).toBe("user_banned");
    await admin.call("POST", `/admin/users/${person.id}/restore`, {});
    expect((await (await app.as(person)).call("GET", "/me")).status).toBe(200);
  });
});

describe("end of all sessions", () => {
  it("suspends no user, needs a reason, and is refused for a missing user and for oneself", async () => {
    const { user, call } = await signedInAdmin();
    const person = await app.signedIn();
    const end = (id: string, reason = "The telephone was lost") =>
      call("POST", `/admin/users/${id}/end-sessions`, { reason });
    expect((await end(person.user.id, "")).status).toBe(400);
    expect(await end(person.user.id)).toMatchObject({ status: 200, body: { suspended: false } });
    await expect(app.authenticate(person.token)).rejects.toMatchObject({ code: "session_not_found" });
    expect((await app.lastMessage(user.email)).text).toMatch(/out\s+everywhere:\s+The\s+telephone\s+was\s+lost/);
    expect(await app.client().signInError(person.user.email)).toBeNull();
    expect((await end(missing)).status).toBe(404);
    expect((await end(user.id)).status).toBe(409);
  });
});

describe("request to become an admin", () => {
  it("waits for an admin, and is granted only to a verified mailbox", async () => {
    const admin = await signedInAdmin();
    const email = `${crypto.randomUUID().slice(0, 8)}@people.test`;
    const { auth } = app.client();
    await auth.signUp({ email, password: testPassword, options: { data: { name: "Wishful", role: "admin" } } });
    const { items = [] } = (await admin.call("GET", "/admin/admin-requests")).body;
    const request = items.find((item) => item["email"] === email);
    expect(request).toMatchObject({ name: "Wishful", emailVerified: false });
    const grant = () => admin.call("POST", `/admin/admin-requests/${String(request?.["userId"])}`, { granted: true });
    expect((await grant()).status).toBe(409);
    await auth.verifyOtp({ token_hash: (await app.lastMessage(email)).token, type: "signup" });
    expect(await grant()).toMatchObject({ status: 200, body: { role: "admin" } });
    expect((await grant()).status).toBe(404);
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
    const made = await person.call("POST", "/me/first-admin", { token });
    expect(made).toMatchObject({ status: 200, body: { role: "admin" } });
    expect(await waits()).toBe(false);
    const { message } = await app.db
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
