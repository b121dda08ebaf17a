import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeAt } from "../mfa/totp.ts";
import { type AccountsApp, testPassword, accountsApp, sessionOf } from "#test/harness/accounts.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
afterAll(() => app.close());

const address = () => `change-${crypto.randomUUID().slice(0, 8)}@people.test`;
let numbers = 0;
const number = () => `1512${String(5_560_000 + (numbers += 1)).padStart(7, "0")}`;
const otherPassword = "quite other words, spoken softly";

const signedIn = async (requested: Parameters<AccountsApp["user"]>[0] = {}) => {
  const user = await app.user(requested);
  const browser = app.client();
  const session = sessionOf(await browser.auth.signInWithPassword({ email: user.email, password: testPassword }));
  return { user, ...browser, token: session.access_token };
};

async function call(token: string, method: string, path: string, body?: object) {
  const response = await app.send(path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: (text ? JSON.parse(text) : {}) as { code?: string; msg?: string; id?: string },
  };
}

async function addFactor(auth: Awaited<ReturnType<typeof signedIn>>["auth"], friendlyName = "Phone") {
  const { data, error } = await auth.mfa.enroll({ factorType: "totp", friendlyName });
  if (error) throw error;
  const code = codeAt(data.totp.secret, app.clock.now());
  const verified = await auth.mfa.challengeAndVerify({ factorId: data.id, code });
  if (verified.error) throw verified.error;
  return { id: data.id, secret: data.totp.secret, token: verified.data.access_token };
}

