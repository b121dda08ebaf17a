import { describe, expect, it } from "vitest";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { makeUser } from "#test/factories/users.ts";
import { setUpAccounts, testPassword, sessionOf } from "#test/harness/accounts.ts";
import { overlapping } from "#test/harness/postgres/overlapping.ts";

const app = setUpAccounts();

const address = () => `${crypto.randomUUID().slice(0, 8)}@people.test`;
type Type = "recovery" | "magiclink" | "email_change";
const open = async (token: string, type: Type = "recovery") =>
  (await app.client().auth.verifyOtp({ token_hash: token, type })).error?.code;
/** Requests recovery links one second apart. Returns their tokens. */
async function recoveryLinks(email: string, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let i = 0; i < count; i++) {
    await app.client().auth.resetPasswordForEmail(email);
    tokens.push((await app.lastMessage(email)).token);
    app.clock.advance(1_000);
  }
  return tokens;
}

describe("recovery", () => {
  it("sets a new password by the emailed link, and sends the events", async () => {
    const user = await app.user();
    const { auth, events } = await app.recover(user.email);
    expect((await app.lastMessage(user.email)).template).toBe("recovery");
    expect(events).toContain("PASSWORD_RECOVERY");
    expect((await auth.updateUser({ password: testPassword })).error?.code).toBe("same_password");
    expect((await auth.updateUser({ password: "another lamp, another curtain" })).error).toBeNull();
    expect(events).toContain("USER_UPDATED");
    expect((await app.lastMessage(user.email)).template).toBe("password_changed");
    expect((await auth.getUser()).error).toBeNull();
    expect((await app.client().signInError(user.email))?.code).toBe("invalid_credentials");
  });

  it("remains valid after further requests, until one of the last three is used", async () => {
    const [oldest = "", ...tokens] = await recoveryLinks((await app.user()).email, 4);
    expect(await open(oldest)).toBe("otp_expired");
    expect(await open(tokens[0] ?? "")).toBeUndefined();
    for (const token of tokens) expect(await open(token)).toBe("otp_expired");
  });

  it("accepts one of two links that are opened at the same moment", async () => {
    const tokens = await recoveryLinks((await app.user()).email, 2);
    const codes = await Promise.all([...tokens, ...tokens].map((token) => open(token)));
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
  });
});

describe("link", () => {
  it("expires after an hour for a recovery, and after ten minutes for a sign-in", async () => {
    const { email } = await app.user();
    const [token = ""] = await recoveryLinks(email, 1);
    await app.client().auth.signInWithOtp({ email });
    const signIn = await app.lastMessage(email);
    app.clock.advance(601_000);
    expect(await open(signIn.token, "magiclink")).toBe("otp_expired");
    app.clock.advance(3_000_000);
    expect(await open(token)).toBe("otp_expired");
  });

  it("is refused for another purpose, and for every invitation", async () => {
    const { email } = await app.user();
    await app.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const { token, code } = await app.lastMessage(email);
    expect(await open(token)).toBe("otp_expired");
    for (const proof of [{ token_hash: token }, { email, token: code }])
      expect(await app.json("/auth/v1/verify", { body: { type: "invite", ...proof } })).toMatchObject({
        status: 403,
        body: { code: "otp_expired" },
      });
    expect(await open(token, "magiclink")).toBeUndefined();
  });
});

describe("sign-in code", () => {
  it("signs in by email and by SMS", async () => {
    const { id, email } = await app.user({ phone: "15125550177" });
    const { auth } = app.client();
    await auth.signInWithOtp({ email });
    const { code: token } = await app.lastMessage(email);
    expect(sessionOf(await auth.verifyOtp({ email, token, type: "email" })).user.id).toBe(id);
    const phone = "+15125550177";
    await auth.signInWithOtp({ phone });
    const sms = await app.lastMessage(phone);
    expect(sms.channel).toBe("sms");
    expect(sessionOf(await auth.verifyOtp({ phone, token: sms.code, type: "sms" })).user.id).toBe(id);
  });

  it("remains valid when a stranger requests others and enters wrong ones, and is void once one was used", async () => {
    const phone = "+15125550178";
    await app.user({ phone });
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
    const unknown = address();
    for (const email of [(await app.user()).email, unknown])
      for (const call of ["recover", "otp", "resend"]) {
        const body = { email, create_user: false, type: "signup" };
        expect(await app.json(`/auth/v1/${call}`, { body })).toEqual({ status: 200, body: {} });
      }
    expect(await app.messagesTo(unknown)).toEqual([]);
  });
});

describe("change of address", () => {
  it("requires both mailboxes, and notifies the old one", async () => {
    const { user, auth } = await app.signedIn();
    const wanted = address();
    expect((await auth.updateUser({ email: wanted })).data.user?.new_email).toBe(wanted);
    const [older, newer] = [await app.lastMessage(user.email), await app.lastMessage(wanted)];
    const half = await app.client().auth.verifyOtp({ token_hash: newer.token, type: "email_change" });
    expect(half).toMatchObject({ error: null, data: { session: null } });
    expect((await auth.getUser()).data.user?.email).toBe(user.email);
    const whole = sessionOf(await app.client().auth.verifyOtp({ token_hash: older.token, type: "email_change" }));
    expect(whole.user).toMatchObject({ id: user.id, email: wanted });
    expect((await app.lastMessage(user.email)).template).toBe("email_changed");
    expect(await app.authenticate(whole.access_token)).toMatchObject({ email: wanted, emailVerified: true });
  });

  it("refuses the old mailbox's consent to another new address", async () => {
    const { user, auth } = await app.signedIn();
    const [honest, thief] = [address(), address()];
    await auth.updateUser({ email: honest });
    const older = await app.lastMessage(user.email);
    await auth.updateUser({ email: thief });
    const { token } = await app.lastMessage(thief);
    expect(await open(token, "email_change")).toBeUndefined();
    expect(await open(older.token, "email_change")).toBe("otp_expired");
    expect((await auth.getUser()).data.user?.email).toBe(user.email);
  });

  it("is refused if another account takes the address at the same moment", async () => {
    const { auth, user } = await app.signedIn();
    const wanted = address();
    await auth.updateUser({ email: wanted });
    const [older, newer] = [await app.lastMessage(user.email), await app.lastMessage(wanted)];
    expect(await open(newer.token, "email_change")).toBeUndefined();
    const taken = await overlapping(
      app,
      (tx) => makeUser(tx, { email: wanted }),
      () => open(older.token, "email_change"),
    );
    expect(taken).toBe("email_exists");
    expect((await auth.getUser()).data.user?.email).toBe(user.email);
  });

  it("never moves to another account's address, and does not reveal it", async () => {
    const other = await app.user();
    const { auth } = await app.signedIn();
    expect((await auth.updateUser({ email: other.email })).error).toBeNull();
    expect(await app.messagesTo(other.email)).toEqual([]);
  });
});

