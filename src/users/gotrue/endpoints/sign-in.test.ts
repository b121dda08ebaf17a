import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticate } from "../../index.ts";
import { type AccountsApp, testPassword, accountsApp, sessionOf } from "#test/harness/accounts.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
afterAll(() => app.close());

const address = () => `${crypto.randomUUID().slice(0, 8)}@people.test`;
const accountOf = (id: string) =>
  app.services.database.db
    .selectFrom("users")
    .select(["password_hash", "updated_at", "email_confirmed_at", "user_metadata"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
const options = { data: { name: "Anna Lind", role: "artist" }, emailRedirectTo: "https://evil.example/" };

describe("sign-up", () => {
  it("returns a user without session, and emails a link to our own page", async () => {
    const email = address();
    const { auth } = app.client();
    const { data, error } = await auth.signUp({ email, password: testPassword, options });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user?.email).toBe(email);
    const message = await app.lastMessage(email);
    expect(message.template).toBe("confirm_sign_up");
    expect(message.text).toContain("http://localhost:3000/auth/confirm?token_hash=");
    expect(message.text).not.toContain("evil");
  });

  it("returns the same for a known and an unknown address, changes nothing and notifies the owner", async () => {
    const known = await app.user();
    const unknown = address();
    const body = (email: string) =>
      JSON.stringify({ email, password: "another lamp entirely", data: { name: "Nobody" } });
    const headers = { "content-type": "application/json" };
    const [first, second] = await Promise.all(
      [known.email, unknown].map((email) =>
        app.send("/auth/v1/signup", { method: "POST", headers, body: body(email) }),
      ),
    );
    const shape = async (response: Response | undefined, email: string) =>
      JSON.stringify(await response?.json())
        .replaceAll(email, "@")
        .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "id")
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "at");
    expect(first?.status).toBe(second?.status);
    expect(await shape(first, known.email)).toBe(await shape(second, unknown));
    expect((await app.lastMessage(known.email)).template).toBe("sign_up_known");
    expect(
      (await app.client().auth.signInWithPassword({ email: known.email, password: testPassword })).error,
    ).toBeNull();
  });

  it("returns the same for repeated sign-ins with that password to a known and an unknown address", async () => {
    const [known, confirmed, unknown] = [await app.user(), await app.user(), address()];
    const words = "another lamp entirely";
    const before = await accountOf(known.id);
    for (const email of [known.email, unknown, unknown, known.email])
      expect((await app.client().auth.signUp({ email, password: words })).error).toBeNull();
    const signInError = async (email: string, password: string) => {
      const { error } = await app.client().auth.signInWithPassword({ email, password });
      return [error?.status, error?.code, error?.message];
    };
    for (const password of [words, "none of these", words])
      expect(await signInError(known.email, password)).toEqual(await signInError(unknown, password));
    expect((await signInError(known.email, words))[1]).toBe("email_not_confirmed");
    expect((await signInError(confirmed.email, words))[1]).toBe("invalid_credentials");
    await app.client().auth.resend({ type: "signup", email: known.email });
    const { db } = app.services.database;
    const messages = await db.selectFrom("messages").select("template").where("recipient", "=", known.email).execute();
    expect(messages.map(({ template }) => template)).toEqual(["sign_up_known", "sign_up_known", "sign_up_known"]);

    expect(await accountOf(known.id)).toEqual(before);
    sessionOf(await app.client().auth.signInWithPassword({ email: known.email, password: testPassword }));
    await app.client().auth.resetPasswordForEmail(known.email);
    const { token } = await app.lastMessage(known.email);
    sessionOf(await app.client().auth.verifyOtp({ token_hash: token, type: "recovery" }));
    expect((await signInError(known.email, words))[1]).toBe("email_not_confirmed");
  });

  it.each([
    ["short", "abc", ["length"]],
    ["known from leaks", "Password123", ["pwned"]],
    ["the address itself", "lind@people.test", ["characters"]],
  ])("refuses a password that is %s", async (_why, password, reasons) => {
    const { error } = await app.client().auth.signUp({ email: "lind@people.test", password });
    expect(error).toMatchObject({ name: "AuthWeakPasswordError", status: 422, code: "weak_password", reasons });
  });

  it.each(["", "nobody", "a@b", "a b@c.de", "x@y.z\r\nbcc: q@r.st", "ä@ö.de", `${"a".repeat(250)}@x.de`])(
    "refuses the address %j",
    async (email) => {
      const response = await app.send("/auth/v1/signup", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, password: testPassword }),
      });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
    },
  );
});

