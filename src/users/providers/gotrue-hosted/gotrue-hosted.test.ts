import { decodeJwt } from "jose";
import { describe, expect, it, vi } from "vitest";
import { ConfigError, readConfig } from "#platform/config.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { type Double, gotrueDouble } from "#test/gotrue/double.ts";
import { hostedTests } from "#test/gotrue/hosted.ts";
import { walk } from "#test/gotrue/walk.ts";
import { type AccountsApp, testPassword, makeClient, accountsApp, sessionOf } from "#test/harness/accounts.ts";

let service: Double;
let app: AccountsApp;
/** Another process of the same installation. */
let beside: AccountsApp;
const { signIn, signInAdmin, again, call, isAlive, db } = hostedTests((apps) => ({ service, app, beside } = apps));
const now = () => app.clock.now();

describe("double of the service", () => {
  it.each(["RS256", "ES256"] as const)(
    "serves the unmodified client as the service would, with %s",
    async (algorithm) => {
      const own = await gotrueDouble({ algorithm });
      const request: Parameters<typeof makeClient>[0] = (path, init) => own.fetch(path, init);
      const alive = async (token: string) =>
        (await own.fetch("/auth/v1/user", { headers: { authorization: `Bearer ${token}` } })).status === 200;
      await walk({ fetch: request, service: own, cookieMode: false, now: () => new Date() }, alive);
      expect(own.reached.some((call) => call.includes("/admin"))).toBe(false);
      await own.close();
    },
  );

  it("consumes a link when it is opened, and returns errors in both of the protocol's shapes", async () => {
    const own = await gotrueDouble();
    const { auth } = makeClient((path, init) => own.fetch(path, init), {});
    const email = "linked@people.test";
    await auth.signUp({ email, password: testPassword });
    const path = `/auth/v1/verify?type=signup&token=${own.lastMail(email).tokenHash}`;
    const opened = await own.fetch(path, {});
    expect([opened.status, opened.headers.get("location")]).toEqual([303, expect.stringContaining("#access_token=")]);
    expect((await own.fetch(path, {})).headers.get("location")).toContain("error_code=otp_expired");
    const refused = { method: "POST", body: JSON.stringify({ email, password: "wrong words" }) };
    const old = await own.fetch("/auth/v1/token?grant_type=password", refused);
    expect(await old.json()).toMatchObject({ code: 400, error_code: "invalid_credentials", msg: expect.any(String) });
    const headers = { "x-supabase-api-version": "2024-01-01" };
    const fresh = await own.fetch("/auth/v1/token?grant_type=password", { ...refused, headers });
    expect(await fresh.json()).toEqual({ code: "invalid_credentials", message: expect.any(String) });
    await own.close();
  });
});

