import { describe, expect, it } from "vitest";
import { setUpAccounts, testPassword, sessionOf } from "#test/harness/accounts.ts";

const app = setUpAccounts();

const address = () => `${crypto.randomUUID().slice(0, 8)}@people.test`;
const accountOf = (id: string) =>
  app.db
    .selectFrom("users")
    .select(["password_hash", "updated_at", "email_confirmed_at", "user_metadata"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
const options = { data: { name: "Anna Lind", role: "artist" }, emailRedirectTo: "https://evil.example/" };

describe("sign-up", () => {
  it("returns a user without session, and emails a link to our own page", async () => {
    const email = address();
    const { data, error } = await app.client().auth.signUp({ email, password: testPassword, options });
    expect({ error, data }).toMatchObject({ error: null, data: { session: null, user: { email } } });
    const message = await app.lastMessage(email);
    expect(message.template).toBe("confirm_sign_up");
    expect(message.text).toContain("http://localhost:3000/auth/confirm?token_hash=");
    expect(message.text).not.toContain("evil");
  });

  it("returns the same for a known and an unknown address", async () => {
    const signUp = async (email: string) => {
      const body = { email, password: "another lamp entirely", data: { name: "Nobody" } };
      const response = await app.send("/auth/v1/signup", { body });
      const shape = (await response.text())
        .replaceAll(email, "@")
        .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "id")
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "at");
      return [response.status, shape];
    };
    expect(await signUp((await app.user()).email)).toEqual(await signUp(address()));
  });

  it("changes nothing at a known address, notifies its owner, and returns the same for sign-ins with that password", async () => {
    const [known, confirmed, unknown] = [await app.user(), await app.user(), address()];
    const words = "another lamp entirely";
    const before = await accountOf(known.id);
    for (const email of [known.email, unknown, unknown, known.email])
      expect((await app.client().auth.signUp({ email, password: words })).error).toBeNull();
    const signInError = async (email: string, password: string) => {
      const error = await app.client().signInError(email, password);
      return [error?.status, error?.code, error?.message];
    };
    for (const password of [words, "none of these", words])
      expect(await signInError(known.email, password)).toEqual(await signInError(unknown, password));
    expect((await signInError(known.email, words))[1]).toBe("email_not_confirmed");
    for (const email of [confirmed.email, address()])
      expect(await signInError(email, words)).toEqual([400, "invalid_credentials", "Invalid login credentials"]);
    await app.client().auth.resend({ type: "signup", email: known.email });
    const messages = await app.messagesTo(known.email);
    expect(messages.map(({ template }) => template)).toEqual(["sign_up_known", "sign_up_known", "sign_up_known"]);

    expect(await accountOf(known.id)).toEqual(before);
    await app.client().signIn(known);
    await app.recover(known.email);
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
      const { status } = await app.send("/auth/v1/signup", { body: { email, password: testPassword } });
      expect([400, 422]).toContain(status);
    },
  );
});

describe("confirmation", () => {
  const signUp = async (email: string, password = testPassword, browser = app.client()) => {
    await browser.auth.signUp({ email, password, options });
    return { browser, ...(await app.lastMessage(email)) };
  };
  const confirm = async ({ auth }: ReturnType<typeof app.client>, token: string) =>
    sessionOf(await auth.verifyOtp({ token_hash: token, type: "signup" })).user;

  it("retains the password in the browser that signed up", async () => {
    const email = address();
    const { browser, token } = await signUp(email, testPassword, app.client({ cookieMode: true }));
    expect((await browser.signInError(email))?.code).toBe("email_not_confirmed");
    const user = await confirm(browser, token);
    expect(user.email_confirmed_at).toBeTruthy();
    expect(user.app_metadata["has_password"]).toBe(true);
    expect(await app.client().signInError(email)).toBeNull();
    expect((await browser.auth.verifyOtp({ token_hash: token, type: "signup" })).error?.code).toBe("otp_expired");
  });

  it.each(["link", "code"])("removes a stranger's password when the owner confirms by %s elsewhere", async (way) => {
    const email = address();
    const { token, code } = await signUp(email);
    const owner = app.client();
    const proof = way === "link" ? { token_hash: token } : { email, token: code };
    const { user } = sessionOf(await owner.auth.verifyOtp({ ...(proof as { token_hash: string }), type: "signup" }));
    expect(user.app_metadata["has_password"]).toBe(false);
    expect((await app.client().signInError(email))?.code).toBe("invalid_credentials");
    expect((await owner.auth.updateUser({ password: "the owner's own words" })).error).toBeNull();
    expect(await app.client().signInError(email, "the owner's own words")).toBeNull();
  });

  it("retains only the password of the last browser that signed up, for every link", async () => {
    const email = address();
    const first = await signUp(email, "the first one's own words", app.client({ cookieMode: true }));
    const last = await signUp(email, testPassword, app.client({ cookieMode: true }));
    expect((await confirm(first.browser, first.token)).app_metadata["has_password"]).toBe(false);
    expect((await last.browser.signInError(email))?.code).toBe("invalid_credentials");
  });

  it("retains the password with an earlier link of the same browser, and with one that was sent again", async () => {
    const [email, resent] = [address(), address()];
    const early = await signUp(email);
    await signUp(email, testPassword, early.browser);
    expect((await confirm(early.browser, early.token)).app_metadata["has_password"]).toBe(true);
    const { browser } = await signUp(resent);
    await app.client().auth.resend({ type: "signup", email: resent });
    const { token } = await app.lastMessage(resent);
    expect((await confirm(browser, token)).app_metadata["has_password"]).toBe(true);
  });

  it("does not use the link when a scanner opens it", async () => {
    const { browser, token } = await signUp(address());
    const opened = await app.send(`/auth/v1/verify?token=${token}&type=signup`);
    expect(opened.status).toBe(303);
    expect(opened.headers.get("location")).toMatch(/^\/auth\/confirm\?token_hash=/);
    await confirm(browser, token);
  });
});

