import { describe, expect, it } from "vitest";
import { setUpAccounts, testPassword, sessionOf } from "#test/harness/accounts.ts";

const app = setUpAccounts();

const address = () => `${crypto.randomUUID().slice(0, 8)}@people.test`;
let numbers = 0;
const number = () => `+1512555${String(1_000 + ++numbers)}`;

describe("service description", () => {
  it("serves email and phone, and confirms no account automatically", async () => {
    expect(await app.json("/auth/v1/settings")).toMatchObject({
      status: 200,
      body: {
        external: { email: true, phone: true, anonymous_users: false },
        disable_signup: false,
        mailer_autoconfirm: false,
        phone_autoconfirm: false,
        mfa_enabled: true,
      },
    });
    const health = { name: "GoTrue", version: expect.any(String) };
    expect(await app.json("/auth/v1/health")).toMatchObject({ status: 200, body: health });
  });

  it("publishes its keys for ten minutes", async () => {
    const response = await app.send("/auth/v1/.well-known/jwks.json");
    expect(response.headers.get("cache-control")).toContain("max-age=600");
    const { keys } = (await response.json()) as { keys: object[] };
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toHaveProperty("d");
  });
});

describe("sign-out", () => {
  it.each(["local", "global", "others"] as const)(
    "notifies the client only of its own sign-out (%s)",
    async (scope) => {
      const { auth, events, storage } = await app.signedIn();
      expect((await auth.signOut({ scope })).error).toBeNull();
      const isOut = scope !== "others";
      expect(events.includes("SIGNED_OUT")).toBe(isOut);
      expect((await auth.getSession()).data.session === null).toBe(isOut);
      expect(JSON.stringify([...storage]).includes("access_token")).toBe(!isOut);
    },
  );
});

describe("code by email", () => {
  it("creates a promoter without password if requested, and verifies the mailbox", async () => {
    const email = address();
    const { auth } = app.client();
    const options = { data: { name: "Otto Tp", role: "admin" } };
    expect((await auth.signInWithOtp({ email, options })).error).toBeNull();
    const { code } = await app.lastMessage(email);
    const session = sessionOf(await auth.verifyOtp({ email, token: code, type: "email" }));
    expect(session.user).toMatchObject({
      email,
      app_metadata: { has_password: false },
      user_metadata: { name: "Otto Tp" },
    });
    const { body } = await app.json("/api/me", { token: session.access_token });
    expect(body).toMatchObject({ role: "promoter", emailVerified: true });
  });

  it("creates no account otherwise, and returns the same", async () => {
    const email = address();
    const { error } = await app.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    expect(error).toBeNull();
    expect(await app.messagesTo(email)).toEqual([]);
    expect(await app.db.selectFrom("users").select("id").where("email", "=", email).execute()).toEqual([]);
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
    const { user, auth } = await app.signedIn();
    const wanted = address();
    await auth.updateUser({ email: wanted });
    const old = await app.lastMessage(wanted);
    expect((await app.client().auth.resend({ type: "email_change", email: wanted })).error).toBeNull();
    const fresh = await app.lastMessage(wanted);
    const open = (token: string) => auth.verifyOtp({ token_hash: token, type: "email_change" });
    expect((await open(fresh.token)).error).toBeNull();
    for (const { token } of [old, fresh]) expect((await open(token)).error?.code).toBe("otp_expired");
    const first = await app.lastMessage(user.email);
    expect((await app.client().auth.resend({ type: "email_change", email: wanted })).error).toBeNull();
    const { token, template } = await app.lastMessage(user.email);
    expect([template, token === first.token]).toEqual(["email_change_old", false]);
    expect(sessionOf(await open(token)).user.email).toBe(wanted);
    expect((await open(first.token)).error?.code).toBe("otp_expired");
  });

  it("sends nothing without a pending change, and returns the same", async () => {
    const [email, phone] = [address(), number()];
    const { auth } = app.client();
    expect((await auth.resend({ type: "signup", email })).error).toBeNull();
    expect((await auth.resend({ type: "email_change", email })).error).toBeNull();
    expect((await auth.resend({ type: "phone_change", phone })).error).toBeNull();
    expect([await app.messagesTo(email), await app.messagesTo(phone)]).toEqual([[], []]);
  });
});