describe("in front of a hosted service", () => {
  it("serves the unmodified client in cookie mode without ever sending a refresh token", async () => {
    const request = async (path: string, init: Parameters<AccountsApp["send"]>[1]) => {
      const response = await app.send(path, init);
      const text = response.status === 204 ? "" : await response.clone().text();
      expect(text).not.toMatch(/"refresh_token":(?!"cookie")/);
      return response;
    };
    await walk({ fetch: request, service, cookieMode: true, now }, (token) => isAlive(token));
  });

  it("creates a user's profile at the first request, with the chosen role and none of the service", async () => {
    for (const [input, role] of [
      ["artist", "artist"],
      ["promoter", "promoter"],
      ["admin", "promoter"],
      ["root", "promoter"],
      [undefined, "promoter"],
    ] as const) {
      const metadata = { name: "Hosted Person", ...(input ? { role: input } : {}) };
      const { person, token, auth } = await signIn({ metadata });
      expect(await app.authenticate(token), input).toMatchObject({
        userId: person.id,
        role,
        name: "Hosted Person",
        emailVerified: true,
      });
      expect((await call(token, "GET", "/me")).body).toMatchObject({
        hosted: true,
        hasPassword: true,
        adminRequestPending: input === "admin",
      });
      await auth.updateUser({ data: { role: "admin" } });
      app.clock.advance(61_000);
      expect(await app.authenticate(token), input).toMatchObject({ role });
      expect((await call(token, "GET", "/me")).body).toMatchObject({ adminRequestPending: input === "admin" });
    }
  });

  it("stores the refresh token in the cookie, and renews by it", async () => {
    const { jar, storage, session, auth } = await signIn();
    const kept = jar.get("stagedoor_refresh") ?? "";
    expect(kept.length).toBeGreaterThan(8);
    expect(JSON.stringify([session, ...storage])).not.toContain(kept);
    const renewed = sessionOf(await auth.refreshSession());
    expect(jar.get("stagedoor_refresh")).not.toBe(kept);
    expect(await isAlive(renewed.access_token)).toBe(true);
    await auth.signOut({ scope: "local" });
    expect([...jar.keys()]).toEqual([]);
  });

  it("answers a renewal above the service's rate limit with an error that the client repeats", async () => {
    const { jar } = await signIn();
    const renew = () =>
      app.json("/auth/v1/token?grant_type=refresh_token", {
        method: "POST",
        headers: { cookie: `stagedoor_refresh=${jar.get("stagedoor_refresh") ?? ""}`, "x-token-mode": "cookie" },
        body: { refresh_token: "cookie" },
      });
    service.setLimited(true);
    expect(await renew()).toMatchObject({ status: 503, body: { code: "hosted_unreachable" } });
    service.setLimited(false);
    expect(await renew()).toMatchObject({ status: 200 });
  });

  it("lists the device of a session that signed in through our endpoints", async () => {
    const { token } = await signIn();
    const { body } = await call(token, "GET", "/me/sessions");
    expect(body).toMatchObject({ items: [{ current: true, ip: "127.0.0.1", device: expect.any(String) }] });
  });

  it("applies our role and suspension immediately", async () => {
    const { person, token } = await signIn();
    await db().updateTable("profiles").set({ role: "artist" }).where("user_id", "=", person.id).execute();
    expect(await app.authenticate(token)).toMatchObject({ role: "artist" });
    const banned_until = new Date("9999-01-01");
    await db().updateTable("users").set({ banned_until }).where("id", "=", person.id).execute();
    await expect(app.authenticate(token)).rejects.toMatchObject({ code: "user_banned" });
  });

  it("requires a second factor of the service, which only its operator removes", async () => {
    const { person, email, token, ...browser } = await signIn();
    const { token: strong } = await app.addFactor(browser);
    expect(await app.authenticate(strong)).toMatchObject({ aal: "aal2" });
    expect((await call(strong, "GET", "/me")).body).toMatchObject({ hasSecondFactor: true });
    await expect(beside.authenticate(token)).rejects.toMatchObject({ code: "insufficient_aal" });
    const weak = await again(email);
    await expect(app.authenticate(weak.token)).rejects.toMatchObject({ code: "insufficient_aal" });
    const admin = await signInAdmin();
    const reset = await call(admin.token, "POST", `/admin/users/${person.id}/reset-second-factor`, { reason: "lost" });
    expect([reset.status, reset.body["message"]]).toEqual([501, expect.stringContaining("operator")]);
  });

  it("does not take an address from its owner for an unverified one", async () => {
    const owner = await app.user();
    const { email } = owner;
    const { person } = await signIn({ email });
    const row = (id: string) => db().selectFrom("users").select("email").where("id", "=", id).executeTakeFirst();
    expect([await row(owner.id), await row(person.id)]).toEqual([{ email: null }, { email }]);
    const blind = await gotrueDouble({ now, autoconfirm: true });
    const own = await accountsApp({ GOTRUE_URL: blind.url });
    try {
      const victim = await own.user();
      const thief = own.client();
      const session = sessionOf(await thief.auth.signUp({ email: victim.email, password: testPassword }));
      expect(await own.authenticate(session.access_token)).toMatchObject({ emailVerified: false, email: "" });
      const kept = await own.db.selectFrom("users").select("email").where("id", "=", victim.id).execute();
      expect(kept).toEqual([{ email: victim.email }]);
      const outbox = await own.db.selectFrom("event_outbox").select("topic").execute();
      expect(outbox).toEqual([]);
    } finally {
      await own.close();
      await blind.close();
    }
  });
});