describe("confirmation", () => {
  it("retains the password in the browser that signed up", async () => {
    const email = address();
    const browser = app.client({ cookieMode: true });
    await browser.auth.signUp({ email, password: testPassword, options });
    const { token } = await app.lastMessage(email);
    expect((await browser.auth.signInWithPassword({ email, password: testPassword })).error?.code).toBe(
      "email_not_confirmed",
    );
    const session = sessionOf(await browser.auth.verifyOtp({ token_hash: token, type: "signup" }));
    expect(session.user.email_confirmed_at).toBeTruthy();
    expect(session.user.app_metadata["has_password"]).toBe(true);
    expect((await app.client().auth.signInWithPassword({ email, password: testPassword })).error).toBeNull();
    expect((await browser.auth.verifyOtp({ token_hash: token, type: "signup" })).error?.code).toBe("otp_expired");
  });

  it.each(["link", "code"])("removes a stranger's password when the owner confirms by %s elsewhere", async (way) => {
    const email = address();
    await app.client().auth.signUp({ email, password: testPassword, options });
    const { token, code } = await app.lastMessage(email);
    const owner = app.client();
    const proof =
      way === "link"
        ? ({ token_hash: token, type: "signup" } as const)
        : ({ email, token: code, type: "signup" } as const);
    const session = sessionOf(await owner.auth.verifyOtp(proof));
    expect(session.user.app_metadata["has_password"]).toBe(false);
    expect((await app.client().auth.signInWithPassword({ email, password: testPassword })).error?.code).toBe(
      "invalid_credentials",
    );
    expect((await owner.auth.updateUser({ password: "the owner's own words" })).error).toBeNull();
    expect((await app.client().auth.signInWithPassword({ email, password: "the owner's own words" })).error).toBeNull();
  });

  it("retains only the password of the last browser that signed up, for every link", async () => {
    const email = address();
    const [first, last] = [app.client({ cookieMode: true }), app.client({ cookieMode: true })];
    await first.auth.signUp({ email, password: "the first one's own words" });
    const early = await app.lastMessage(email);
    await last.auth.signUp({ email, password: testPassword });
    const session = sessionOf(await first.auth.verifyOtp({ token_hash: early.token, type: "signup" }));
    expect(session.user.app_metadata["has_password"]).toBe(false);
    expect((await last.auth.signInWithPassword({ email, password: testPassword })).error?.code).toBe(
      "invalid_credentials",
    );
  });

  it("retains the password with an earlier link of the same browser", async () => {
    const email = address();
    const browser = app.client({ cookieMode: true });
    await browser.auth.signUp({ email, password: testPassword });
    const early = await app.lastMessage(email);
    await browser.auth.signUp({ email, password: testPassword });
    const session = sessionOf(await browser.auth.verifyOtp({ token_hash: early.token, type: "signup" }));
    expect(session.user.app_metadata["has_password"]).toBe(true);
  });

  it("does not use the link when a scanner opens it", async () => {
    const email = address();
    await app.client().auth.signUp({ email, password: testPassword, options });
    const { token } = await app.lastMessage(email);
    const opened = await app.send(`/auth/v1/verify?token=${token}&type=signup`);
    expect(opened.status).toBe(303);
    expect(opened.headers.get("location")).toMatch(/^\/auth\/confirm\?token_hash=/);
    expect((await app.client().auth.verifyOtp({ token_hash: token, type: "signup" })).error).toBeNull();
  });
});

