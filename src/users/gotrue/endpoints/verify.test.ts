import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticate } from "../../index.ts";
import { type AccountsApp, testPassword, accountsApp, sessionOf } from "#test/harness/accounts.ts";
import { minuteMs, hourMs } from "#platform/time/durations.rules.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
afterAll(() => app.close());

const address = () => `${crypto.randomUUID().slice(0, 8)}@people.test`;
const signedIn = async (requested: Parameters<AccountsApp["user"]>[0] = {}) => {
  const user = await app.user(requested);
  const browser = app.client();
  const session = sessionOf(await browser.auth.signInWithPassword({ email: user.email, password: testPassword }));
  return { user, ...browser, session };
};

describe("recovery", () => {
  it("sets a new password by the emailed link, sends the event, and ends every other session", async () => {
    const { user, session } = await signedIn();
    const fresh = app.client();
    expect((await fresh.auth.resetPasswordForEmail(user.email)).error).toBeNull();
    const { token, template } = await app.lastMessage(user.email);
    expect(template).toBe("recovery");
    sessionOf(await fresh.auth.verifyOtp({ token_hash: token, type: "recovery" }));
    expect(fresh.events).toContain("PASSWORD_RECOVERY");
    expect((await fresh.auth.updateUser({ password: testPassword })).error?.code).toBe("same_password");
    expect((await fresh.auth.updateUser({ password: "another lamp, another curtain" })).error).toBeNull();
    expect(fresh.events).toContain("USER_UPDATED");
    expect((await app.lastMessage(user.email)).template).toBe("password_changed");
    await expect(authenticate(app.services, session.access_token)).rejects.toMatchObject({ code: "session_not_found" });
    expect((await fresh.auth.getUser()).error).toBeNull();
    expect(
      (await app.client().auth.signInWithPassword({ email: user.email, password: testPassword })).error?.code,
    ).toBe("invalid_credentials");
  });

  it("expires after an hour", async () => {
    const { email } = await app.user();
    await app.client().auth.resetPasswordForEmail(email);
    const { token } = await app.lastMessage(email);
    app.clock.advance(3_601_000);
    expect((await app.client().auth.verifyOtp({ token_hash: token, type: "recovery" })).error?.code).toBe(
      "otp_expired",
    );
  });

  it("remains valid after further requests, until one of the last three is used", async () => {
    const { email } = await app.user();
    const mails: Awaited<ReturnType<AccountsApp["lastMessage"]>>[] = [];
    for (let i = 0; i < 4; i++) {
      await app.client().auth.resetPasswordForEmail(email);
      mails.push(await app.lastMessage(email));
      app.clock.advance(1_000);
    }
    const open = async (at: number) =>
      (await app.client().auth.verifyOtp({ token_hash: mails[at]?.token ?? "", type: "recovery" })).error?.code;
    expect(await open(0)).toBe("otp_expired");
    expect(await open(1)).toBeUndefined();
    for (const at of [1, 2, 3]) expect(await open(at)).toBe("otp_expired");
  });

  it("accepts one of two links that are opened at the same moment", async () => {
    const { email } = await app.user();
    const mails: Awaited<ReturnType<AccountsApp["lastMessage"]>>[] = [];
    for (let i = 0; i < 2; i++) {
      await app.client().auth.resetPasswordForEmail(email);
      mails.push(await app.lastMessage(email));
      app.clock.advance(1_000);
    }
    const answers = await Promise.all(
      [...mails, ...mails].map(({ token }) => app.client().auth.verifyOtp({ token_hash: token, type: "recovery" })),
    );
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
  });

  it("refuses a link of another purpose", async () => {
    const { email } = await app.user();
    await app.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const { token } = await app.lastMessage(email);
    expect((await app.client().auth.verifyOtp({ token_hash: token, type: "recovery" })).error?.code).toBe(
      "otp_expired",
    );
    expect((await app.client().auth.verifyOtp({ token_hash: token, type: "magiclink" })).error).toBeNull();
  });
});