describe("challenge", () => {
  it("is valid for five minutes, and in its own session", async () => {
    const { auth, user } = await app.signedIn();
    const { factorId, code } = await app.addFactor({ auth });
    const challenge = async () => {
      const { data, error } = await auth.mfa.challenge({ factorId });
      if (error) throw error;
      return data.id;
    };
    const late = await challenge();
    app.clock.advance(301_000);
    const tooLate = await auth.mfa.verify({ factorId, challengeId: late, code: code() });
    expect(tooLate.error).toMatchObject({ status: 422, code: "mfa_challenge_expired" });
    const challengeId = await challenge();
    const elsewhere = app.client();
    await elsewhere.signIn(user);
    const stolen = await elsewhere.auth.mfa.verify({ factorId, challengeId, code: code() });
    expect(stolen.error?.code).toBe("mfa_challenge_expired");
    expect((await auth.mfa.verify({ factorId, challengeId, code: code() })).error).toBeNull();
    const again = await auth.mfa.verify({ factorId, challengeId, code: code() });
    expect(again.error?.code).toBe("mfa_challenge_expired");
  });
});

describe("unsupported call", () => {
  it("is refused to the client with a message: anonymous sign-in, linking another provider, PKCE", async () => {
    const { error } = await app.client().auth.signInAnonymously();
    expect(error).toMatchObject({ status: 422, code: "anonymous_provider_disabled" });
    const { auth, storage } = await app.signedIn();
    const refused = { status: 501, message: expect.stringContaining("not offered here") };
    const linked = await auth.linkIdentity({ provider: "github", options: { skipBrowserRedirect: true } });
    expect(linked.error).toMatchObject(refused);
    const key = [...storage.keys()].find((name) => name.startsWith("test-")) ?? "";
    storage.set(`${key}-code-verifier`, JSON.stringify("a verifier of no use"));
    expect((await auth.exchangeCodeForSession("a-code")).error).toMatchObject(refused);
  });

  it.each([
    ["PUT", "/token"],
    ["POST", "/token?grant_type=pkce"],
    ["PATCH", "/user"],
    ["DELETE", "/user"],
    ["PUT", "/somewhere/else"],
    ["GET", "/.well-known/openid-configuration"],
    ["POST", "/factors/x/y/z"],
    ["GET", "/authorize?provider=github"],
    ["POST", "/sso"],
    ["GET", "/admin/users"],
    ["GET", "/oauth/authorizations/x"],
  ])("returns 501 in the protocol's shape for %s %s", async (method, path) => {
    const response = await app.send(`/auth/v1${path}`, { method });
    expect(response.status).toBe(501);
    expect(response.headers.get("x-supabase-api-version")).toBe("2024-01-01");
    expect(await response.json()).toMatchObject({
      code: "not_served",
      error_code: "not_served",
      message: expect.any(String),
      msg: expect.any(String),
    });
  });

  it("returns no body for HEAD", async () => {
    const response = await app.send("/auth/v1/somewhere/else", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([501, ""]);
  });
});

describe("log", () => {
  it("records a failed sign-in and a refused call, without address or password", async () => {
    const lines: object[] = [];
    const { log } = app.services;
    const warn = log.warn.bind(log);
    Object.assign(log, { warn: (line: object, text: string) => (lines.push(line), warn(line, text)) });
    const { email } = await app.user();
    await app.client().signInError(email, "not the password at all");
    await (await app.as({ email })).call("GET", "/admin/users");
    Object.assign(log, { warn });
    const network = "127.0.0.0/24";
    const failed = { event: "auth_refused", code: "invalid_credentials", subject: expect.any(String), network };
    const refused = { event: "call_refused", code: "forbidden", operation: "listUsers", network };
    expect(lines).toEqual(expect.arrayContaining([failed, refused].map((line) => expect.objectContaining(line))));
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${email}|not the password`));
  });
});
