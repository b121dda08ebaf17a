import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findActor } from "./index.ts";
import { type Stage, goodPassword, openStage, sessionOf } from "#test/accounts-stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const address = () => `${crypto.randomUUID().slice(0, 8)}@people.test`;
const signedIn = async (wish: Parameters<Stage["user"]>[0] = {}) => {
  const user = await stage.user(wish);
  const browser = stage.client();
  const session = sessionOf(await browser.auth.signInWithPassword({ email: user.email, password: goodPassword }));
  return { user, ...browser, session };
};

describe("recovery", () => {
  it("leads from the mail to a new password, with the event, and ends every other session", async () => {
    const { user, session } = await signedIn();
    const fresh = stage.client();
    expect((await fresh.auth.resetPasswordForEmail(user.email)).error).toBeNull();
    const { token, template } = await stage.lastMessage(user.email);
    expect(template).toBe("recovery");
    sessionOf(await fresh.auth.verifyOtp({ token_hash: token, type: "recovery" }));
    expect(fresh.events).toContain("PASSWORD_RECOVERY");
    expect((await fresh.auth.updateUser({ password: goodPassword })).error?.code).toBe("same_password");
    expect((await fresh.auth.updateUser({ password: "another lamp, another stage" })).error).toBeNull();
    expect(fresh.events).toContain("USER_UPDATED");
    expect((await stage.lastMessage(user.email)).template).toBe("password_changed");
    await expect(findActor(stage.services, session.access_token)).rejects.toMatchObject({ code: "session_not_found" });
    expect((await fresh.auth.getUser()).error).toBeNull();
    expect(
      (await stage.client().auth.signInWithPassword({ email: user.email, password: goodPassword })).error?.code,
    ).toBe("invalid_credentials");
  });

  it("is void after an hour, and after a newer mail", async () => {
    const { email } = await stage.user();
    await stage.client().auth.resetPasswordForEmail(email);
    const old = await stage.lastMessage(email);
    await stage.client().auth.resetPasswordForEmail(email);
    expect((await stage.client().auth.verifyOtp({ token_hash: old.token, type: "recovery" })).error?.code).toBe(
      "otp_expired",
    );
    const newer = await stage.lastMessage(email);
    stage.clock.advance(3_601_000);
    expect((await stage.client().auth.verifyOtp({ token_hash: newer.token, type: "recovery" })).error?.code).toBe(
      "otp_expired",
    );
  });

  it("does not take a link for another purpose than its own", async () => {
    const { email } = await stage.user();
    await stage.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const { token } = await stage.lastMessage(email);
    expect((await stage.client().auth.verifyOtp({ token_hash: token, type: "recovery" })).error?.code).toBe(
      "otp_expired",
    );
    expect((await stage.client().auth.verifyOtp({ token_hash: token, type: "magiclink" })).error).toBeNull();
  });
});

describe("codes", () => {
  it("sign in by mail and by SMS", async () => {
    const user = await stage.user({ phone: "15125550177" });
    await stage.client().auth.signInWithOtp({ email: user.email });
    const mail = await stage.lastMessage(user.email);
    expect(
      sessionOf(await stage.client().auth.verifyOtp({ email: user.email, token: mail.code, type: "email" })).user.id,
    ).toBe(user.id);
    await stage.client().auth.signInWithOtp({ phone: "+15125550177" });
    const sms = await stage.lastMessage("+15125550177");
    expect(sms.channel).toBe("sms");
    expect(
      sessionOf(await stage.client().auth.verifyOtp({ phone: "+15125550177", token: sms.code, type: "sms" })).user.id,
    ).toBe(user.id);
  });

  it("answer an unknown address as a known one", async () => {
    const known = await stage.user();
    const unknown = address();
    for (const call of ["recover", "otp", "resend"]) {
      const [a, b] = await Promise.all(
        [known.email, unknown].map((email) =>
          stage.send(`/auth/v1/${call}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ email, create_user: false, type: "signup" }),
          }),
        ),
      );
      expect(a?.status).toBe(200);
      expect(b?.status).toBe(200);
      expect(await a?.text()).toBe(await b?.text());
    }
    await expect(stage.lastMessage(unknown)).rejects.toThrow("nothing was sent");
  });

  it("asked for again, keep the sign-up with the browser it began in", async () => {
    const email = address();
    const browser = stage.client();
    await browser.auth.signUp({ email, password: goodPassword, options: { data: { name: "Resent" } } });
    await stage.client().auth.resend({ type: "signup", email });
    const { token } = await stage.lastMessage(email);
    const session = sessionOf(await browser.auth.verifyOtp({ token_hash: token, type: "signup" }));
    expect(session.user.app_metadata["has_password"]).toBe(true);
  });
});

describe("changing the address", () => {
  it("needs both mailboxes, and tells the old one", async () => {
    const { user, auth } = await signedIn();
    const wanted = address();
    expect((await auth.updateUser({ email: wanted })).data.user?.new_email).toBe(wanted);
    const [older, newer] = [await stage.lastMessage(user.email), await stage.lastMessage(wanted)];
    const half = await stage.client().auth.verifyOtp({ token_hash: newer.token, type: "email_change" });
    expect(half).toMatchObject({ error: null, data: { session: null } });
    expect((await auth.getUser()).data.user?.email).toBe(user.email);
    const whole = sessionOf(await stage.client().auth.verifyOtp({ token_hash: older.token, type: "email_change" }));
    expect(whole.user).toMatchObject({ id: user.id, email: wanted });
    expect((await stage.lastMessage(user.email)).template).toBe("email_changed");
    expect(await findActor(stage.services, whole.access_token)).toMatchObject({ email: wanted, emailVerified: true });
  });

  it("never moves to an address that somebody else has, and does not say so", async () => {
    const other = await stage.user();
    const { auth } = await signedIn();
    expect((await auth.updateUser({ email: other.email })).error).toBeNull();
    await expect(stage.lastMessage(other.email)).rejects.toThrow("nothing was sent");
  });
});

describe("changing the phone", () => {
  it("proves the new number by its code", async () => {
    const { auth } = await signedIn();
    await auth.updateUser({ phone: "+15125550188" });
    const { code } = await stage.lastMessage("+15125550188");
    const session = sessionOf(await auth.verifyOtp({ phone: "+15125550188", token: code, type: "phone_change" }));
    expect(session.user).toMatchObject({ phone: "15125550188" });
    expect(
      (await stage.client().auth.signInWithPassword({ phone: "+15125550188", password: goodPassword })).error,
    ).toBeNull();
  });
});

describe("an older session", () => {
  it("proves the person again before the password changes", async () => {
    const { user, auth } = await signedIn();
    stage.clock.advance(25 * 3_600_000);
    sessionOf(await auth.refreshSession());
    const password = "after a day, other words";
    expect((await auth.updateUser({ password })).error?.code).toBe("reauthentication_needed");
    expect((await auth.reauthenticate()).error).toBeNull();
    const { code } = await stage.lastMessage(user.email);
    expect((await auth.updateUser({ password, nonce: code === "000000" ? "000001" : "000000" })).error?.code).toBe(
      "reauthentication_not_valid",
    );
    expect((await auth.updateUser({ password, nonce: code })).error).toBeNull();
  });
});
