import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { setUpAccounts, testPassword } from "#test/harness/accounts.ts";
import { isKnownNetwork } from "../sessions/known-networks.store.ts";
import { countCode, countFactorCode, countSignInAttempt } from "../verification/attempt-limits.ts";

const app = setUpAccounts({ RATE_LIMITS: "on" });

let block = 0;
const ip = () => `198.51.${Math.floor(++block / 250)}.${(block % 250) + 1}`;
const newClient = () => app.client({ ip: ip() });
const wrong = "not the password at all";
const tooMany = { kind: "too_many" };
type Tried = { status?: number | undefined } | null;

/** Returns the statuses of repeated attempts, of which each starts after the one before. Undefined is a success. */
async function statusesOf(times: number, attempt: (at: number) => Promise<Tried>): Promise<(number | undefined)[]> {
  const statuses: (number | undefined)[] = [];
  for (let at = 0; at < times; at++) statuses.push((await attempt(at))?.status);
  return statuses;
}
const all = <T>(times: number, work: () => Promise<T>) => Promise.all(Array.from({ length: times }, work));
const tenThen429 = [...Array.from({ length: 10 }, () => 400), 429];
const guessFromEverywhere = (email: string, times: number) => all(times, () => newClient().signInError(email, wrong));
/** A code that differs from the given one. */
const otherCode = (code: string) => (code === "000000" ? "000001" : "000000");