describe("cancellation of a change", () => {
  it("voids the links when the user enters the own address or a new password", async () => {
    const { user, auth } = await app.signedIn();
    const undo = [
      () => auth.updateUser({ email: user.email.toUpperCase() }),
      () => auth.updateUser({ password: "quite other words" }),
    ];
    for (const back of undo) {
      const wanted = address();
      expect((await auth.updateUser({ email: wanted })).data.user?.new_email).toBe(wanted);
      const links = [await app.lastMessage(user.email), await app.lastMessage(wanted)];
      expect((await back()).data.user?.new_email).toBeUndefined();
      for (const { token } of links) expect(await open(token, "email_change")).toBe("otp_expired");
      app.clock.advance(1_000);
    }
    expect((await auth.getUser()).data.user?.email).toBe(user.email);
  });

  it("voids the code when the user enters the own number or a new password", async () => {
    const { auth } = await app.signedIn({ phone: "15125550181" });
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
  const activityOf = (id: string) => app.db.selectFrom("activity").select("message").where("ref_id", "=", id).execute();
  const signInBy = async (phone: string) =>
    (await app.client().auth.signInWithPassword({ phone, password: testPassword })).error?.code;

  it("verifies the new number by its code, notifies the mailbox and both numbers, and is logged", async () => {
    const [phone, former] = ["+15125550188", "+15125550187"];
    const { user, auth } = await app.signedIn({ phone: former });
    await app.client().auth.signInWithOtp({ phone: former });
    const old = await app.lastMessage(former);
    await auth.updateUser({ phone });
    const { code: token } = await app.lastMessage(phone);
    expect(await app.messagesTo(user.email)).toEqual([]);
    const session = sessionOf(await auth.verifyOtp({ phone, token, type: "phone_change" }));
    expect(session.user).toMatchObject({ phone: "15125550188" });
    const mail = await app.lastMessage(user.email);
    expect(mail.text).toContain("ends in 188");
    for (const number of [phone, former])
      expect(await app.lastMessage(number)).toMatchObject({ channel: "sms", token: mail.token });
    expect([mail.template, (await app.lastMessage(former)).template]).toEqual(["phone_changed", "phone_changed"]);
    expect(await activityOf(user.id)).toEqual([{ message: "A user changed their phone number" }]);
    const { error } = await app.client().auth.verifyOtp({ phone: former, token: old.code, type: "sms" });
    expect(error?.code).toBe("otp_expired");
    expect(await signInBy(phone)).toBeUndefined();
  });

  it("accepts the own number at any time, and another one with an emailed code, which works once", async () => {
    const { user, auth } = await app.signedIn({ phone: "15125550183" });
    app.clock.advance(6 * minuteMs);
    expect((await auth.updateUser({ data: { name: "New Name" }, phone: "+15125550183" })).error).toBeNull();
    await auth.reauthenticate();
    const { code: nonce } = await app.lastMessage(user.email);
    expect((await auth.updateUser({ phone: "+15125550184", nonce })).error).toBeNull();
    expect((await app.lastMessage("+15125550184")).template).toBe("one_time_code");
    expect((await auth.updateUser({ phone: "+15125550185", nonce })).error?.code).toBe("reauthentication_not_valid");
    expect(await app.messagesTo("+15125550185")).toEqual([]);
  });

  it("removes the number when the new one is empty, with a notice and a log entry", async () => {
    const phone = "+15125550182";
    const { user, auth } = await app.signedIn({ phone });
    expect((await auth.updateUser({ phone: "" })).data.user?.phone).toBe("");
    expect((await app.lastMessage(user.email)).subject).toBe("Your phone number was removed");
    expect((await app.lastMessage(phone)).template).toBe("phone_changed");
    expect(await activityOf(user.id)).toEqual([{ message: "A user removed their phone number" }]);
    expect(await signInBy(phone)).toBe("invalid_credentials");
  });

  it("sends one message again, for any number of accounts that wait for the number", async () => {
    const phone = "+15125550189";
    const waiting = [await app.signedIn(), await app.signedIn(), await app.signedIn()];
    for (const { auth } of waiting) {
      await auth.updateUser({ phone });
      app.clock.advance(1_000);
    }
    expect((await app.client().auth.resend({ type: "phone_change", phone })).error).toBeNull();
    expect(await app.messagesTo(phone)).toHaveLength(4);
    const [, , last] = waiting;
    const { code: token } = await app.lastMessage(phone);
    const session = sessionOf(await app.client().auth.verifyOtp({ phone, token, type: "phone_change" }));
    expect(session.user.id).toBe(last?.user.id);
  });
});