describe("sign-in", () => {
  it("returns a session of six parts and sends the event", async () => {
    const user = await app.user({ role: "artist" });
    const browser = app.client();
    const session = await browser.signIn({ email: user.email.toUpperCase() });
    expect(Object.keys(session).toSorted()).toEqual([
      "access_token",
      "expires_at",
      "expires_in",
      "refresh_token",
      "token_type",
      "user",
    ]);
    expect(browser.events).toContain("SIGNED_IN");
    const claims = await browser.auth.getClaims();
    expect(claims.data?.header.alg).toBe("ES256");
    expect(claims.data?.claims).not.toHaveProperty("email");
    const found = { userId: user.id, role: "artist", aal: "aal1", emailVerified: true };
    expect(await app.authenticate(session.access_token)).toMatchObject(found);
  });

  it("accepts a phone number instead of the address, but not together with it", async () => {
    const { id, email } = await app.user({ phone: "15125550143" });
    const phone = "+1 (512) 555-0143";
    const { user } = sessionOf(await app.client().auth.signInWithPassword({ phone, password: testPassword }));
    expect(user.id).toBe(id);
    const both = { email, phone, password: testPassword };
    expect(await app.json("/auth/v1/token?grant_type=password", { body: both })).toMatchObject({
      status: 400,
      body: { code: "validation_failed" },
    });
  });

  it("returns the protocol's errors for a missing session, a forged token and an ended session", async () => {
    const anonymous = app.client();
    expect((await anonymous.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    const { auth, token } = await app.signedIn();
    expect((await auth.getUser("nonsense.token.here")).error).toMatchObject({ code: "bad_jwt", status: 403 });
    await app.client().auth.admin.signOut(token, "global");
    expect((await auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    await expect(app.authenticate(token)).rejects.toMatchObject({ status: 401, code: "session_not_found" });
    await expect(app.authenticate("nonsense")).rejects.toMatchObject({ status: 401, code: "bad_jwt" });
    expect(await app.authenticate(undefined)).toBeNull();
  });

  it("creates a missing profile as promoter with the name of the metadata", async () => {
    const user = await app.user({ role: "artist" });
    await app.db.deleteFrom("profiles").where("user_id", "=", user.id).execute();
    const user_metadata = JSON.stringify({ name: "Meta Name" });
    await app.db.updateTable("users").set({ user_metadata }).where("id", "=", user.id).execute();
    const { access_token: token } = await app.client().signIn(user);
    expect(await app.authenticate(token)).toMatchObject({ role: "promoter", name: "Meta Name" });
  });

  it("returns 400 for a suspended user's sign-in and renewal, and 403 for other calls", async () => {
    const { user, session, auth } = await app.signedIn();
    await auth.resetPasswordForEmail(user.email);
    const banned_until = new Date("9999-01-01");
    await app.db.updateTable("users").set({ banned_until }).where("id", "=", user.id).execute();
    const { token: token_hash } = await app.lastMessage(user.email);
    for (const [path, body, status] of [
      ["/token?grant_type=password", { email: user.email, password: testPassword }, 400],
      ["/token?grant_type=refresh_token", { refresh_token: session.refresh_token }, 400],
      ["/verify", { type: "recovery", token_hash }, 403],
    ] as const)
      expect(await app.json(`/auth/v1${path}`, { body })).toMatchObject({ status, body: { code: "user_banned" } });
  });

  it("returns the last use of an identity", async () => {
    const { user } = (await app.signedIn({ createdAt: new Date("2020-01-01") })).session;
    expect(user.identities?.[0]?.last_sign_in_at).toBe(user.last_sign_in_at);
    expect(user.last_sign_in_at).not.toBe(user.created_at);
  });
});
