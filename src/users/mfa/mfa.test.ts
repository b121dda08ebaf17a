import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticate } from "../index.ts";
import { type AccountsApp, testPassword, accountsApp, sessionOf } from "#test/harness/accounts.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { codeAt } from "./totp.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
afterAll(() => app.close());

async function withFactor() {
  const user = await app.user();
  const browser = app.client();
  sessionOf(await browser.auth.signInWithPassword({ email: user.email, password: testPassword }));
  const enrolled = await browser.auth.mfa.enroll({ factorType: "totp", friendlyName: "phone" });
  if (enrolled.error) throw enrolled.error;
  const { secret } = enrolled.data.totp;
  const factorId = enrolled.data.id;
  const code = () => codeAt(secret, app.services.clock.now());
  const verified = await browser.auth.mfa.challengeAndVerify({ factorId, code: code() });
  if (verified.error) throw verified.error;
  return { user, ...browser, factorId, code, enrolled: enrolled.data, session: verified.data };
}

const nextStep = () => app.clock.advance(31_000);

describe("second factor", () => {
  it("is set up by its picture and first code, and makes the session aal2", async () => {
    const { auth, enrolled, events, user } = await withFactor();
    expect(enrolled.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
    expect(enrolled.totp.uri).toMatch(/^otpauth:\/\/totp\/Stagedoor:/);
    expect(events).toContain("MFA_CHALLENGE_VERIFIED");
    expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: "aal2",
      nextLevel: "aal2",
    });
    expect((await auth.mfa.listFactors()).data?.totp).toHaveLength(1);
    expect((await app.lastMessage(user.email)).template).toBe("second_factor_changed");
    const { secret } = await app.services.database.db
      .selectFrom("factors")
      .select("secret")
      .where("user_id", "=", user.id)
      .executeTakeFirstOrThrow();
    expect(secret).not.toContain(enrolled.totp.secret);
  });

  it("is required on every guarded call of a session with only the password", async () => {
    const { user, factorId, code } = await withFactor();
    const { auth } = app.client();
    const session = sessionOf(await auth.signInWithPassword({ email: user.email, password: testPassword }));
    await expect(authenticate(app.services, session.access_token)).rejects.toMatchObject({
      status: 401,
      code: "insufficient_aal",
    });
    for (const response of [
      await auth.updateUser({ password: "words of a thief, long" }),
      await auth.updateUser({ data: { name: "Thief" } }),
      await auth.mfa.enroll({ factorType: "totp" }),
      await auth.mfa.unenroll({ factorId }),
      await auth.mfa.recoveryCodes.generate(),
    ]) {
      expect(response.error?.code).toBe("insufficient_aal");
    }
    nextStep();
    expect((await auth.mfa.challengeAndVerify({ factorId, code: code() })).error).toBeNull();
    const strong = (await auth.getSession()).data.session?.access_token;
    expect(await authenticate(app.services, strong)).toMatchObject({ aal: "aal2" });
  });

  it("is required to end other sessions, and the password alone ends its own", async () => {
    const owner = await withFactor();
    const readUser = (token: string) => app.send("/auth/v1/user", { headers: { authorization: `Bearer ${token}` } });
    const strong = (await owner.auth.getSession()).data.session?.access_token ?? "";
    for (const [scope, status] of [
      ["others", 401],
      ["global", 401],
      ["local", 204],
    ] as const) {
      const thief = app.client();
      const { access_token: token } = sessionOf(
        await thief.auth.signInWithPassword({ email: owner.user.email, password: testPassword }),
      );
      const headers = { authorization: `Bearer ${token}` };
      const response = await app.send(`/auth/v1/logout?scope=${scope}`, { method: "POST", headers });
      expect(response.status).toBe(status);
      expect((await readUser(strong)).status).toBe(200);
      expect((await readUser(token)).status).toBe(scope === "others" ? 200 : 403);
    }
    const thief = app.client();
    sessionOf(await thief.auth.signInWithPassword({ email: owner.user.email, password: testPassword }));
    expect((await thief.auth.signOut()).error).toBeNull();
    expect(thief.events).toContain("SIGNED_OUT");
    expect((await readUser(strong)).status).toBe(200);
    expect((await owner.auth.signOut({ scope: "others" })).error).toBeNull();
    const rows = await app.services.database.db
      .selectFrom("sessions")
      .select("aal")
      .where("user_id", "=", owner.user.id)
      .execute();
    expect(rows).toEqual([{ aal: "aal2" }]);
  });

  it("is not replaced by a code of the mailbox or a recovery", async () => {
    const { user } = await withFactor();
    const { auth } = app.client();
    await auth.resetPasswordForEmail(user.email);
    sessionOf(await auth.verifyOtp({ token_hash: (await app.lastMessage(user.email)).token, type: "recovery" }));
    expect((await auth.updateUser({ password: "words of a thief, long" })).error?.code).toBe("insufficient_aal");
  });

  it("accepts each code once over all sessions", async () => {
    const { user, factorId, code, auth } = await withFactor();
    nextStep();
    const typed = code();
    const other = app.client();
    sessionOf(await other.auth.signInWithPassword({ email: user.email, password: testPassword }));
    const answers = await Promise.all(
      [auth, other.auth].map((one) => one.mfa.challengeAndVerify({ factorId, code: typed })),
    );
    expect(answers.filter((response) => response.error === null)).toHaveLength(1);
    expect(answers.find((response) => response.error)?.error?.code).toBe("mfa_verification_failed");
  });

  it("leaves no older refresh token with the new level or valid next to the new one", async () => {
    const user = await app.user();
    const { auth } = app.client();
    const weak = sessionOf(await auth.signInWithPassword({ email: user.email, password: testPassword }));
    const enrolled = await auth.mfa.enroll({ factorType: "totp" });
    if (enrolled.error) throw enrolled.error;
    await auth.mfa.challengeAndVerify({
      factorId: enrolled.data.id,
      code: codeAt(enrolled.data.totp.secret, app.services.clock.now()),
    });
    const before = { refresh_token: weak.refresh_token };
    const asBefore = sessionOf(await app.client().auth.refreshSession(before));
    expect(asBefore.refresh_token).toBe(weak.refresh_token);
    await expect(authenticate(app.services, asBefore.access_token)).rejects.toMatchObject({ code: "insufficient_aal" });
    const { access_token: renewed } = sessionOf(await auth.refreshSession());
    expect(await authenticate(app.services, renewed)).toMatchObject({ aal: "aal2" });
    expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe("aal2");
    expect((await app.client().auth.refreshSession(before)).error?.code).toBe("refresh_token_already_used");
    expect((await auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
  });

  it("ends every other session and the second level of this one when it is removed", async () => {
    const { auth, user, factorId, code } = await withFactor();
    const other = app.client();
    sessionOf(await other.auth.signInWithPassword({ email: user.email, password: testPassword }));
    nextStep();
    const strong = await other.auth.mfa.challengeAndVerify({ factorId, code: code() });
    expect(await authenticate(app.services, strong.data?.access_token)).toMatchObject({ aal: "aal2" });
    expect((await auth.mfa.unenroll({ factorId })).error).toBeNull();
    expect(await authenticate(app.services, sessionOf(await auth.refreshSession()).access_token)).toMatchObject({
      aal: "aal1",
    });
    expect((await other.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
    const enrolled = await auth.mfa.enroll({ factorType: "totp" });
    if (enrolled.error) throw enrolled.error;
    const proof = { factorId: enrolled.data.id, code: codeAt(enrolled.data.totp.secret, app.services.clock.now()) };
    expect((await auth.mfa.challengeAndVerify(proof)).error).toBeNull();
    await expect(authenticate(app.services, strong.data?.access_token)).rejects.toMatchObject({
      code: "session_not_found",
    });
  });

  it("belongs to its owner only", async () => {
    const { factorId, code } = await withFactor();
    const user = await app.user();
    const { auth } = app.client();
    sessionOf(await auth.signInWithPassword({ email: user.email, password: testPassword }));
    expect((await auth.mfa.challengeAndVerify({ factorId, code: code() })).error?.code).toBe("mfa_factor_not_found");
    expect((await auth.mfa.unenroll({ factorId })).error?.code).toBe("mfa_factor_not_found");
    expect((await auth.mfa.challenge({ factorId: "not-a-uuid" })).error?.code).toBe("mfa_factor_not_found");
  });

  it("is removed by its owner together with its recovery codes", async () => {
    const { auth, factorId, user } = await withFactor();
    expect((await auth.mfa.recoveryCodes.generate()).error).toBeNull();
    expect((await auth.mfa.unenroll({ factorId })).error).toBeNull();
    expect((await auth.mfa.recoveryCodes.getStatus()).error?.code).toBe("mfa_factor_not_found");
    const weak = sessionOf(await app.client().auth.signInWithPassword({ email: user.email, password: testPassword }));
    expect(await authenticate(app.services, weak.access_token)).toMatchObject({ aal: "aal1" });
  });
});

describe("removal of a second factor", () => {
  it("requires the password or a code of the factor after five minutes", async () => {
    const { auth, session, factorId } = await withFactor();
    app.clock.advance(6 * minuteMs);
    expect((await auth.mfa.unenroll({ factorId })).error?.code).toBe("reauthentication_needed");
    const remove = (proof: object) =>
      app.send(`/auth/v1/factors/${factorId}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${session.access_token}`, "content-type": "application/json" },
        body: JSON.stringify(proof),
      });
    const wrong = await remove({ password: "not the password" });
    expect([wrong.status, ((await wrong.json()) as { code: string }).code]).toEqual([
      403,
      "reauthentication_not_valid",
    ]);
    expect((await auth.mfa.listFactors()).data?.totp).toHaveLength(1);
    expect((await remove({ password: testPassword })).status).toBe(200);

    const second = await withFactor();
    app.clock.advance(6 * minuteMs);
    expect((await second.auth.mfa.unenroll({ factorId: second.factorId })).error?.code).toBe("reauthentication_needed");
    await second.auth.mfa.challengeAndVerify({ factorId: second.factorId, code: second.code() });
    expect((await second.auth.mfa.unenroll({ factorId: second.factorId })).error).toBeNull();
  });
});

describe("lost second factor", () => {
  it("is removed by an admin with a reason, and the user is signed out and notified", async () => {
    const { user, auth } = await withFactor();
    const admin = await app.as(await app.user({ role: "admin" }));
    const url = `/admin/users/${user.id}/reset-second-factor`;
    expect((await admin.call("POST", url, { reason: "" })).status).toBe(400);
    expect(await admin.call("POST", url, { reason: "Lost the telephone" })).toMatchObject({
      status: 200,
      body: { hasSecondFactor: false },
    });
    expect((await admin.call("POST", url, { reason: "Lost the telephone" })).status).toBe(409);
    expect((await auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    expect((await app.lastMessage(user.email)).template).toBe("second_factor_changed");
    expect((await (await app.as(user)).call("GET", "/me")).status).toBe(200);
  });
});

describe("recovery code", () => {
  it("opens the second level once, and is displayed once", async () => {
    const { auth, user } = await withFactor();
    const made = await auth.mfa.recoveryCodes.generate();
    if (made.error) throw made.error;
    expect(made.data.codes).toHaveLength(10);
    const other = app.client();
    sessionOf(await other.auth.signInWithPassword({ email: user.email, password: testPassword }));
    const code = made.data.codes[0]?.toUpperCase() ?? "";
    expect((await other.auth.mfa.recoveryCodes.verify({ code })).error).toBeNull();
    const notice = await app.lastMessage(user.email);
    expect(notice.template).toBe("recovery_code_used");
    expect((await other.auth.mfa.recoveryCodes.getStatus()).data).toMatchObject({ total: 10, remaining: 9 });
    expect((await other.auth.mfa.recoveryCodes.verify({ code })).error?.code).toBe("mfa_verification_failed");
    const again = await auth.mfa.recoveryCodes.regenerate();
    expect(again.data?.codes).not.toContain(made.data.codes[1]);
    sessionOf(await other.auth.signInWithPassword({ email: user.email, password: testPassword }));
    expect((await other.auth.mfa.recoveryCodes.verify({ code: made.data.codes[1] ?? "" })).error?.code).toBe(
      "mfa_verification_failed",
    );
  });
});
