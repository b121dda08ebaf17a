import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeAt } from "../mfa/totp.ts";
import { type AccountsApp, testPassword, accountsApp, sessionOf } from "#test/harness/accounts.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
afterAll(() => app.close());

const address = () => `${crypto.randomUUID().slice(0, 8)}@people.test`;
let numbers = 0;
const number = () => `+1512555${String(1_000 + ++numbers)}`;

async function signedIn() {
  const user = await app.user();
  const browser = app.client();
  const session = sessionOf(await browser.auth.signInWithPassword({ email: user.email, password: testPassword }));
  return { user, session, ...browser };
}

const sentTo = async (recipient: string) =>
  (await app.services.database.db.selectFrom("messages").select("id").where("recipient", "=", recipient).execute())
    .length;

describe("service description", () => {
  it("serves email and phone, and confirms no account automatically", async () => {
    const response = await app.send("/auth/v1/settings");
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      external: { email: true, phone: true, anonymous_users: false },
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      mfa_enabled: true,
    });
  });

  it("returns its name for a health request", async () => {
    const response = await app.send("/auth/v1/health");
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ name: "GoTrue", version: expect.any(String) });
  });
});

describe("sign-out event", () => {
  it.each(["local", "global"] as const)("notifies the client of its sign-out (%s)", async (scope) => {
    const { auth, events, storage } = await signedIn();
    expect((await auth.signOut({ scope })).error).toBeNull();
    expect(events.at(-1)).toBe("SIGNED_OUT");
    expect((await auth.getSession()).data.session).toBeNull();
    expect(JSON.stringify([...storage])).not.toContain("access_token");
  });

  it("is not sent to the session that signs out the others", async () => {
    const { auth, events } = await signedIn();
    expect((await auth.signOut({ scope: "others" })).error).toBeNull();
    expect(events).not.toContain("SIGNED_OUT");
    expect((await auth.getUser()).error).toBeNull();
  });
});

describe("sign-in without an address", () => {
  it("returns the protocol's error", async () => {
    const { data, error } = await app.client().auth.signInAnonymously();
    expect(data.session).toBeNull();
    expect(error).toMatchObject({ status: 422, code: "anonymous_provider_disabled" });
  });
});

describe("code by email", () => {
  it("creates a promoter without password if requested, and verifies the mailbox", async () => {
    const email = address();
    const { auth } = app.client();
    expect(
      (await auth.signInWithOtp({ email, options: { data: { name: "Otto Tp", role: "admin" } } })).error,
    ).toBeNull();
    const { code } = await app.lastMessage(email);
    const session = sessionOf(await auth.verifyOtp({ email, token: code, type: "email" }));
    expect(session.user).toMatchObject({
      email,
      app_metadata: { has_password: false },
      user_metadata: { name: "Otto Tp" },
    });
    const me = await app.send("/api/me", { headers: { authorization: `Bearer ${session.access_token}` } });
    expect(await me.json()).toMatchObject({ role: "promoter", emailVerified: true });
  });

  it("creates no account otherwise, and returns the same", async () => {
    const email = address();
    const { error } = await app.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    expect(error).toBeNull();
    expect(await sentTo(email)).toBe(0);
    const { db } = app.services.database;
    expect(await db.selectFrom("users").select("id").where("email", "=", email).execute()).toEqual([]);
  });
});

