import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountsApp, accountsApp, sessionOf, testPassword } from "#test/harness/accounts.ts";
import { authenticate } from "../index.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
afterAll(() => app.close());

describe("sign-in", () => {
  it("ends the session that the same browser had before, of any account", async () => {
    const [first, second] = [await app.user(), await app.user()];
    const browser = app.client({ cookieMode: true });
    const former = sessionOf(await browser.auth.signInWithPassword({ email: first.email, password: testPassword }));
    const elsewhere = sessionOf(
      await app.client({ cookieMode: true }).auth.signInWithPassword({ email: first.email, password: testPassword }),
    );
    const next = sessionOf(await browser.auth.signInWithPassword({ email: second.email, password: testPassword }));
    await expect(authenticate(app.services, former.access_token)).rejects.toMatchObject({ code: "session_not_found" });
    for (const { access_token } of [elsewhere, next])
      expect(await authenticate(app.services, access_token)).not.toBeNull();
  });

  it("opens at most thirty sessions with the right password in a quarter of an hour", async () => {
    const limited = await accountsApp({ RATE_LIMITS: "on" }, app);
    const { email } = await app.user();
    const signIn = async () =>
      (await limited.client().auth.signInWithPassword({ email, password: testPassword })).error;
    for (let at = 0; at < 30; at += 1) expect(await signIn()).toBeNull();
    expect(await signIn()).toMatchObject({
      status: 429,
      message: expect.stringContaining("Too many sign-in attempts"),
    });
    app.clock.advance(901_000);
    expect(await signIn()).toBeNull();
    await limited.close();
  });

  it("accepts an emailed link or code for ten minutes", async () => {
    const { email } = await app.user();
    await app.client().auth.signInWithOtp({ email });
    const { token } = await app.lastMessage(email);
    app.clock.advance(601_000);
    expect((await app.client().auth.verifyOtp({ token_hash: token, type: "magiclink" })).error?.code).toBe(
      "otp_expired",
    );
  });
});

describe("admin", () => {
  it("signs a user out everywhere without suspending them, and gets 404 for a missing user and 409 for oneself", async () => {
    const admin = await app.user({ role: "admin" });
    const person = await app.user();
    const [self, other] = [await app.as(admin), await app.as(person)];
    const end = (id: string, reason = "The telephone was lost") =>
      self.call("POST", `/admin/users/${id}/end-sessions`, { reason });
    expect((await end(person.id, "")).status).toBe(400);
    expect(await end(person.id)).toMatchObject({ status: 200, body: { suspended: false } });
    await expect(authenticate(app.services, other.token)).rejects.toMatchObject({ code: "session_not_found" });
    expect((await app.lastMessage(admin.email)).text).toMatch(/out\s+everywhere:\s+The\s+telephone\s+was\s+lost/);
    expect((await (await app.as(person)).call("GET", "/me")).status).toBe(200);
    expect((await end("00000000-0000-4000-8000-000000000000")).status).toBe(404);
    expect((await end(admin.id)).status).toBe(409);
  });
});

describe("log", () => {
  it("records a failed sign-in and a refused call, without address or password", async () => {
    const lines: { event?: string }[] = [];
    const { log } = app.services;
    const warn = log.warn.bind(log);
    Object.assign(log, { warn: (line: object, text: string) => (lines.push(line), warn(line, text)) });
    const { email } = await app.user();
    await app.client().auth.signInWithPassword({ email, password: "not the password at all" });
    const { call } = await app.as({ email });
    await call("GET", "/admin/users");
    Object.assign(log, { warn });
    expect(lines).toContainEqual(
      expect.objectContaining({
        event: "auth_refused",
        code: "invalid_credentials",
        subject: expect.any(String),
        network: "127.0.0.0/24",
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({
        event: "call_refused",
        code: "forbidden",
        operation: "listUsers",
        network: "127.0.0.0/24",
      }),
    );
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${email}|not the password`));
  });
});