describe("sign-in", () => {
  it("returns a session of six parts and sends the event", async () => {
    const user = await app.user({ role: "artist" });
    const { auth, events } = app.client();
    const session = sessionOf(
      await auth.signInWithPassword({ email: user.email.toUpperCase(), password: testPassword }),
    );
    expect(Object.keys(session).toSorted()).toEqual([
      "access_token",
      "expires_at",
      "expires_in",
      "refresh_token",
      "token_type",
      "user",
    ]);
    expect(events).toContain("SIGNED_IN");
    const claims = await auth.getClaims();
    expect(claims.data?.header.alg).toBe("ES256");
    expect(claims.data?.claims).not.toHaveProperty("email");
    expect(await authenticate(app.services, session.access_token)).toMatchObject({
      userId: user.id,
      role: "artist",
      aal: "aal1",
      emailVerified: true,
    });
  });

  it("accepts a phone number instead of the address", async () => {
    const user = await app.user({ phone: "15125550143" });
    const session = sessionOf(
      await app.client().auth.signInWithPassword({ phone: "+1 (512) 555-0143", password: testPassword }),
    );
    expect(session.user.id).toBe(user.id);
  });

  it.each([
    ["a wrong password", async () => (await app.user()).email],
    ["an unknown address", async () => address()],
  ])("returns the same error for %s", async (_what, email) => {
    const { error } = await app
      .client()
      .auth.signInWithPassword({ email: await email(), password: "not this one at all" });
    expect(error).toMatchObject({ status: 400, code: "invalid_credentials", message: "Invalid login credentials" });
  });

  it("returns the protocol's errors for a missing session, a forged token and an ended session", async () => {
    const user = await app.user();
    const { auth } = app.client();
    expect((await auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    const session = sessionOf(await auth.signInWithPassword({ email: user.email, password: testPassword }));
    expect((await auth.getUser("nonsense.token.here")).error).toMatchObject({ code: "bad_jwt", status: 403 });
    await app.client().auth.admin.signOut(session.access_token, "global");
    expect((await auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    await expect(authenticate(app.services, session.access_token)).rejects.toMatchObject({
      status: 401,
      code: "session_not_found",
    });
    await expect(authenticate(app.services, "nonsense")).rejects.toMatchObject({ status: 401, code: "bad_jwt" });
    expect(await authenticate(app.services, undefined)).toBeNull();
  });

  it("creates a missing profile as promoter with the name of the metadata", async () => {
    const user = await app.user({ role: "artist" });
    await app.services.database.transaction(async (tx) => {
      await tx.deleteFrom("profiles").where("user_id", "=", user.id).execute();
      await tx
        .updateTable("users")
        .set({ user_metadata: JSON.stringify({ name: "Meta Name" }) })
        .where("id", "=", user.id)
        .execute();
    });
    const session = sessionOf(
      await app.client().auth.signInWithPassword({ email: user.email, password: testPassword }),
    );
    expect(await authenticate(app.services, session.access_token)).toMatchObject({
      role: "promoter",
      name: "Meta Name",
    });
  });
});

describe("sign-out", () => {
  it.each([
    ["local", [false, true, true]],
    ["others", [true, false, false]],
    ["global", [false, false, false]],
  ] as const)("ends only the sessions of scope %s", async (scope, expected) => {
    const user = await app.user();
    const clients = [app.client(), app.client(), app.client()];
    const tokens: string[] = [];
    for (const { auth } of clients)
      tokens.push(sessionOf(await auth.signInWithPassword({ email: user.email, password: testPassword })).access_token);
    expect((await clients[0]?.auth.signOut({ scope }))?.error).toBeNull();
    const alive = await Promise.all(
      tokens.map(async (token) => authenticate(app.services, token).then(Boolean, () => false)),
    );
    expect(alive).toEqual(expected);
  });
});

describe("unsupported call", () => {
  it.each([
    ["GET", "/authorize?provider=github"],
    ["POST", "/token?grant_type=pkce"],
    ["POST", "/sso"],
    ["GET", "/admin/users"],
    ["GET", "/oauth/authorizations/x"],
  ])("returns 501 in the protocol's shape for %s %s", async (method, path) => {
    const response = await app.send(`/auth/v1${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(method === "POST" ? { body: "{}" } : {}),
    });
    expect(response.status).toBe(501);
    expect(response.headers.get("x-supabase-api-version")).toBe("2024-01-01");
    expect(await response.json()).toMatchObject({ code: "not_served", message: expect.any(String) });
  });

  it("publishes its keys for ten minutes", async () => {
    const response = await app.send("/auth/v1/.well-known/jwks.json");
    expect(response.headers.get("cache-control")).toContain("max-age=600");
    const { keys } = (await response.json()) as { keys: object[] };
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toHaveProperty("d");
  });
});
