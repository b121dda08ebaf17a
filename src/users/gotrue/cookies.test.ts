import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountsApp, testPassword, accountsApp, sessionOf } from "#test/harness/accounts.ts";

let app: AccountsApp;
let secure: AccountsApp;
beforeAll(async () => {
  [app, secure] = await Promise.all([accountsApp(), accountsApp({ PUBLIC_URL: "https://stagedoor.localhost" })]);
});
afterAll(() => Promise.all([app.close(), secure.close()]));

const headers = { "content-type": "application/json", "x-token-mode": "cookie" };
const body = (email: string) => JSON.stringify({ email, password: testPassword });
const signIn = "/auth/v1/token?grant_type=password";
const renew = "/auth/v1/token?grant_type=refresh_token";

describe("cookie mode", () => {
  it("hides the refresh token from scripts", async () => {
    const user = await app.user();
    const browser = app.client({ cookieMode: true });
    const session = sessionOf(await browser.auth.signInWithPassword({ email: user.email, password: testPassword }));
    const kept = browser.jar.get("stagedoor_refresh") ?? "";
    expect(kept).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify([session, ...browser.storage])).not.toContain(kept);
    expect(browser.jar.get("signed_in")).toBe("1");
  });

  it("renews by the cookie, and a page without stored session restores its session", async () => {
    const user = await app.user();
    const browser = app.client({ cookieMode: true });
    await browser.auth.signInWithPassword({ email: user.email, password: testPassword });
    const before = browser.jar.get("stagedoor_refresh");
    browser.storage.clear();
    const session = sessionOf(await browser.auth.refreshSession({ refresh_token: "cookie" }));
    expect(session.user.id).toBe(user.id);
    expect(browser.jar.get("stagedoor_refresh")).not.toBe(before);
  });

  it("removes the cookies at sign-out", async () => {
    const user = await app.user();
    const browser = app.client({ cookieMode: true });
    await browser.auth.signInWithPassword({ email: user.email, password: testPassword });
    await browser.auth.signOut({ scope: "local" });
    expect([...browser.jar.keys()]).toEqual([]);
  });

  it("changes no cookie when it refuses an expired one, because the browser may have a new one already", async () => {
    const user = await app.user();
    const browser = app.client({ cookieMode: true });
    await browser.auth.signInWithPassword({ email: user.email, password: testPassword });
    await app.services.database.db.deleteFrom("sessions").where("user_id", "=", user.id).execute();
    const dead = `stagedoor_refresh=${browser.jar.get("stagedoor_refresh")}`;
    const response = await app.send(renew, { method: "POST", headers: { ...headers, cookie: dead }, body: "{}" });
    expect(response.status).toBe(400);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it("does not sign out a session that another tab opened in the same browser", async () => {
    const [user, next] = [await app.user(), await app.user()];
    const tab = app.client({ cookieMode: true });
    const old = sessionOf(await tab.auth.signInWithPassword({ email: user.email, password: testPassword }));
    const other = app.client({ cookieMode: true });
    const fresh = sessionOf(await other.auth.signInWithPassword({ email: next.email, password: testPassword }));
    for (const [name, value] of other.jar) tab.jar.set(name, value);
    await app.client().auth.admin.signOut(old.access_token, "local");
    await tab.auth.signOut({ scope: "local" });
    expect(tab.jar.get("stagedoor_refresh")).toBe(other.jar.get("stagedoor_refresh"));
    expect((await other.auth.getUser(fresh.access_token)).error).toBeNull();
    expect(sessionOf(await other.auth.refreshSession()).user.id).toBe(next.id);
  });

  it("ends its own session by the cookie if the access token has expired", async () => {
    const user = await app.user();
    const response = await app.send(signIn, { method: "POST", headers, body: body(user.email) });
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    expect(
      (await app.send("/auth/v1/logout?scope=local", { method: "POST", headers: { ...headers, cookie } })).status,
    ).toBe(204);
    expect((await app.send(renew, { method: "POST", headers: { ...headers, cookie }, body: "{}" })).status).toBe(400);
  });

  it("sets __Host- cookies under https: HttpOnly, Secure, SameSite=Lax, for the whole site", async () => {
    const user = await secure.user();
    const response = await secure.send(signIn, {
      method: "POST",
      headers: { ...headers, host: "stagedoor.example" },
      body: body(user.email),
    });
    const line = response.headers.getSetCookie().find((one) => one.startsWith("__Host-refresh=")) ?? "";
    expect(line.split("; ").slice(1).toSorted()).toEqual([
      "HttpOnly",
      "Max-Age=2592000",
      "Path=/",
      "SameSite=Lax",
      "Secure",
    ]);
    const mark = response.headers.getSetCookie().find((one) => one.startsWith("signed_in=")) ?? "";
    expect(mark).not.toContain("HttpOnly");
  });

  it("sets cookies without the prefix on plain http, for /auth/v1 only", async () => {
    const user = await app.user();
    const response = await app.send(signIn, { method: "POST", headers, body: body(user.email) });
    const lines = response.headers.getSetCookie();
    expect(lines.some((line) => line.startsWith("__Host-"))).toBe(false);
    const line = lines.find((one) => one.startsWith("stagedoor_refresh=")) ?? "";
    expect(line.split("; ").slice(1).toSorted()).toEqual([
      "HttpOnly",
      "Max-Age=2592000",
      "Path=/auth/v1",
      "SameSite=Lax",
    ]);
  });

  it("ignores a cookie without the prefix under https, which a sub-domain may have set", async () => {
    const user = await secure.user();
    const here = { ...headers, host: "stagedoor.example" };
    const signedIn = await secure.send(signIn, { method: "POST", headers: here, body: body(user.email) });
    const [, token = ""] = /__Host-refresh=([\w-]+)/.exec(signedIn.headers.getSetCookie().join("\n")) ?? [];
    expect(token).toMatch(/^[\w-]{43}$/);
    const renewed = async (cookie: string) =>
      (await secure.send(renew, { method: "POST", headers: { ...here, cookie }, body: "{}" })).status;
    expect(await renewed(`stagedoor_refresh=${token}`)).toBe(400);
    expect(await renewed(`__Host-refresh=${token}`)).toBe(200);
  });

  it.each([
    [{ origin: "https://evil.example" }],
    [{ origin: "null" }],
    [{ origin: "http://localhost:3001" }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
  ])("refuses a call of another site: %j", async (from) => {
    const user = await app.user();
    const response = await app.send(signIn, {
      method: "POST",
      headers: { ...headers, ...(from as Record<string, string>) },
      body: body(user.email),
    });
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it("ignores the cookie of a call without cookie mode", async () => {
    const user = await app.user();
    const signedIn = await app.send(signIn, { method: "POST", headers, body: body(user.email) });
    const cookie = signedIn.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const response = await app.send(renew, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: "{}",
    });
    expect(((await response.json()) as { code: string }).code).toBe("refresh_token_not_found");
  });
});