describe("sign-in code", () => {
  it("signs in by email and by SMS", async () => {
    const user = await app.user({ phone: "15125550177" });
    await app.client().auth.signInWithOtp({ email: user.email });
    const mail = await app.lastMessage(user.email);
    expect(
      sessionOf(await app.client().auth.verifyOtp({ email: user.email, token: mail.code, type: "email" })).user.id,
    ).toBe(user.id);
    await app.client().auth.signInWithOtp({ phone: "+15125550177" });
    const sms = await app.lastMessage("+15125550177");
    expect(sms.channel).toBe("sms");
    expect(
      sessionOf(await app.client().auth.verifyOtp({ phone: "+15125550177", token: sms.code, type: "sms" })).user.id,
    ).toBe(user.id);
  });

  it("remains valid when a stranger requests others and enters wrong ones, and is void once one was used", async () => {
    const phone = "+15125550178";
    await app.user({ phone: "15125550178" });
    const codes: string[] = [];
    for (let i = 0; i < 3; i++) {
      await app.client().auth.signInWithOtp({ phone });
      codes.push((await app.lastMessage(phone)).code);
      app.clock.advance(1_000);
    }
    const wrong = ["000000", "111111", "222222", "333333"].find((code) => !codes.includes(code)) ?? "";
    const type = async (code = "") => (await app.client().auth.verifyOtp({ phone, token: code, type: "sms" })).error;
    for (let i = 0; i < 10; i++) expect((await type(wrong))?.code).toBe("otp_expired");
    expect(await type(codes[0])).toBeNull();
    for (const code of codes) expect((await type(code))?.code).toBe("otp_expired");
  });

  it("returns the same for an unknown address as for a known one", async () => {
    const known = await app.user();
    const unknown = address();
    for (const call of ["recover", "otp", "resend"]) {
      const [a, b] = await Promise.all(
        [known.email, unknown].map((email) =>
          app.send(`/auth/v1/${call}`, {
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
    await expect(app.lastMessage(unknown)).rejects.toThrow("nothing was sent");
  });

  it("retains the browser of the sign-up when it is sent again", async () => {
    const email = address();
    const browser = app.client();
    await browser.auth.signUp({ email, password: testPassword, options: { data: { name: "Resent" } } });
    await app.client().auth.resend({ type: "signup", email });
    const { token } = await app.lastMessage(email);
    const session = sessionOf(await browser.auth.verifyOtp({ token_hash: token, type: "signup" }));
    expect(session.user.app_metadata["has_password"]).toBe(true);
  });
});

describe("change of address", () => {
  it("requires both mailboxes, and notifies the old one", async () => {
    const { user, auth } = await signedIn();
    const wanted = address();
    expect((await auth.updateUser({ email: wanted })).data.user?.new_email).toBe(wanted);
    const [older, newer] = [await app.lastMessage(user.email), await app.lastMessage(wanted)];
    const half = await app.client().auth.verifyOtp({ token_hash: newer.token, type: "email_change" });
    expect(half).toMatchObject({ error: null, data: { session: null } });
    expect((await auth.getUser()).data.user?.email).toBe(user.email);
    const whole = sessionOf(await app.client().auth.verifyOtp({ token_hash: older.token, type: "email_change" }));
    expect(whole.user).toMatchObject({ id: user.id, email: wanted });
    expect((await app.lastMessage(user.email)).template).toBe("email_changed");
    expect(await authenticate(app.services, whole.access_token)).toMatchObject({ email: wanted, emailVerified: true });
  });

  it("refuses the old mailbox's consent to another new address", async () => {
    const { user, auth } = await signedIn();
    const [honest, thief] = [address(), address()];
    await auth.updateUser({ email: honest });
    const older = await app.lastMessage(user.email);
    await auth.updateUser({ email: thief });
    const { token } = await app.lastMessage(thief);
    await app.client().auth.verifyOtp({ token_hash: token, type: "email_change" });
    expect((await app.client().auth.verifyOtp({ token_hash: older.token, type: "email_change" })).error?.code).toBe(
      "otp_expired",
    );
    expect((await auth.getUser()).data.user?.email).toBe(user.email);
  });

  it("never moves to another account's address, and does not reveal it", async () => {
    const other = await app.user();
    const { auth } = await signedIn();
    expect((await auth.updateUser({ email: other.email })).error).toBeNull();
    await expect(app.lastMessage(other.email)).rejects.toThrow("nothing was sent");
  });
});

describe("cancellation of a change", () => {
  it("voids the links when the user enters the own address or a new password", async () => {
    const { user, auth } = await signedIn();
    const undo = [
      () => auth.updateUser({ email: user.email.toUpperCase() }),
      () => auth.updateUser({ password: "quite other words" }),
    ];
    for (const back of undo) {
      const wanted = address();
      expect((await auth.updateUser({ email: wanted })).data.user?.new_email).toBe(wanted);
      const links = [await app.lastMessage(user.email), await app.lastMessage(wanted)];
      expect((await back()).data.user?.new_email).toBeUndefined();
      for (const { token } of links)
        expect((await app.client().auth.verifyOtp({ token_hash: token, type: "email_change" })).error?.code).toBe(
          "otp_expired",
        );
      app.clock.advance(1_000);
    }
    expect((await auth.getUser()).data.user?.email).toBe(user.email);
  });

  it("voids the code when the user enters the own number or a new password", async () => {
    const { auth } = await signedIn({ phone: "15125550181" });
    const undo = [
      () => auth.updateUser({ phone: "+1 512 555 0181" }),
      () => auth.updateUser({ password: "quite other words" }),
    ];
    for (const [at, back] of undo.entries()) {
      const phone = `+1512555019${at}`;
      expect((await auth.updateUser({ phone })).data.user?.new_phone).toBe(phone.slice(1));
      const { code } = await app.lastMessage(phone);
      expect((await back()).data.user?.new_phone).toBeUndefined();
      expect((await auth.verifyOtp({ phone, token: code, type: "phone_change" })).error?.code).toBe("otp_expired");
    }
    expect((await auth.getUser()).data.user?.phone).toBe("15125550181");
  });
});

describe("change of phone number", () => {
  const activityOf = async (id: string) =>
    (await app.services.database.db.selectFrom("activity").select("message").where("ref_id", "=", id).execute()).map(
      ({ message }) => message,
    );

  it("verifies the new number by its code, notifies the mailbox and the old number, and is logged", async () => {
    const { user, auth } = await signedIn({ phone: "15125550187" });
    await app.client().auth.signInWithOtp({ phone: "+15125550187" });
    const old = await app.lastMessage("+15125550187");
    await auth.updateUser({ phone: "+15125550188" });
    const { code } = await app.lastMessage("+15125550188");
    await expect(app.lastMessage(user.email)).rejects.toThrow("nothing was sent");
    const session = sessionOf(await auth.verifyOtp({ phone: "+15125550188", token: code, type: "phone_change" }));
    expect(session.user).toMatchObject({ phone: "15125550188" });
    const mail = await app.lastMessage(user.email);
    expect(mail.template).toBe("phone_changed");
    expect(mail.text).toContain("ends in 188");
    expect(await app.lastMessage("+15125550187")).toMatchObject({ template: "phone_changed", channel: "sms" });
    expect(await activityOf(user.id)).toEqual(["A user changed their phone number"]);
    expect(
      (await app.client().auth.verifyOtp({ phone: "+15125550187", token: old.code, type: "sms" })).error?.code,
    ).toBe("otp_expired");
    expect(
      (await app.client().auth.signInWithPassword({ phone: "+15125550188", password: testPassword })).error,
    ).toBeNull();
  });

  it("requires recent authentication five minutes after the sign-in", async () => {
    const { user, auth } = await signedIn({ phone: "15125550183" });
    app.clock.advance(6 * minuteMs);
    for (const phone of ["+15125550184", ""]) {
      expect((await auth.updateUser({ phone })).error).toMatchObject({ status: 400, code: "reauthentication_needed" });
      expect((await auth.updateUser({ phone, nonce: "12345" })).error?.code).toBe("reauthentication_not_valid");
    }
    await expect(app.lastMessage("+15125550184")).rejects.toThrow("nothing was sent");
    expect((await auth.updateUser({ data: { name: "New Name" }, phone: "+15125550183" })).error).toBeNull();
    await auth.reauthenticate();
    const { code: nonce } = await app.lastMessage(user.email);
    expect((await auth.updateUser({ phone: "+15125550184", nonce })).error).toBeNull();
    expect((await app.lastMessage("+15125550184")).template).toBe("one_time_code");
    expect((await auth.updateUser({ phone: "+15125550185", nonce })).error?.code).toBe("reauthentication_not_valid");
  });

  it("removes the number when the new one is empty, with a notice and a log entry", async () => {
    const { user, auth } = await signedIn({ phone: "15125550182" });
    expect((await auth.updateUser({ phone: "" })).data.user?.phone).toBe("");
    expect((await app.lastMessage(user.email)).subject).toBe("Your phone number was removed");
    expect((await app.lastMessage("+15125550182")).template).toBe("phone_changed");
    expect(await activityOf(user.id)).toEqual(["A user removed their phone number"]);
    expect(
      (await app.client().auth.signInWithPassword({ phone: "+15125550182", password: testPassword })).error?.code,
    ).toBe("invalid_credentials");
  });

  it("sends one message again, for any number of accounts that wait for the number", async () => {
    const phone = "+15125550189";
    for (let i = 0; i < 3; i++) {
      const { auth } = await signedIn();
      await auth.updateUser({ phone });
      app.clock.advance(1_000);
    }
    const { auth, user } = await signedIn();
    await auth.updateUser({ phone });
    const sent = async () =>
      (await app.services.database.db.selectFrom("messages").select("id").where("recipient", "=", phone).execute())
        .length;
    expect(await sent()).toBe(4);
    expect((await app.client().auth.resend({ type: "phone_change", phone })).error).toBeNull();
    expect(await sent()).toBe(5);
    app.clock.advance(1_000);
    const { code } = await app.lastMessage(phone);
    expect(sessionOf(await auth.verifyOtp({ phone, token: code, type: "phone_change" })).user.id).toBe(user.id);
  });
});

describe("older session", () => {
  it("requires reauthentication before the password changes", async () => {
    const { user, auth } = await signedIn();
    app.clock.advance(25 * hourMs);
    sessionOf(await auth.refreshSession());
    const password = "after a day, other words";
    expect((await auth.updateUser({ password })).error?.code).toBe("reauthentication_needed");
    expect((await auth.reauthenticate()).error).toBeNull();
    const { code } = await app.lastMessage(user.email);
    expect((await auth.updateUser({ password, nonce: code === "000000" ? "000001" : "000000" })).error?.code).toBe(
      "reauthentication_not_valid",
    );
    expect((await auth.updateUser({ password, nonce: code })).error).toBeNull();
  });
});
