/** What the protocol's public client meets beyond the subjects of the other tests: error responses, resending, what is not served. */
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

describe("what the service says of itself", () => {
  it("is that mail and phone are served, and that no account is confirmed automatically", async () => {
    const answer = await app.send("/auth/v1/settings");
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      external: { email: true, phone: true, anonymous_users: false },
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      mfa_enabled: true,
    });
  });

  it("is its name, when asked for its health", async () => {
    const answer = await app.send("/auth/v1/health");
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ name: "GoTrue", version: expect.any(String) });
  });
});

describe("events", () => {
  it.each(["local", "global"] as const)("tell the client that it has signed out (%s)", async (scope) => {
    const { auth, events, storage } = await signedIn();
    expect((await auth.signOut({ scope })).error).toBeNull();
    expect(events.at(-1)).toBe("SIGNED_OUT");
    expect((await auth.getSession()).data.session).toBeNull();
    expect(JSON.stringify([...storage])).not.toContain("access_token");
  });

  it("do not report a sign-out to the session that signs out the others", async () => {
    const { auth, events } = await signedIn();
    expect((await auth.signOut({ scope: "others" })).error).toBeNull();
    expect(events).not.toContain("SIGNED_OUT");
    expect((await auth.getUser()).error).toBeNull();
  });
});

describe("a sign-in without an address", () => {
  it("is refused by the protocol's name for it", async () => {
    const { data, error } = await app.client().auth.signInAnonymously();
    expect(data.session).toBeNull();
    expect(error).toMatchObject({ status: 422, code: "anonymous_provider_disabled" });
  });
});

describe("a code by mail", () => {
  it("makes an account when that is asked for: a promoter without a password, whose mailbox the code proves", async () => {
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

  it("makes none otherwise, and says the same", async () => {
    const email = address();
    const { error } = await app.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    expect(error).toBeNull();
    expect(await sentTo(email)).toBe(0);
    const { db } = app.services.database;
    expect(await db.selectFrom("users").select("id").where("email", "=", email).execute()).toEqual([]);
  });
});

describe("asking again", () => {
  it("for the confirmation of a sign-up sends another link, and using one of them voids both", async () => {
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

  it("for a change of address sends another link to the new mailbox, and using one of them voids both", async () => {
    const { user, auth } = await signedIn();
    const wanted = address();
    await auth.updateUser({ email: wanted });
    const old = await app.lastMessage(wanted);
    expect((await app.client().auth.resend({ type: "email_change", email: wanted })).error).toBeNull();
    const fresh = await app.lastMessage(wanted);
    expect((await auth.verifyOtp({ token_hash: fresh.token, type: "email_change" })).error).toBeNull();
    for (const { token } of [old, fresh])
      expect((await auth.verifyOtp({ token_hash: token, type: "email_change" })).error?.code).toBe("otp_expired");
    const { token } = await app.lastMessage(user.email);
    expect(sessionOf(await auth.verifyOtp({ token_hash: token, type: "email_change" })).user.email).toBe(wanted);
  });

  it("for a change of number sends a code to the new one", async () => {
    const { auth } = await signedIn();
    const phone = number();
    await auth.updateUser({ phone });
    expect((await auth.resend({ type: "phone_change", phone })).error).toBeNull();
    expect(await sentTo(phone)).toBe(2);
  });

  it("for nothing that waits sends nothing, and says the same", async () => {
    const [email, phone] = [address(), number()];
    const { auth } = app.client();
    expect((await auth.resend({ type: "signup", email })).error).toBeNull();
    expect((await auth.resend({ type: "email_change", email })).error).toBeNull();
    expect((await auth.resend({ type: "phone_change", phone })).error).toBeNull();
    expect([await sentTo(email), await sentTo(phone)]).toEqual([0, 0]);
  });
});

describe("a challenge", () => {
  it("is good for five minutes, and for the session that asked", async () => {
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

describe("what is not served", () => {
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
  ])("%s %s answers 501 in the protocol's shape", async (method, path) => {
    const answer = await app.send(`/auth/v1${path}`, { method });
    expect(answer.status).toBe(501);
    expect(answer.headers.get("x-supabase-api-version")).toBe("2024-01-01");
    expect(await answer.json()).toMatchObject({
      code: "not_served",
      error_code: "not_served",
      msg: expect.any(String),
    });
  });

  it("has no body when only its head is asked for", async () => {
    const answer = await app.send("/auth/v1/somewhere/else", { method: "HEAD" });
    expect([answer.status, await answer.text()]).toEqual([501, ""]);
  });
});