const undo = (token: string) => call("", "POST", "/api/account-changes/undo", { token });
const accountOf = (id: string) =>
  app.services.database.db
    .selectFrom("users")
    .select(["email", "phone", "password_hash", "banned_until"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
const sessionsOf = async (userId: string) =>
  (await app.services.database.db.selectFrom("sessions").select("id").where("user_id", "=", userId).execute()).length;
const factorsOf = async (userId: string) =>
  (
    await app.services.database.db
      .selectFrom("factors")
      .select(["id"])
      .where("user_id", "=", userId)
      .where("status", "=", "verified")
      .execute()
  ).map(({ id }) => id);
const later = (minutes: number) => app.clock.advance(minutes * minuteMs);

describe("stolen access token, six minutes after its owner signed in", () => {
  it("cannot change any sign-in method", async () => {
    const { user, token } = await signedIn({ phone: number() });
    await app.client().auth.signInWithPassword({ email: user.email, password: testPassword });
    const { body: waiting } = await call(token, "POST", "/auth/v1/factors", { factor_type: "totp" });
    later(6);
    const other = await app.services.database.db
      .selectFrom("sessions")
      .select("id")
      .where("user_id", "=", user.id)
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow();
    const ways: [string, string, object?][] = [
      ["PUT", "/auth/v1/user", { password: otherPassword }],
      ["PUT", "/auth/v1/user", { email: address() }],
      ["PUT", "/auth/v1/user", { phone: `+${number()}` }],
      ["PUT", "/auth/v1/user", { phone: "" }],
      ["POST", "/auth/v1/factors", { factor_type: "totp", friendly_name: "Thief" }],
      ["POST", "/auth/v1/logout?scope=others"],
      ["DELETE", `/api/me/sessions/${other.id}`],
      ["POST", "/api/me/reauthenticate", {}],
      ["POST", "/api/me/export", {}],
      ["POST", "/api/me/delete", {}],
    ];
    const before = await accountOf(user.id);
    for (const [method, path, body] of ways) {
      const { status, body: response } = await call(token, method, path, body);
      expect([path, response.code, [400, 403].includes(status)]).toEqual([path, "reauthentication_needed", true]);
    }
    const challenge = await call(token, "POST", `/auth/v1/factors/${waiting.id}/challenge`, {});
    const verify = { challenge_id: challenge.body.id, code: "123456" };
    expect((await call(token, "POST", `/auth/v1/factors/${waiting.id}/verify`, verify)).body.code).toBe(
      "reauthentication_needed",
    );
    for (const proof of [{ current_password: "a guess of the thief" }, { nonce: "123456" }])
      expect((await call(token, "PUT", "/auth/v1/user", { password: otherPassword, ...proof })).body.code).toBe(
        "reauthentication_not_valid",
      );
    expect(await accountOf(user.id)).toEqual(before);
    expect(await sessionsOf(user.id)).toBe(2);
    // Signing out everywhere ends only the thief's own session.
    expect(await call(token, "POST", "/auth/v1/logout?scope=global")).toMatchObject({
      status: 403,
      body: { code: "reauthentication_needed" },
    });
    expect(await sessionsOf(user.id)).toBe(1);
  });

  it("cannot remove a factor or make recovery codes for an account with two factors", async () => {
    const { user, auth } = await signedIn();
    const factor = await addFactor(auth);
    await auth.mfa.recoveryCodes.generate();
    later(6);
    const ways: [string, string, object?][] = [
      ["DELETE", `/auth/v1/factors/${factor.id}`],
      ["POST", "/auth/v1/factors", { factor_type: "totp" }],
      ["POST", "/auth/v1/factors/recovery-codes", {}],
      ["POST", "/auth/v1/factors/recovery-codes/regenerate", {}],
      ["DELETE", "/auth/v1/factors/recovery-codes"],
    ];
    const { data } = await auth.getSession();
    for (const [method, path, body] of ways)
      expect((await call(data.session?.access_token ?? "", method, path, body)).body.code, path).toBe(
        "reauthentication_needed",
      );
    expect(await factorsOf(user.id)).toEqual([factor.id]);
  });
});

describe("reauthentication by the unmodified client", () => {
  it("accepts the current password, the emailed code, and a new sign-in", async () => {
    const { user, auth } = await signedIn();
    later(6);
    expect((await auth.updateUser({ password: otherPassword })).error).toMatchObject({
      status: 400,
      code: "reauthentication_needed",
    });
    expect((await auth.updateUser({ password: otherPassword, current_password: testPassword })).error).toBeNull();
    later(6);
    await auth.reauthenticate();
    const { code } = await app.lastMessage(user.email);
    expect((await auth.updateUser({ nonce: code })).error).toBeNull();
    expect((await auth.mfa.enroll({ factorType: "totp" })).error).toBeNull();
    later(6);
    expect((await auth.mfa.enroll({ factorType: "totp" })).error?.code).toBe("reauthentication_needed");
    sessionOf(await auth.signInWithPassword({ email: user.email, password: otherPassword }));
    expect((await auth.mfa.enroll({ factorType: "totp" })).error).toBeNull();
  });

  it("refuses a code that another session requested", async () => {
    const { user, auth } = await signedIn();
    const other = app.client();
    await other.auth.signInWithPassword({ email: user.email, password: testPassword });
    later(6);
    await auth.reauthenticate();
    const { code } = await app.lastMessage(user.email);
    expect((await other.auth.updateUser({ nonce: code })).error?.code).toBe("reauthentication_not_valid");
    expect((await auth.updateUser({ nonce: code })).error).toBeNull();
  });

  it("allows a user without a password to set the first one within five minutes of verifying the mailbox", async () => {
    const user = await app.user();
    await app.services.database.db
      .updateTable("users")
      .set({ password_hash: null })
      .where("id", "=", user.id)
      .execute();
    const { auth } = app.client();
    await auth.signInWithOtp({ email: user.email });
    sessionOf(
      await auth.verifyOtp({ email: user.email, token: (await app.lastMessage(user.email)).code, type: "email" }),
    );
    expect((await auth.updateUser({ password: otherPassword })).error).toBeNull();
  });
});

describe("notice of a change", () => {
  it("is sent to every old and new address and number, and the change ends the other sessions", async () => {
    const [phone, newPhone] = [number(), number()];
    const { user, auth } = await signedIn({ phone });
    await app.client().auth.signInWithPassword({ email: user.email, password: testPassword });
    await auth.updateUser({ phone: `+${newPhone}` });
    const { code } = await app.lastMessage(`+${newPhone}`);
    sessionOf(await auth.verifyOtp({ phone: `+${newPhone}`, token: code, type: "phone_change" }));
    const links = new Set<string>();
    for (const to of [user.email, `+${phone}`, `+${newPhone}`]) {
      const { template, token } = await app.lastMessage(to);
      expect([to, template]).toEqual([to, "phone_changed"]);
      links.add(token);
    }
    expect(links.size).toBe(1);
    expect([...links][0]?.length).toBeGreaterThanOrEqual(43);
    expect(await sessionsOf(user.id)).toBe(1);
    const kept = JSON.stringify(await app.services.database.db.selectFrom("account_changes").selectAll().execute());
    expect(kept).not.toContain([...links][0]);
  });

  it("is sent by email and SMS for a password", async () => {
    const phone = number();
    const { user, auth } = await signedIn({ phone });
    await auth.updateUser({ password: otherPassword });
    expect((await app.lastMessage(user.email)).template).toBe("password_changed");
    expect((await app.lastMessage(`+${phone}`)).text).toContain("/auth/undo?token_hash=");
  });
});

describe("This was not me", () => {
  it("removes the new password, ends every session, and leaves the mailbox as the sign-in method", async () => {
    const { user, auth } = await signedIn();
    await auth.updateUser({ password: otherPassword });
    const { token } = await app.lastMessage(user.email);
    expect(await undo(token)).toMatchObject({ status: 200, body: { undone: ["password"], needsAdmin: false } });
    expect(await sessionsOf(user.id)).toBe(0);
    for (const password of [testPassword, otherPassword])
      expect((await app.client().auth.signInWithPassword({ email: user.email, password })).error?.code).toBe(
        "invalid_credentials",
      );
    expect(await app.lastMessage(user.email)).toMatchObject({ template: "account_change_undone" });
    const owner = app.client();
    await owner.auth.resetPasswordForEmail(user.email);
    sessionOf(await owner.auth.verifyOtp({ token_hash: (await app.lastMessage(user.email)).token, type: "recovery" }));
    expect((await owner.auth.updateUser({ password: "words of the owner alone" })).error).toBeNull();
  });

  it("works once, refuses an unknown link, and expires after seven days", async () => {
    const { user, auth } = await signedIn();
    await auth.updateUser({ password: otherPassword });
    const { token } = await app.lastMessage(user.email);
    expect((await undo("x".repeat(43))).status).toBe(409);
    expect((await undo(token)).status).toBe(200);
    expect(await undo(token)).toMatchObject({ status: 409, body: { code: "link_ended" } });

    const second = await signedIn();
    await second.auth.updateUser({ password: otherPassword });
    const late = await app.lastMessage(second.user.email);
    later(7 * 24 * 60 + 1);
    expect(await undo(late.token)).toMatchObject({ status: 409, body: { code: "link_ended" } });
    expect((await accountOf(second.user.id)).password_hash).not.toBeNull();
    const third = await signedIn();
    await third.auth.updateUser({ password: otherPassword });
    const inTime = await app.lastMessage(third.user.email);
    later(7 * 24 * 60 - 1);
    expect((await undo(inTime.token)).status).toBe(200);
  });

  it("removes a thief's factor, and recovery opens the account again", async () => {
    const { user, auth } = await signedIn();
    await addFactor(auth, "Thief");
    const { token } = await app.lastMessage(user.email);
    await auth.mfa.recoveryCodes.generate();
    expect((await undo(token)).body).toMatchObject({ undone: ["factor_added", "recovery_codes"] });
    expect(await factorsOf(user.id)).toEqual([]);
    const codes = await app.services.database.db
      .selectFrom("recovery_codes")
      .select("hash")
      .where("user_id", "=", user.id)
      .execute();
    expect(codes).toEqual([]);
    const owner = app.client();
    await owner.auth.resetPasswordForEmail(user.email);
    sessionOf(await owner.auth.verifyOtp({ token_hash: (await app.lastMessage(user.email)).token, type: "recovery" }));
    expect((await owner.auth.updateUser({ password: otherPassword })).error).toBeNull();
  });

  it("restores a removed factor with its secret", async () => {
    const { user, auth } = await signedIn();
    const factor = await addFactor(auth);
    app.clock.advance(1_000);
    expect((await auth.mfa.unenroll({ factorId: factor.id })).error).toBeNull();
    const { token } = await app.lastMessage(user.email);
    expect((await undo(token)).body).toMatchObject({ undone: ["factor_removed"] });
    expect(await factorsOf(user.id)).toEqual([factor.id]);
    later(1);
    const owner = app.client();
    await owner.auth.resetPasswordForEmail(user.email);
    sessionOf(await owner.auth.verifyOtp({ token_hash: (await app.lastMessage(user.email)).token, type: "recovery" }));
    const code = codeAt(factor.secret, app.clock.now());
    expect((await owner.auth.mfa.challengeAndVerify({ factorId: factor.id, code })).error).toBeNull();
  });

  it("restores the former address by the old mailbox's link, and undoes all later changes", async () => {
    const phone = number();
    const { user, auth } = await signedIn({ phone });
    const stolen = address();
    await auth.updateUser({ email: stolen });
    for (const to of [stolen, user.email])
      await auth.verifyOtp({ token_hash: (await app.lastMessage(to)).token, type: "email_change" });
    const notice = await app.lastMessage(user.email);
    expect(notice.template).toBe("email_changed");
    expect((await app.lastMessage(stolen)).template).toBe("email_changed");
    app.clock.advance(1_000);
    expect((await auth.updateUser({ phone: "" })).error).toBeNull();
    app.clock.advance(1_000);
    expect((await auth.updateUser({ password: otherPassword })).error).toBeNull();
    expect((await undo(notice.token)).body).toMatchObject({ undone: ["email", "phone", "password"] });
    expect(await accountOf(user.id)).toMatchObject({ email: user.email, phone, password_hash: null });
    const owner = app.client();
    await owner.auth.resetPasswordForEmail(stolen);
    await expect(app.lastMessage(stolen)).resolves.toMatchObject({ template: "account_change_undone" });
    await owner.auth.resetPasswordForEmail(user.email);
    expect((await app.lastMessage(user.email)).template).toBe("recovery");
  });

  it("suspends the account if another account has the former address, and notifies the admins", async () => {
    const admin = await app.user({ role: "admin" });
    const { user, auth } = await signedIn();
    const stolen = address();
    await auth.updateUser({ email: stolen });
    for (const to of [stolen, user.email])
      await auth.verifyOtp({ token_hash: (await app.lastMessage(to)).token, type: "email_change" });
    const { token } = await app.lastMessage(user.email);
    await app.user({ email: user.email });
    expect((await undo(token)).body).toMatchObject({ undone: ["email"], needsAdmin: true });
    const account = await accountOf(user.id);
    expect(account.email).toBe(stolen);
    expect(account.banned_until?.getFullYear()).toBe(9999);
    const { rows } = await sql`select topic from event_outbox where body->>'cause' = 'suspended'
      and body->>'userId' = ${user.id}`.execute(app.database.db);
    expect(rows).toEqual([{ topic: "user.access_changed" }]);
    expect(await app.lastMessage(admin.email)).toMatchObject({
      template: "request_waits",
      subject: "Action required: review an account",
    });
  });
});
