import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountsApp, accountsApp, setUpAccounts, testPassword } from "#test/harness/accounts.ts";

const app = setUpAccounts();
let secure: AccountsApp;
beforeAll(async () => {
  secure = await accountsApp({ PUBLIC_URL: "https://stagedoor.localhost" }, app);
});
afterAll(() => secure.close());

const headers = { "x-token-mode": "cookie" };
type Headers = Record<string, string>;
const signedIn = () => app.signedIn({}, { cookieMode: true });
/** Signs a new user in by a plain call. Returns the lines of its cookies, and the cookies as a browser sends them. */
async function signIn(at = app, more: Headers = {}) {
  const { email } = await app.user();
  const body = { email, password: testPassword };
  const response = await at.send("/auth/v1/token?grant_type=password", { headers: { ...headers, ...more }, body });
  const lines = response.headers.getSetCookie();
  return { status: response.status, lines, cookie: lines.map((line) => line.split(";")[0]).join("; ") };
}
const renew = (cookie: string, at = app, more: Headers = headers) =>
  at.send("/auth/v1/token?grant_type=refresh_token", { headers: { ...more, cookie }, body: {} });

describe("cookie mode", () => {
  it("hides the refresh token from scripts, renews by the cookie, and removes it at sign-out", async () => {
    const { auth, jar, storage, session, user } = await signedIn();
    const kept = jar.get("stagedoor_refresh") ?? "";
    expect(kept).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify([session, ...storage])).not.toContain(kept);
    expect(jar.get("signed_in")).toBe("1");
    // A page without stored session.
    storage.clear();
    const { data } = await auth.refreshSession({ refresh_token: "cookie" });
    expect(data.user?.id).toBe(user.id);
    expect(jar.get("stagedoor_refresh")).not.toBe(kept);
    await auth.signOut({ scope: "local" });
    expect([...jar.keys()]).toEqual([]);
  });

  it("changes no cookie when it refuses an expired one, because the browser may have a new one already", async () => {
    const { jar, user } = await signedIn();
    await app.db.deleteFrom("sessions").where("user_id", "=", user.id).execute();
    const response = await renew(`stagedoor_refresh=${jar.get("stagedoor_refresh")}`);
    expect(response.status).toBe(400);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it("does not sign out a session that another tab opened in the same browser", async () => {
    const [tab, other] = [await signedIn(), await signedIn()];
    for (const [name, value] of other.jar) tab.jar.set(name, value);
    await app.client().auth.admin.signOut(tab.token, "local");
    await tab.auth.signOut({ scope: "local" });
    expect(tab.jar.get("stagedoor_refresh")).toBe(other.jar.get("stagedoor_refresh"));
    expect((await other.auth.getUser(other.token)).error).toBeNull();
    expect((await other.auth.refreshSession()).data.user?.id).toBe(other.user.id);
  });

  it("ends the session that the same browser had before, of any account", async () => {
    const browser = await signedIn();
    const elsewhere = app.client({ cookieMode: true });
    const tokens = [await elsewhere.signIn(browser.user), await browser.signIn(await app.user())];
    await expect(app.authenticate(browser.token)).rejects.toMatchObject({ code: "session_not_found" });
    for (const { access_token: token } of tokens) expect(await app.authenticate(token)).not.toBeNull();
  });

  it("ends its own session by the cookie if the access token has expired", async () => {
    const { cookie } = await signIn();
    const path = "/auth/v1/logout?scope=local";
    expect((await app.send(path, { method: "POST", headers: { ...headers, cookie } })).status).toBe(204);
    expect((await renew(cookie)).status).toBe(400);
  });

  it("sets __Host- cookies under https: HttpOnly, Secure, SameSite=Lax, for the whole site", async () => {
    const { lines } = await signIn(secure, { host: "stagedoor.example" });
    const line = lines.find((one) => one.startsWith("__Host-refresh=")) ?? "";
    expect(line.split("; ").slice(1).toSorted()).toEqual([
      "HttpOnly",
      "Max-Age=2592000",
      "Path=/",
      "SameSite=Lax",
      "Secure",
    ]);
    expect(lines.find((one) => one.startsWith("signed_in="))).not.toContain("HttpOnly");
  });

  it("sets cookies without the prefix on plain http, for /auth/v1 only", async () => {
    const { lines } = await signIn();
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
    const here = { ...headers, host: "stagedoor.example" };
    const { cookie } = await signIn(secure, here);
    expect(cookie).toMatch(/__Host-refresh=[\w-]{43}/);
    const other = cookie.replace("__Host-refresh", "stagedoor_refresh");
    expect((await renew(other, secure, here)).status).toBe(400);
    expect((await renew(cookie, secure, here)).status).toBe(200);
  });

  it.each<[Headers]>([
    [{ origin: "https://evil.example" }],
    [{ origin: "null" }],
    [{ origin: "http://localhost:3001" }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
  ])("refuses a call of another site: %j", async (from) => {
    expect(await signIn(app, from)).toMatchObject({ status: 403, lines: [] });
  });

  it("ignores the cookie of a call without cookie mode", async () => {
    const response = await renew((await signIn()).cookie, app, {});
    expect(await response.json()).toMatchObject({ code: "refresh_token_not_found" });
  });
});