describe("reauthentication", () => {
  const putUser = (token: string, body: object) => app.json("/auth/v1/user", { method: "PUT", token, body });

  it("checks the password at the service in a session that ends immediately", async () => {
    const { token, email, person } = await signIn();
    app.clock.advance(11 * minuteMs);
    expect((await call(token, "POST", "/me/delete", {})).body.code).toBe("reauthentication_needed");
    const wrong = await call(token, "POST", "/me/delete", { password: "wrong words here" });
    expect(wrong.body).toMatchObject({ code: "reauthentication_not_valid", message: "The password is wrong." });
    const code = await call(token, "POST", "/me/delete", { code: "123456" });
    expect([code.status, code.body["message"]]).toEqual([403, expect.stringContaining("Sign out and sign in again")]);
    expect(service.livingSessions(email)).toBe(1);
    expect((await call(token, "POST", "/me/delete", { password: testPassword })).status).toBe(200);
    expect(service.livingSessions(email)).toBe(1);
    expect(person.email).toBe(email);
  });

  it.each([
    [{ password: "words of a thief" }],
    [{ password: "words of a thief", nonce: "123456" }],
    [{ email: "thief@people.test" }],
    [{ phone: "+15125550148" }],
    [{ email: "", phone: "+15125550148" }],
    [{ email: null, phone: "+15125550148", nonce: "123456" }],
  ])("is required of a session that is six minutes old, before %j", async (change) => {
    const { token, person } = await signIn();
    const before = { ...person };
    app.clock.advance(6 * minuteMs);
    expect(await putUser(token, change)).toMatchObject({ status: 400, body: { code: "reauthentication_needed" } });
    expect(person).toEqual(before);
    expect((await call(token, "POST", "/me/reauthenticate", { password: testPassword })).status).toBe(200);
    expect((await putUser(token, change)).status).toBe(200);
    expect(person).not.toEqual(before);
  });

  it.each([
    [{ Password: "words of a thief" }],
    [{ PASSWORD: "words of a thief", data: {} }],
    [{ Email: "thief@people.test" }],
    [{ Phone: "+15125550148" }],
    [{ app_metadata: { role: "admin" } }],
  ])("cannot be avoided by another spelling of a name, which the service never gets: %j", async (change) => {
    const { token, person } = await signIn();
    const before = { ...person };
    app.clock.advance(6 * minuteMs);
    expect((await putUser(token, change)).status).toBe(200);
    expect(person).toEqual(before);
  });

  it("is a sign-in of the last five minutes, and no renewal of its token", async () => {
    const { auth, email } = await signIn();
    app.clock.advance(11 * minuteMs);
    const renewed = sessionOf(await auth.refreshSession()).access_token;
    expect((await call(renewed, "POST", "/me/delete", {})).body.code).toBe("reauthentication_needed");
    const fresh = await again(email);
    expect((await call(fresh.token, "POST", "/me/delete", {})).status).toBe(200);
  });
});

describe("token", () => {
  it("is accepted with a new key of the service once it is published, and with the former one", async () => {
    const before = await signIn();
    await service.keyring.rotate();
    // The keys were just fetched, and are not fetched again within five seconds of real time.
    const later = Date.now() + 5_200;
    vi.spyOn(Date, "now").mockReturnValue(later);
    const after = await again(before.email);
    expect([await isAlive(before.token), await isAlive(after.token)]).toEqual([true, true]);
  });

  it("is refused from another service, with another issuer and without authentication methods", async () => {
    const { person, token } = await signIn();
    const claims: Record<string, unknown> = decodeJwt(token);
    const stranger = await gotrueDouble({ now });
    const made = [
      await stranger.keyring.sign(claims),
      await service.keyring.sign({ ...claims, iss: stranger.url }),
      await service.keyring.sign({ ...claims, aud: "anon" }),
      await service.keyring.sign({ ...claims, amr: [] }),
      await service.keyring.sign({ ...claims, exp: undefined }),
      await service.keyring.sign({ ...claims, exp: Math.floor(now().getTime() / 1000) - 1 }),
      `${token.split(".").slice(0, 2).join(".")}.`,
    ];
    for (const one of made) await expect(app.authenticate(one)).rejects.toMatchObject({ code: "bad_jwt" });
    expect(await app.authenticate(await service.keyring.sign(claims))).toMatchObject({ userId: person.id });
    await stranger.close();
  });

  it("fails the start if the service signs with a shared secret", async () => {
    const own = await gotrueDouble();
    own.keyring.useSharedSecret();
    await expect(accountsApp({ GOTRUE_URL: own.url }, app)).rejects.toThrow(/publishes no signing key.*ES256/);
    await own.close();
  });
});

describe("unreachable service", () => {
  it("returns an error that clients retry", async () => {
    const alone = await accountsApp({ GOTRUE_URL: "http://127.0.0.1:9/auth/v1" }, app);
    const { error } = await alone.client().auth.signInWithPassword({ email: "a@people.test", password: testPassword });
    expect(error).toMatchObject({ name: "AuthRetryableFetchError", status: 503 });
    await alone.close();
  });
});

describe("configuration", () => {
  it("refuses a key with all permissions and an address with a query", () => {
    const claims = Buffer.from('{"role":"service_role"}').toString("base64url");
    for (const env of [
      { GOTRUE_API_KEY: `a.${claims}.c` },
      { GOTRUE_API_KEY: "sb_secret_x" },
      { GOTRUE_URL: "https://a/?b" },
    ])
      expect(() => readConfig({ GOTRUE_URL: "https://auth.example/auth/v1", ...env })).toThrow(ConfigError);
    expect(readConfig({ GOTRUE_URL: "https://auth.example/auth/v1/" }).gotrue).toEqual({
      url: "https://auth.example/auth/v1",
      issuer: "https://auth.example/auth/v1",
      apiKey: undefined,
    });
  });
});