describe("rate limiting", () => {
  it("blocks a guesser after ten wrong passwords, with longer waits each time, but not the owner elsewhere", async () => {
    const { email } = await app.user();
    const stranger = newClient();
    const guess = () => stranger.signInError(email, wrong);
    expect(await statusesOf(11, guess)).toEqual(tenThen429);
    const refused = { status: 429, code: "over_request_rate_limit" };
    expect(await stranger.signInError(email)).toMatchObject(refused);
    expect(await newClient().signInError(email)).toBeNull();
    for (let round = 0; round < 3; round++) {
      app.clock.advance(901_000);
      await statusesOf(12, guess);
    }
    app.clock.advance(901_000);
    expect((await guess())?.status).toBe(429);
    app.clock.advance(6 * hourMs);
    expect((await guess())?.status).toBe(400);
  });

  it("counts an unknown address like a known one, and parallel guesses before they are checked", async () => {
    const client = newClient();
    expect(await statusesOf(11, () => client.signInError("nobody@people.test", wrong))).toEqual(tenThen429);
    const { email } = await app.user();
    const stranger = newClient();
    const errors = await all(20, () => stranger.signInError(email, wrong));
    expect(errors.filter((error) => error?.status === 400)).toHaveLength(10);
  });

  it("ignores the password of an unconfirmed second sign-up, because a reset would reveal the account", async () => {
    const guesser = { ip: ip() };
    const words = "words of a stranger";
    for (const email of [(await app.user()).email, "new-here@people.test"]) {
      await newClient().auth.signUp({ email, password: words });
      const guess = (at: number) => app.client(guesser).signInError(email, at % 3 === 2 ? words : wrong);
      expect(await statusesOf(11, guess)).toEqual(tenThen429);
    }
  });

  it("resets the failures of a caller who then enters the right password or code", async () => {
    const { email } = await app.user();
    const owner = newClient();
    const verify = async (token: string) => (await owner.auth.verifyOtp({ email, token, type: "email" })).error;
    for (let round = 0; round < 3; round++) {
      await statusesOf(9, () => owner.signInError(email, wrong));
      expect(await owner.signInError(email)).toBeNull();
      await owner.auth.signInWithOtp({ email });
      const { code } = await app.lastMessage(email);
      await statusesOf(4, () => verify(otherCode(code)));
      expect(await verify(code)).toBeNull();
    }
  });

  it("counts an IPv6 /64 as one caller, and never blocks the owner's known network for an attacker with many addresses", async () => {
    const { email } = await app.user();
    expect(await app.client({ ip: "2001:db8:1:1::1" }).signInError(email)).toBeNull();
    const guess = (at: number) => app.client({ ip: `2001:db8:2:2::${at + 1}` }).signInError(email, wrong);
    expect(await statusesOf(11, guess)).toEqual(tenThen429);
    await guessFromEverywhere(email, 105);
    expect((await newClient().signInError(email))?.status).toBe(429);
    expect(await app.client({ ip: "2001:db8:1:1:ffff::9" }).signInError(email)).toBeNull();
  });

  it("never blocks the owner's known network after signing out everywhere, for any attempts from elsewhere", async () => {
    const home = { ip: "203.0.113.5" };
    const { user, auth, signInError } = await app.signedIn({}, home);
    const { email } = user;
    expect((await auth.signOut({ scope: "global" })).error).toBeNull();
    await guessFromEverywhere(email, 100);
    expect((await newClient().signInError(email))?.status).toBe(429);
    await all(20, () => newClient().auth.resetPasswordForEmail(email));
    expect((await newClient().auth.resetPasswordForEmail(email)).error?.status).toBe(429);

    expect((await auth.resetPasswordForEmail(email)).error).toBeNull();
    expect(await app.client(home).signInError(email)).toBeNull();
    expect(await signInError(email)).toBeNull();
  });

  it("remembers the owner's networks for 90 days", async () => {
    const home = "203.0.113.6";
    const { email } = await app.user();
    const isOwn = () => isKnownNetwork(app.services, { column: "email", value: email }, home);
    expect(await isOwn()).toBe(false);
    const browser = app.client({ ip: home });
    await browser.signIn({ email });
    await browser.auth.signOut();
    app.clock.advance(89 * dayMs);
    await app.deleteExpired();
    expect(await isOwn()).toBe(true);
    app.clock.advance(2 * dayMs);
    await app.deleteExpired();
    expect(await isOwn()).toBe(false);
    const { rows } = await sql`select from known_networks where position(${home} in known_networks::text) > 0`.execute(
      app.db,
    );
    expect(rows).toEqual([]);
  });

  it("blocks entered codes per network, but accepts the code in the owner's network and the link everywhere", async () => {
    const home = { ip: "203.0.113.7" };
    const { user, auth } = await app.signedIn({}, home);
    const { email } = user;
    await auth.signOut();
    await auth.signInWithOtp({ email });
    const { code, token } = await app.lastMessage(email);
    const guess = async (from: { ip: string }, typed = otherCode(code)) =>
      (await app.client(from).auth.verifyOtp({ email, token: typed, type: "email" })).error;
    const strangers = Array.from({ length: 6 }, () => ({ ip: ip() }));
    for (const from of strangers) for (let i = 0; i < 5; i++) expect((await guess(from))?.code).toBe("otp_expired");
    for (const from of [...strangers.slice(0, 1), { ip: ip() }]) expect((await guess(from, code))?.status).toBe(429);
    expect(await guess(home, code)).toBeNull();
    await auth.signInWithOtp({ email });
    const later = await app.lastMessage(email);
    expect(later.token).not.toBe(token);
    const { error } = await newClient().auth.verifyOtp({ token_hash: later.token, type: "magiclink" });
    expect(error).toBeNull();
  });

  it("never blocks the owner's second step for an attacker with only the password", async () => {
    const { user, ...home } = await app.signedIn({}, { ip: "203.0.113.8" });
    const { factorId, code } = await app.addFactor(home);
    const step = async ({ auth }: Pick<typeof home, "auth">, typed = code()) =>
      (await auth.mfa.challengeAndVerify({ factorId, code: typed })).error;
    for (let i = 0; i < 6; i++) {
      app.clock.advance(31_000);
      expect(await step(home)).toBeNull();
    }
    app.clock.advance(31_000);
    await home.auth.signOut();

    const statuses: (number | undefined)[] = [];
    for (let i = 0; i < 7; i++) {
      const thief = newClient();
      await thief.signIn(user);
      statuses.push(...(await statusesOf(5, () => step(thief, otherCode(code())))));
    }
    expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(30);
    expect(statuses.slice(-5)).toEqual([429, 429, 429, 429, 429]);
    await home.signIn(user);
    expect(await step(home)).toBeNull();
  });

  it("limits the challenges of an authenticator app to 30 in 15 minutes", async () => {
    const { auth } = await app.signedIn({}, { ip: ip() });
    const { factorId } = await app.addFactor({ auth });
    const challenge = async () => (await auth.mfa.challenge({ factorId })).error;
    // The first of the 30 added the factor.
    expect(await statusesOf(30, challenge)).toEqual([...Array.from({ length: 29 }, () => undefined), 429]);
    app.clock.advance(901_000);
    expect(await challenge()).toBeNull();
  });

  it("counts wrong passwords of a reauthentication and of a change with those of sign-ins, and a right one not", async () => {
    const home = { ip: ip() };
    const { user, token } = await app.signedIn({}, home);
    const enter = (password: string, from = ip()) =>
      app.json("/api/me/reauthenticate", { token, headers: { "x-forwarded-for": from }, body: { password } });
    const change = (from = ip()) =>
      app.json("/auth/v1/user", {
        method: "PUT",
        token,
        headers: { "x-forwarded-for": from },
        body: { password: "words of a thief at night", current_password: wrong },
      });
    const thief = ip();
    expect(await statusesOf(11, () => enter(wrong, thief))).toEqual([...Array.from({ length: 10 }, () => 403), 429]);
    expect((await newClient().signInError(user.email, wrong))?.status).toBe(400);
    const statuses = await all(110, async () => (await (block % 2 ? enter(wrong) : change())).status);
    expect(statuses.filter((status) => status === 403).length).toBe(89);
    expect((await newClient().signInError(user.email, wrong))?.status).toBe(429);
    expect((await enter(testPassword, home.ip)).status).toBe(200);
  });

  it("opens at most thirty sessions with the right password in a quarter of an hour", async () => {
    const { email } = await app.user();
    const signIn = () => app.client().signInError(email);
    for (let at = 0; at < 30; at += 1) expect(await signIn()).toBeNull();
    const message = expect.stringContaining("Too many attempts");
    expect(await signIn()).toMatchObject({ status: 429, message });
    app.clock.advance(901_000);
    expect(await signIn()).toBeNull();
  });

  it("blocks guesses through an unlisted proxy after five hundred failures an hour", async () => {
    const through = { services: app.services, block: ip(), isShared: true };
    let number = 0;
    const guess = (from = through) =>
      countSignInAttempt(from, { column: "email", value: `sprayed-${number++}@example.test` });
    for (let sent = 0; sent < 480; sent += 20) await all(20, () => guess());
    // A successful sign-in does not count.
    await (await guess()).succeeded();
    await all(20, () => guess());
    await expect(guess()).rejects.toMatchObject(tooMany);
    await guess({ ...through, block: ip() });
    app.clock.advance(3_601_000);
    await guess();
  });

  it.each([
    ["passwords", 100, countSignInAttempt],
    ["one-time codes", 30, (at, { value }) => countCode(at, value)],
    ["second-factor codes", 30, (at, { value }) => countFactorCode(at, value)],
  ] as const satisfies [string, number, typeof countSignInAttempt][])(
    "counts only wrong %s from everywhere, and a correct one takes back only its own count",
    async (_, max, count) => {
      const lookup = { column: "id", value: randomUUID() } as const;
      const attempt = () => count({ services: app.services, block: ip() }, lookup);
      for (let entered = 0; entered < 101; entered += 1) await (await attempt()).succeeded();
      await all(max - 1, attempt);
      await (await attempt()).succeeded();
      await attempt();
      await expect(attempt()).rejects.toMatchObject(tooMany);
    },
  );

  it("limits SMS to five numbers a day per user and ten messages a day per number", async () => {
    const { auth } = await app.signedIn({}, { ip: ip() });
    const change = async (at: number) => (await auth.updateUser({ phone: `+1512555020${at}` })).error;
    expect(await statusesOf(6, change)).toEqual([...Array.from({ length: 5 }), 429]);
    const resend = async () => (await newClient().auth.resend({ type: "phone_change", phone: "+15125550209" })).error;
    expect((await statusesOf(11, resend)).slice(-2)).toEqual([undefined, 429]);
  });

  it("counts a reauthentication code by SMS as an SMS to that number", async () => {
    const { user, auth } = await app.signedIn({}, { ip: ip() });
    const phone = "15125550277";
    const change = { phone, phone_confirmed_at: app.clock.now(), email_confirmed_at: null };
    await app.db.updateTable("users").set(change).where("id", "=", user.id).execute();
    // The owner's network is known and passes the limit of ten a day, but its messages count.
    for (let hour = 0; hour < 3; hour++) {
      for (let i = 0; i < 4; i++) expect((await auth.reauthenticate()).error).toBeNull();
      app.clock.advance(3_601_000);
      await auth.refreshSession();
    }
    expect((await newClient().auth.signInWithOtp({ phone: `+${phone}` })).error?.status).toBe(429);
  });

  it("limits emails to one address, known or not", async () => {
    for (const email of [(await app.user()).email, "unknown@people.test"]) {
      const { auth } = newClient();
      const reset = async () => (await auth.resetPasswordForEmail(email)).error;
      expect(await statusesOf(6, reset)).toEqual([...Array.from({ length: 5 }), 429]);
    }
  });
});