describe("resend", () => {
  it("sends another link for a sign-up, and using one of them voids both", async () => {
    const email = address();
    const { auth } = app.client();
    await auth.signUp({ email, password: testPassword });
    const old = await app.lastMessage(email);
    expect((await auth.resend({ type: "signup", email })).error).toBeNull();
    const fresh = await app.lastMessage(email);
    sessionOf(await auth.verifyOtp({ token_hash: fresh.token, type: "signup" }));
    for (const { token } of [old, fresh])
      expect((await auth.verifyOtp({ token_hash: token, type: "signup" })).error?.code).toBe("otp_expired");
    expect((await auth.resend({ type: "signup", email })).error).toBeNull();
    expect((await app.lastMessage(email)).template).toBe("sign_up_known");
  });

  it("sends another link for a change of address to the mailbox that has not confirmed, and using one of them voids both", async () => {
    const { user, auth } = await signedIn();
    const wanted = address();
    await auth.updateUser({ email: wanted });
    const old = await app.lastMessage(wanted);
    expect((await app.client().auth.resend({ type: "email_change", email: wanted })).error).toBeNull();
    const fresh = await app.lastMessage(wanted);
    expect((await auth.verifyOtp({ token_hash: fresh.token, type: "email_change" })).error).toBeNull();
    for (const { token } of [old, fresh])
      expect((await auth.verifyOtp({ token_hash: token, type: "email_change" })).error?.code).toBe("otp_expired");
    const first = await app.lastMessage(user.email);
    expect((await app.client().auth.resend({ type: "email_change", email: wanted })).error).toBeNull();
    const { token, template } = await app.lastMessage(user.email);
    expect([template, token === first.token]).toEqual(["email_change_old", false]);
    expect(sessionOf(await auth.verifyOtp({ token_hash: token, type: "email_change" })).user.email).toBe(wanted);
    expect((await auth.verifyOtp({ token_hash: first.token, type: "email_change" })).error?.code).toBe("otp_expired");
  });

  it("sends a code for a change of number to the new one", async () => {
    const { auth } = await signedIn();
    const phone = number();
    await auth.updateUser({ phone });
    expect((await auth.resend({ type: "phone_change", phone })).error).toBeNull();
    expect(await sentTo(phone)).toBe(2);
  });

  it("sends nothing without a pending change, and returns the same", async () => {
    const [email, phone] = [address(), number()];
    const { auth } = app.client();
    expect((await auth.resend({ type: "signup", email })).error).toBeNull();
    expect((await auth.resend({ type: "email_change", email })).error).toBeNull();
    expect((await auth.resend({ type: "phone_change", phone })).error).toBeNull();
    expect([await sentTo(email), await sentTo(phone)]).toEqual([0, 0]);
  });
});

describe("challenge", () => {
  it("is valid for five minutes, and in its own session", async () => {
    const { auth, user } = await signedIn();
    const enrolled = await auth.mfa.enroll({ factorType: "totp" });
    if (enrolled.error) throw enrolled.error;
    const { id: factorId, totp } = enrolled.data;
    const code = () => codeAt(totp.secret, app.services.clock.now());
    const challenge = async () => {
      const { data, error } = await auth.mfa.challenge({ factorId });
      if (error) throw error;
      return data.id;
    };
    const late = await challenge();
    app.clock.advance(301_000);
    expect((await auth.updateUser({ current_password: testPassword })).error).toBeNull();
    expect((await auth.mfa.verify({ factorId, challengeId: late, code: code() })).error).toMatchObject({
      status: 422,
      code: "mfa_challenge_expired",
    });
    const challengeId = await challenge();
    const elsewhere = app.client();
    sessionOf(await elsewhere.auth.signInWithPassword({ email: user.email, password: testPassword }));
    const stolen = await elsewhere.auth.mfa.verify({ factorId, challengeId, code: code() });
    expect(stolen.error?.code).toBe("mfa_challenge_expired");
    expect((await auth.mfa.verify({ factorId, challengeId, code: code() })).error).toBeNull();
    const again = await auth.mfa.verify({ factorId, challengeId, code: code() });
    expect(again.error?.code).toBe("mfa_challenge_expired");
  });
});

describe("unsupported call", () => {
  it("is refused to the client with 501 and a message: linking another provider, PKCE", async () => {
    const { auth, storage } = await signedIn();
    const linked = await auth.linkIdentity({ provider: "github", options: { skipBrowserRedirect: true } });
    expect(linked.error).toMatchObject({ status: 501, message: expect.stringContaining("not offered here") });
    const key = [...storage.keys()].find((name) => name.startsWith("test-")) ?? "";
    storage.set(`${key}-code-verifier`, JSON.stringify("a verifier of no use"));
    const exchanged = await auth.exchangeCodeForSession("a-code");
    expect(exchanged.error).toMatchObject({ status: 501, message: expect.stringContaining("not offered here") });
  });

  it.each([
    ["PUT", "/token"],
    ["PATCH", "/user"],
    ["DELETE", "/user"],
    ["PUT", "/somewhere/else"],
    ["GET", "/.well-known/openid-configuration"],
    ["POST", "/factors/x/y/z"],
  ])("returns 501 in the protocol's shape for %s %s", async (method, path) => {
    const response = await app.send(`/auth/v1${path}`, { method });
    expect(response.status).toBe(501);
    expect(response.headers.get("x-supabase-api-version")).toBe("2024-01-01");
    expect(await response.json()).toMatchObject({
      code: "not_served",
      error_code: "not_served",
      msg: expect.any(String),
    });
  });

  it("returns no body for HEAD", async () => {
    const response = await app.send("/auth/v1/somewhere/else", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([501, ""]);
  });
});
