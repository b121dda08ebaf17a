import { describe, expect, it } from "vitest";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { setUpAccounts, testPassword } from "#test/harness/accounts.ts";
import { overlapping } from "#test/harness/postgres/overlapping.ts";

const app = setUpAccounts();

async function withFactor() {
  const browser = await app.signedIn();
  return { ...browser, ...(await app.addFactor(browser, "phone")) };
}
/** Signs the user in with the password only, in another browser. */
async function weakly(user: { email: string }) {
  const browser = app.client();
  const { access_token: token } = await browser.signIn(user);
  return { ...browser, token };
}
const nextStep = () => app.clock.advance(31_000);

describe("second factor", () => {
  it("is set up by its picture and first code, and makes the session aal2", async () => {
    const { auth, totp, events, user } = await withFactor();
    expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
    expect(totp.uri).toMatch(/^otpauth:\/\/totp\/Stagedoor:/);
    expect(events).toContain("MFA_CHALLENGE_VERIFIED");
    const levels = { currentLevel: "aal2", nextLevel: "aal2" };
    expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject(levels);
    expect((await auth.mfa.listFactors()).data?.totp).toHaveLength(1);
    expect((await app.lastMessage(user.email)).template).toBe("second_factor_changed");
    const stored = await app.db.selectFrom("factors").select("secret").where("user_id", "=", user.id).execute();
    expect(JSON.stringify(stored)).not.toContain(totp.secret);
  });

  it("is not set up for an account that is deleted at the same moment", async () => {
    const { user, auth } = await app.signedIn();
    const enrolled = await overlapping(
      app,
      (tx) => tx.updateTable("users").set({ deleted_at: app.clock.now() }).where("id", "=", user.id).execute(),
      () => auth.mfa.enroll({ factorType: "totp" }),
    );
    expect(enrolled.error?.code).toBe("user_not_found");
  });

  it("is required on every guarded call of a session with only the password", async () => {
    const { user, factorId, code } = await withFactor();
    const { auth, token } = await weakly(user);
    await expect(app.authenticate(token)).rejects.toMatchObject({ status: 401, code: "insufficient_aal" });
    for (const response of [
      await auth.updateUser({ password: "words of a thief, long" }),
      await auth.updateUser({ data: { name: "Thief" } }),
      await auth.mfa.enroll({ factorType: "totp" }),
      await auth.mfa.unenroll({ factorId }),
      await auth.mfa.recoveryCodes.generate(),
    ])
      expect(response.error?.code).toBe("insufficient_aal");
    nextStep();
    const { data } = await auth.mfa.challengeAndVerify({ factorId, code: code() });
    expect(await app.authenticate(data?.access_token)).toMatchObject({ aal: "aal2" });
  });

  it("is required to end other sessions, and the password alone ends its own", async () => {
    const owner = await withFactor();
    const statusOf = async (token: string) => (await app.send("/auth/v1/user", { token })).status;
    for (const [scope, status] of [
      ["others", 401],
      ["global", 401],
      ["local", 204],
    ] as const) {
      const { token } = await weakly(owner.user);
      const response = await app.send(`/auth/v1/logout?scope=${scope}`, { method: "POST", token });
      expect(response.status).toBe(status);
      expect(await statusOf(owner.token)).toBe(200);
      expect(await statusOf(token)).toBe(scope === "others" ? 200 : 403);
    }
    const thief = await weakly(owner.user);
    expect((await thief.auth.signOut()).error).toBeNull();
    expect(thief.events).toContain("SIGNED_OUT");
    expect((await owner.auth.signOut({ scope: "others" })).error).toBeNull();
    const rows = await app.db.selectFrom("sessions").select("aal").where("user_id", "=", owner.user.id).execute();
    expect(rows).toEqual([{ aal: "aal2" }]);
  });

  it("is not replaced by a recovery through the mailbox", async () => {
    const { auth } = await app.recover((await withFactor()).user.email);
    expect((await auth.updateUser({ password: "words of a thief, long" })).error?.code).toBe("insufficient_aal");
  });

  it("accepts each code once over all sessions", async () => {
    const { user, factorId, code, auth } = await withFactor();
    nextStep();
    const other = await weakly(user);
    const proof = { factorId, code: code() };
    const responses = await Promise.all([auth, other.auth].map((one) => one.mfa.challengeAndVerify(proof)));
    const codes = responses.map(({ error }) => error?.code);
    expect(new Set(codes)).toEqual(new Set([undefined, "mfa_verification_failed"]));
  });

  it("leaves no older refresh token with the new level or valid next to the new one", async () => {
    const { auth, session, ...browser } = await app.signedIn();
    await app.addFactor({ ...browser, auth });
    const renewBefore = () => app.client().auth.refreshSession({ refresh_token: session.refresh_token });
    const { data: asBefore } = await renewBefore();
    expect(asBefore.session?.refresh_token).toBe(session.refresh_token);
    await expect(app.authenticate(asBefore.session?.access_token)).rejects.toMatchObject({ code: "insufficient_aal" });
    const { data: renewed } = await auth.refreshSession();
    expect(await app.authenticate(renewed.session?.access_token)).toMatchObject({ aal: "aal2" });
    expect((await auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe("aal2");
    expect((await renewBefore()).error?.code).toBe("refresh_token_already_used");
    expect((await auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
  });

  it("ends every other session and the second level of this one when it is removed", async () => {
    const { auth, user, factorId, code } = await withFactor();
    const other = await weakly(user);
    nextStep();
    const { data: strong } = await other.auth.mfa.challengeAndVerify({ factorId, code: code() });
    expect(await app.authenticate(strong?.access_token)).toMatchObject({ aal: "aal2" });
    expect((await auth.mfa.unenroll({ factorId })).error).toBeNull();
    const { data } = await auth.refreshSession();
    expect(await app.authenticate(data.session?.access_token)).toMatchObject({ aal: "aal1" });
    expect((await other.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
    // A new factor does not make the ended session valid again.
    await app.addFactor({ auth });
    await expect(app.authenticate(strong?.access_token)).rejects.toMatchObject({ code: "session_not_found" });
  });

  it("belongs to its owner only", async () => {
    const { factorId, code } = await withFactor();
    const { auth } = await app.signedIn();
    for (const response of [
      await auth.mfa.challengeAndVerify({ factorId, code: code() }),
      await auth.mfa.unenroll({ factorId }),
      await auth.mfa.challenge({ factorId: "not-a-uuid" }),
    ])
      expect(response.error?.code).toBe("mfa_factor_not_found");
  });

  it("is removed by its owner together with its recovery codes", async () => {
    const { auth, factorId, user } = await withFactor();
    expect((await auth.mfa.recoveryCodes.generate()).error).toBeNull();
    expect((await auth.mfa.unenroll({ factorId })).error).toBeNull();
    expect((await auth.mfa.recoveryCodes.getStatus()).error?.code).toBe("mfa_factor_not_found");
    expect(await app.authenticate((await weakly(user)).token)).toMatchObject({ aal: "aal1" });
  });

  it("is removed after five minutes only with the password or a code of the factor", async () => {
    const [first, second] = [await withFactor(), await withFactor()];
    app.clock.advance(6 * minuteMs);
    for (const { auth, factorId } of [first, second])
      expect((await auth.mfa.unenroll({ factorId })).error?.code).toBe("reauthentication_needed");
    const remove = (body: object) =>
      app.json(`/auth/v1/factors/${first.factorId}`, { method: "DELETE", token: first.token, body });
    const refused = { status: 403, body: { code: "reauthentication_not_valid" } };
    expect(await remove({ password: "not the password" })).toMatchObject(refused);
    expect((await first.auth.mfa.listFactors()).data?.totp).toHaveLength(1);
    expect((await remove({ password: testPassword })).status).toBe(200);
    const { auth, factorId, code } = second;
    await auth.mfa.challengeAndVerify({ factorId, code: code() });
    expect((await auth.mfa.unenroll({ factorId })).error).toBeNull();
  });

  it("is removed by an admin with a reason if it was lost, and the user is signed out and notified", async () => {
    const { user, auth } = await withFactor();
    const { call } = await app.as(await app.user({ role: "admin" }));
    const remove = (reason: string) => call("POST", `/admin/users/${user.id}/reset-second-factor`, { reason });
    expect((await remove("")).status).toBe(400);
    expect(await remove("Lost the telephone")).toMatchObject({ status: 200, body: { hasSecondFactor: false } });
    expect((await remove("Lost the telephone")).status).toBe(409);
    expect((await auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    const message = await app.lastMessage(user.email);
    expect(message.template).toBe("second_factor_changed");
    expect(message.text.replaceAll(/\s+/g, " ")).toMatch(
      /An admin removed .+ All devices .+ If you asked an admin for it,/,
    );
    expect((await (await app.as(user)).call("GET", "/me")).status).toBe(200);
  });
});

describe("recovery code", () => {
  it("opens the second level once, and is displayed once", async () => {
    const { auth, user } = await withFactor();
    const { codes = [] } = (await auth.mfa.recoveryCodes.generate()).data ?? {};
    expect(codes).toHaveLength(10);
    const other = await weakly(user);
    const verify = async (code = "") => (await other.auth.mfa.recoveryCodes.verify({ code })).error?.code;
    expect(await verify(codes[0]?.toUpperCase())).toBeUndefined();
    expect((await app.lastMessage(user.email)).template).toBe("recovery_code_used");
    expect((await other.auth.mfa.recoveryCodes.getStatus()).data).toMatchObject({ total: 10, remaining: 9 });
    expect(await verify(codes[0])).toBe("mfa_verification_failed");
    const again = await auth.mfa.recoveryCodes.regenerate();
    expect(again.data?.codes).not.toContain(codes[1]);
    await other.signIn(user);
    expect(await verify(codes[1])).toBe("mfa_verification_failed");
  });
});
