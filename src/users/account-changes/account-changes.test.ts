import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { makeUser } from "#test/factories/users.ts";
import { type AccountsApp, setUpAccounts, testPassword, sessionOf } from "#test/harness/accounts.ts";
import { overlapping } from "#test/harness/postgres/overlapping.ts";

const app = setUpAccounts();

const address = () => `change-${crypto.randomUUID().slice(0, 8)}@people.test`;
let numbers = 0;
const number = () => `1512${String(5_560_000 + (numbers += 1)).padStart(7, "0")}`;
const otherPassword = "quite other words, spoken softly";

type SignedIn = Pick<Awaited<ReturnType<AccountsApp["signedIn"]>>, "user" | "auth">;
type Way = [method: string, path: string, body?: object];
const call = (token: string, [method, path, body]: Way) => app.json(path, { method, token, ...(body ? { body } : {}) });
const undo = (token: string) => app.json("/api/account-changes/undo", { body: { token } });
/** Changes the password and returns the link of its notice. */
async function changePassword({ user, auth }: SignedIn): Promise<string> {
  expect((await auth.updateUser({ password: otherPassword })).error).toBeNull();
  return (await app.lastMessage(user.email)).token;
}
/** Changes the address with the consent of both mailboxes. */
async function changeAddress({ user, auth }: SignedIn): Promise<string> {
  const stolen = address();
  await auth.updateUser({ email: stolen });
  for (const to of [stolen, user.email])
    await auth.verifyOtp({ token_hash: (await app.lastMessage(to)).token, type: "email_change" });
  for (const to of [stolen, user.email]) expect((await app.lastMessage(to)).template).toBe("email_changed");
  return stolen;
}
const accountOf = (id: string) =>
  app.db
    .selectFrom("users")
    .select(["email", "phone", "password_hash", "banned_until"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
const sessionsOf = (userId: string) =>
  app.db.selectFrom("sessions").select("id").where("user_id", "=", userId).orderBy("created_at").execute();
const factorsOf = (userId: string) =>
  app.db.selectFrom("factors").select("id").where("user_id", "=", userId).where("status", "=", "verified").execute();
const later = (minutes: number) => app.clock.advance(minutes * minuteMs);

describe("stolen access token, six minutes after its owner signed in", () => {
  it("cannot change any sign-in method", async () => {
    const { user, token } = await app.signedIn({ phone: number() });
    await app.client().signIn(user);
    const { body: waiting } = await call(token, ["POST", "/auth/v1/factors", { factor_type: "totp" }]);
    later(6);
    const [, other] = await sessionsOf(user.id);
    const factor = `/auth/v1/factors/${waiting["id"]}`;
    const challenge = await call(token, ["POST", `${factor}/challenge`, {}]);
    const ways: Way[] = [
      ["PUT", "/auth/v1/user", { password: otherPassword }],
      ["PUT", "/auth/v1/user", { email: address() }],
      ["PUT", "/auth/v1/user", { phone: `+${number()}` }],
      ["PUT", "/auth/v1/user", { phone: "" }],
      ["POST", "/auth/v1/factors", { factor_type: "totp", friendly_name: "Thief" }],
      ["POST", `${factor}/verify`, { challenge_id: challenge.body["id"], code: "123456" }],
      ["POST", "/auth/v1/logout?scope=others"],
      ["DELETE", `/api/me/sessions/${other?.id}`],
      ["POST", "/api/me/reauthenticate", {}],
      ["POST", "/api/me/export", {}],
      ["POST", "/api/me/delete", {}],
    ];
    const before = await accountOf(user.id);
    for (const way of ways) {
      const { status, body } = await call(token, way);
      expect([body.code, status], way[1]).toEqual(["reauthentication_needed", way[1].startsWith("/api") ? 403 : 400]);
    }
    const wrong: Way[] = [
      ["PUT", "/auth/v1/user", { password: otherPassword, current_password: "a guess of the thief" }],
      ["PUT", "/auth/v1/user", { password: otherPassword, nonce: "123456" }],
      ["PUT", "/auth/v1/user", { phone: "", nonce: "123456" }],
      ["POST", "/api/me/export", { password: "a guess of the thief" }],
    ];
    for (const way of wrong) expect((await call(token, way)).body.code, way[1]).toBe("reauthentication_not_valid");
    expect(await accountOf(user.id)).toEqual(before);
    expect(await sessionsOf(user.id)).toHaveLength(2);
    // Signing out everywhere ends only the thief's own session.
    expect(await call(token, ["POST", "/auth/v1/logout?scope=global"])).toMatchObject({
      status: 403,
      body: { code: "reauthentication_needed" },
    });
    expect(await sessionsOf(user.id)).toEqual([other]);
  });

  it("cannot remove a factor or make recovery codes for an account with two factors", async () => {
    const { user, auth } = await app.signedIn();
    const { factorId, token } = await app.addFactor({ auth });
    await auth.mfa.recoveryCodes.generate();
    later(6);
    const ways: Way[] = [
      ["DELETE", `/auth/v1/factors/${factorId}`],
      ["POST", "/auth/v1/factors", { factor_type: "totp" }],
      ["POST", "/auth/v1/factors/recovery-codes", {}],
      ["POST", "/auth/v1/factors/recovery-codes/regenerate", {}],
      ["DELETE", "/auth/v1/factors/recovery-codes"],
    ];
    for (const way of ways) expect((await call(token, way)).body.code, way[1]).toBe("reauthentication_needed");
    expect(await factorsOf(user.id)).toEqual([{ id: factorId }]);
  });
});

describe("reauthentication by the unmodified client", () => {
  it("accepts the current password, the emailed code, and a new sign-in, but no renewal of the session", async () => {
    const { user, auth } = await app.signedIn();
    later(25 * 60);
    sessionOf(await auth.refreshSession());
    const needed = { status: 400, code: "reauthentication_needed" };
    expect((await auth.updateUser({ password: otherPassword })).error).toMatchObject(needed);
    expect((await auth.updateUser({ password: otherPassword, current_password: testPassword })).error).toBeNull();
    later(6);
    await auth.reauthenticate();
    const { code } = await app.lastMessage(user.email);
    const wrong = code === "000000" ? "000001" : "000000";
    expect((await auth.updateUser({ nonce: wrong })).error?.code).toBe("reauthentication_not_valid");
    expect((await auth.updateUser({ nonce: code })).error).toBeNull();
    expect((await auth.mfa.enroll({ factorType: "totp" })).error).toBeNull();
    later(6);
    expect((await auth.mfa.enroll({ factorType: "totp" })).error).toMatchObject(needed);
    sessionOf(await auth.signInWithPassword({ email: user.email, password: otherPassword }));
    expect((await auth.mfa.enroll({ factorType: "totp" })).error).toBeNull();
  });

  it("refuses a code that another session requested", async () => {
    const { user, auth } = await app.signedIn();
    const other = app.client();
    await other.signIn(user);
    later(6);
    await auth.reauthenticate();
    const { code } = await app.lastMessage(user.email);
    expect((await other.auth.updateUser({ nonce: code })).error?.code).toBe("reauthentication_not_valid");
    expect((await auth.updateUser({ nonce: code })).error).toBeNull();
  });

  it("allows a user without a password to set the first one within five minutes of verifying the mailbox", async () => {
    const { id, email } = await app.user();
    await app.db.updateTable("users").set({ password_hash: null }).where("id", "=", id).execute();
    const { auth } = app.client();
    await auth.signInWithOtp({ email });
    sessionOf(await auth.verifyOtp({ email, token: (await app.lastMessage(email)).code, type: "email" }));
    expect((await auth.updateUser({ password: otherPassword })).error).toBeNull();
  });
});

describe("notice of a change", () => {
  it("is sent by email and SMS with the same link, which is not stored", async () => {
    const phone = number();
    const token = await changePassword(await app.signedIn({ phone }));
    expect(token.length).toBeGreaterThanOrEqual(43);
    const sms = await app.lastMessage(`+${phone}`);
    expect(sms.template).toBe("password_changed");
    expect(sms.text).toContain(`/auth/undo?token_hash=${token}`);
    expect(JSON.stringify(await app.db.selectFrom("account_changes").selectAll().execute())).not.toContain(token);
  });
});

describe("This was not me", () => {
  it("removes the new password, ends every session, and leaves the mailbox as the sign-in method", async () => {
    const changed = await app.signedIn();
    const { id, email } = changed.user;
    const token = await changePassword(changed);
    expect((await app.lastMessage(email)).template).toBe("password_changed");
    expect(await undo(token)).toMatchObject({ status: 200, body: { undone: ["password"], needsAdmin: false } });
    expect(await sessionsOf(id)).toEqual([]);
    for (const password of [testPassword, otherPassword])
      expect((await app.client().signInError(email, password))?.code).toBe("invalid_credentials");
    expect((await app.lastMessage(email)).template).toBe("account_change_undone");
    const owner = await app.recover(email);
    expect((await owner.auth.updateUser({ password: "words of the owner alone" })).error).toBeNull();
  });

  it("works once, refuses an unknown link, and expires after seven days", async () => {
    const ended = { status: 409, body: { code: "link_ended" } };
    const [first, second] = [await app.signedIn(), await app.signedIn()];
    const [token, late] = [await changePassword(first), await changePassword(second)];
    expect(await undo("x".repeat(43))).toMatchObject(ended);
    later(7 * 24 * 60 - 1);
    expect((await undo(token)).status).toBe(200);
    expect(await undo(token)).toMatchObject(ended);
    later(2);
    expect(await undo(late)).toMatchObject(ended);
    expect((await accountOf(second.user.id)).password_hash).not.toBeNull();
  });

  it("removes a thief's factor, and recovery opens the account again", async () => {
    const { user, auth } = await app.signedIn();
    await app.addFactor({ auth }, "Thief");
    const { token } = await app.lastMessage(user.email);
    await auth.mfa.recoveryCodes.generate();
    expect((await undo(token)).body).toMatchObject({ undone: ["factor_added", "recovery_codes"] });
    expect(await factorsOf(user.id)).toEqual([]);
    const codes = await app.db.selectFrom("recovery_codes").select("hash").where("user_id", "=", user.id).execute();
    expect(codes).toEqual([]);
    const owner = await app.recover(user.email);
    expect((await owner.auth.updateUser({ password: otherPassword })).error).toBeNull();
  });

  it("restores a removed factor with its secret", async () => {
    const { user, auth } = await app.signedIn();
    const { factorId, code } = await app.addFactor({ auth });
    app.clock.advance(1_000);
    expect((await auth.mfa.unenroll({ factorId })).error).toBeNull();
    expect((await undo((await app.lastMessage(user.email)).token)).body).toMatchObject({ undone: ["factor_removed"] });
    expect(await factorsOf(user.id)).toEqual([{ id: factorId }]);
    later(1);
    const owner = await app.recover(user.email);
    expect((await owner.auth.mfa.challengeAndVerify({ factorId, code: code() })).error).toBeNull();
  });

  it("restores a removed factor whose name was given to others since", async () => {
    const { user, auth } = await app.signedIn();
    const { factorId } = await app.addFactor({ auth }, "Phone");
    const other = await app.addFactor({ auth }, "Phone (2)");
    app.clock.advance(1_000);
    expect((await auth.mfa.unenroll({ factorId })).error).toBeNull();
    const { token } = await app.lastMessage(user.email);
    expect((await auth.mfa.enroll({ factorType: "totp", friendlyName: "Phone" })).error).toBeNull();
    expect((await undo(token)).body).toMatchObject({ undone: ["factor_removed"] });
    expect(new Set((await factorsOf(user.id)).map(({ id }) => id))).toEqual(new Set([factorId, other.factorId]));
  });

  it("restores the former address by the old mailbox's link, and undoes all later changes", async () => {
    const phone = number();
    const changed = await app.signedIn({ phone });
    const { id, email } = changed.user;
    const stolen = await changeAddress(changed);
    const { token } = await app.lastMessage(email);
    app.clock.advance(1_000);
    expect((await changed.auth.updateUser({ phone: "" })).error).toBeNull();
    app.clock.advance(1_000);
    await changePassword(changed);
    expect((await undo(token)).body).toMatchObject({ undone: ["email", "phone", "password"] });
    expect(await accountOf(id)).toMatchObject({ email, phone, password_hash: null });
    await app.client().auth.resetPasswordForEmail(stolen);
    expect((await app.lastMessage(stolen)).template).toBe("account_change_undone");
    await app.recover(email);
  });

  it("suspends the account if another account has the former address, and notifies the admins", async () => {
    const admin = await app.user({ role: "admin" });
    const changed = await app.signedIn();
    const { id, email } = changed.user;
    const stolen = await changeAddress(changed);
    const { token } = await app.lastMessage(email);
    // At the same moment, so the former address was still free when it was looked up.
    const undone = await overlapping(
      app,
      (tx) => makeUser(tx, { email }),
      () => undo(token),
    );
    expect(undone.body).toMatchObject({ undone: ["email"], needsAdmin: true });
    const account = await accountOf(id);
    expect(account.email).toBe(stolen);
    expect(account.banned_until?.getUTCFullYear()).toBe(9999);
    const { rows } = await sql`select topic from event_outbox where body->>'cause' = 'suspended'
      and body->>'userId' = ${id}`.execute(app.db);
    expect(rows).toEqual([{ topic: "user.access_changed" }]);
    expect(await app.lastMessage(admin.email)).toMatchObject({
      template: "request_waits",
      subject: "Action required: review an account",
    });
  });
});
