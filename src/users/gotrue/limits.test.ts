import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountsApp, testPassword, accountsApp } from "#test/harness/accounts.ts";
import { hourMs, dayMs } from "#platform/time/durations.rules.ts";
import { codeAt } from "../mfa/totp.ts";
import { usersJobs } from "../index.ts";
import { countCode, countFactorCode, countSignInAttempt } from "../verification/attempt-limits.ts";
import { isKnownNetwork } from "../sessions/known-networks.store.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp({ RATE_LIMITS: "on" });
});
afterAll(() => app.close());

let block = 0;
const ip = () => `198.51.${Math.floor(++block / 250)}.${(block % 250) + 1}`;
const wrong = "not the password at all";
const guessFromEverywhere = (email: string, times: number) =>
  Promise.all(
    Array.from({ length: times }, () => app.client({ ip: ip() }).auth.signInWithPassword({ email, password: wrong })),
  );

describe("rate limiting", () => {
  it("blocks a guesser after ten wrong passwords, with longer waits each time, but not the owner elsewhere", async () => {
    const user = await app.user();
    const stranger = app.client({ ip: ip() });
    const statuses: (number | undefined)[] = [];
    for (let i = 0; i < 12; i++)
      statuses.push((await stranger.auth.signInWithPassword({ email: user.email, password: wrong })).error?.status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
    expect((await stranger.auth.signInWithPassword({ email: user.email, password: testPassword })).error).toMatchObject(
      { status: 429, code: "over_request_rate_limit" },
    );
    expect(
      (await app.client({ ip: ip() }).auth.signInWithPassword({ email: user.email, password: testPassword })).error,
    ).toBeNull();
    for (let round = 0; round < 3; round++) {
      app.clock.advance(901_000);
      for (let i = 0; i < 12; i++) await stranger.auth.signInWithPassword({ email: user.email, password: wrong });
    }
    app.clock.advance(901_000);
    expect((await stranger.auth.signInWithPassword({ email: user.email, password: wrong })).error?.status).toBe(429);
    app.clock.advance(6 * hourMs);
    expect((await stranger.auth.signInWithPassword({ email: user.email, password: wrong })).error?.status).toBe(400);
  });

  it("counts an unknown address like a known one", async () => {
    const client = app.client({ ip: ip() });
    const statuses: (number | undefined)[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push(
        (await client.auth.signInWithPassword({ email: "nobody@people.test", password: wrong })).error?.status,
      );
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  });

  it("counts parallel guesses before they are checked", async () => {
    const user = await app.user();
    const stranger = app.client({ ip: ip() });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => stranger.auth.signInWithPassword({ email: user.email, password: wrong })),
    );
    expect(answers.filter((response) => response.error?.status === 400)).toHaveLength(10);
  });

  it("ignores the password of an unconfirmed second sign-up, because a reset would reveal the account", async () => {
    const guesser = { ip: ip() };
    for (const email of [(await app.user()).email, "new-here@people.test"]) {
      await app.client({ ip: ip() }).auth.signUp({ email, password: "words of a stranger" });
      const statuses: (number | undefined)[] = [];
      for (let i = 0; i < 11; i++) {
        const password = i % 3 === 2 ? "words of a stranger" : wrong;
        statuses.push((await app.client(guesser).auth.signInWithPassword({ email, password })).error?.status);
      }
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
    }
  });

  it("resets the failures of a caller who then enters the right password", async () => {
    const user = await app.user();
    const owner = app.client({ ip: ip() });
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 9; i++) await owner.auth.signInWithPassword({ email: user.email, password: wrong });
      expect((await owner.auth.signInWithPassword({ email: user.email, password: testPassword })).error).toBeNull();
    }
  });

  it("counts an IPv6 /64 as one caller, and never blocks the owner's known network for an attacker with many addresses", async () => {
    const user = await app.user();
    const home = "2001:db8:1:1::1";
    expect(
      (await app.client({ ip: home }).auth.signInWithPassword({ email: user.email, password: testPassword })).error,
    ).toBeNull();
    const statuses: (number | undefined)[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push(
        (
          await app
            .client({ ip: `2001:db8:2:2::${i + 1}` })
            .auth.signInWithPassword({ email: user.email, password: wrong })
        ).error?.status,
      );
    expect(statuses.at(-1)).toBe(429);
    await guessFromEverywhere(user.email, 105);
    expect(
      (await app.client({ ip: ip() }).auth.signInWithPassword({ email: user.email, password: testPassword })).error
        ?.status,
    ).toBe(429);
    expect(
      (
        await app
          .client({ ip: "2001:db8:1:1:ffff::9" })
          .auth.signInWithPassword({ email: user.email, password: testPassword })
      ).error,
    ).toBeNull();
  });

  it("never blocks the owner's known network after signing out everywhere, for any attempts from elsewhere", async () => {
    const { auth } = app.client({ ip: "203.0.113.5" });
    const { email } = await app.user();
    expect((await auth.signInWithPassword({ email, password: testPassword })).error).toBeNull();
    expect((await auth.signOut({ scope: "global" })).error).toBeNull();
    const guess = (from: string) => app.client({ ip: from }).auth.signInWithPassword({ email, password: testPassword });
    await guessFromEverywhere(email, 100);
    expect((await guess(ip())).error?.status).toBe(429);
    await Promise.all(Array.from({ length: 20 }, () => app.client({ ip: ip() }).auth.resetPasswordForEmail(email)));
    expect((await app.client({ ip: ip() }).auth.resetPasswordForEmail(email)).error?.status).toBe(429);

    expect((await auth.resetPasswordForEmail(email)).error).toBeNull();
    expect((await guess("203.0.113.5")).error).toBeNull();
    expect((await auth.signInWithPassword({ email, password: testPassword })).error).toBeNull();
  });

  it("remembers the owner's networks for 90 days", async () => {
    const { services, clock } = app;
    const user = await app.user();
    const home = "203.0.113.6";
    const { auth } = app.client({ ip: home });
    const isOwn = () => isKnownNetwork(services, { column: "email", value: user.email }, home);
    const tidy = usersJobs.find((job) => job.name === "forget-ended-sessions");
    expect(await isOwn()).toBe(false);
    await auth.signInWithPassword({ email: user.email, password: testPassword });
    await auth.signOut();
    clock.advance(89 * dayMs);
    await tidy?.run(services);
    expect(await isOwn()).toBe(true);
    clock.advance(2 * dayMs);
    await tidy?.run(services);
    expect(await isOwn()).toBe(false);
    const { rows } = await sql`select from known_networks where position(${home} in known_networks::text) > 0`.execute(
      services.database.db,
    );
    expect(rows).toEqual([]);
  });

  it("blocks entered codes per network, but accepts the code in the owner's network and the link everywhere", async () => {
    const { email } = await app.user();
    const home = app.client({ ip: "203.0.113.7" });
    await home.auth.signInWithPassword({ email, password: testPassword });
    await home.auth.signOut();
    await home.auth.signInWithOtp({ email });
    const { code, token } = await app.lastMessage(email);
    const guess = (from: string, typed = code === "000000" ? "000001" : "000000") =>
      app.client({ ip: from }).auth.verifyOtp({ email, token: typed, type: "email" });
    const strangers = [ip(), ip(), ip(), ip(), ip(), ip()];
    for (const from of strangers)
      for (let i = 0; i < 5; i++) expect((await guess(from)).error?.code).toBe("otp_expired");
    expect((await guess(strangers[0] ?? "", code)).error?.status).toBe(429);
    expect((await guess(ip(), code)).error?.status).toBe(429);
    expect((await guess("203.0.113.7", code)).error).toBeNull();
    await home.auth.signInWithOtp({ email });
    const later = await app.lastMessage(email);
    expect(later.token).not.toBe(token);
    expect(
      (await app.client({ ip: ip() }).auth.verifyOtp({ token_hash: later.token, type: "magiclink" })).error,
    ).toBeNull();
  });

  it("resets wrong codes after the right one", async () => {
    const { email } = await app.user();
    const { auth } = app.client({ ip: ip() });
    for (let round = 0; round < 3; round++) {
      await auth.signInWithOtp({ email });
      const { code } = await app.lastMessage(email);
      const typed = code === "000000" ? "000001" : "000000";
      for (let i = 0; i < 4; i++) await auth.verifyOtp({ email, token: typed, type: "email" });
      expect((await auth.verifyOtp({ email, token: code, type: "email" })).error).toBeNull();
    }
  });

  it("never blocks the owner's second step for an attacker with only the password", async () => {
    const { email } = await app.user();
    const home = app.client({ ip: "203.0.113.8" });
    await home.auth.signInWithPassword({ email, password: testPassword });
    const enrolled = await home.auth.mfa.enroll({ factorType: "totp" });
    if (enrolled.error) throw enrolled.error;
    const factorId = enrolled.data.id;
    const code = () => codeAt(enrolled.data.totp.secret, app.services.clock.now());
    const step = (at: typeof home) => at.auth.mfa.challengeAndVerify({ factorId, code: code() });
    for (let i = 0; i < 7; i++) {
      expect((await step(home)).error).toBeNull();
      app.clock.advance(31_000);
    }
    await home.auth.signOut();

    const thieves = Array.from({ length: 7 }, () => app.client({ ip: ip() }));
    const statuses: (number | undefined)[] = [];
    for (const thief of thieves) {
      await thief.auth.signInWithPassword({ email, password: testPassword });
      const typed = code() === "000000" ? "000001" : "000000";
      for (let i = 0; i < 5; i++)
        statuses.push((await thief.auth.mfa.challengeAndVerify({ factorId, code: typed })).error?.status);
    }
    expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(30);
    expect(statuses.slice(-5)).toEqual([429, 429, 429, 429, 429]);
    expect((await home.auth.signInWithPassword({ email, password: testPassword })).error).toBeNull();
    expect((await step(home)).error).toBeNull();
  });

  it("blocks guesses through an unnamed proxy after five hundred failures an hour", async () => {
    const through = { services: app.services, block: ip(), isShared: true };
    let number = 0;
    const attempt = () => countSignInAttempt(through, { column: "email", value: `sprayed-${number++}@example.test` });
    const guesses = async (times: number) => {
      for (let sent = 0; sent < times; sent += 20) await Promise.all(Array.from({ length: 20 }, attempt));
    };
    await guesses(480);
    // A successful sign-in does not count.
    await (await attempt()).succeeded();
    await guesses(20);
    await expect(attempt()).rejects.toMatchObject({ kind: "too_many" });
    await expect(
      countSignInAttempt({ ...through, block: ip() }, { column: "email", value: "x@example.test" }),
    ).resolves.toBeDefined();
    app.clock.advance(3_601_000);
    await attempt();
  });

  it("counts only failed sign-ins of an account from everywhere, and a success takes back only its own count", async () => {
    const attempt = () =>
      countSignInAttempt({ services: app.services, block: ip() }, { column: "email", value: "often@people.test" });
    for (let signedIn = 0; signedIn < 101; signedIn += 1) await (await attempt()).succeeded();
    await Promise.all(Array.from({ length: 99 }, attempt));
    await (await attempt()).succeeded();
    await attempt();
    await expect(attempt()).rejects.toMatchObject({ kind: "too_many" });
  });

  it.each([
    ["one-time", countCode],
    ["second-factor", countFactorCode],
  ])(
    "counts only wrong %s codes from everywhere, and a correct one takes back only its own count",
    async (_, count) => {
      const userId = randomUUID();
      const attempt = () => count({ services: app.services, block: ip() }, userId);
      for (let entered = 0; entered < 101; entered += 1) await (await attempt()).succeeded();
      await Promise.all(Array.from({ length: 29 }, attempt));
      await (await attempt()).succeeded();
      await attempt();
      await expect(attempt()).rejects.toMatchObject({ kind: "too_many" });
    },
  );

  it("limits SMS to five numbers a day per user and ten messages a day per number", async () => {
    const { email } = await app.user();
    const { auth } = app.client({ ip: ip() });
    await auth.signInWithPassword({ email, password: testPassword });
    const statuses: (number | undefined)[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await auth.updateUser({ phone: `+1512555020${i}` })).error?.status);
    expect(statuses).toEqual([undefined, undefined, undefined, undefined, undefined, 429]);
    const resent: (number | undefined)[] = [];
    for (let i = 0; i < 11; i++)
      resent.push(
        (await app.client({ ip: ip() }).auth.resend({ type: "phone_change", phone: "+15125550209" })).error?.status,
      );
    expect(resent.slice(-2)).toEqual([undefined, 429]);
  });

  it("counts a reauthentication code by SMS as an SMS to that number", async () => {
    const user = await app.user();
    const phone = "15125550277";
    const change = { phone, phone_confirmed_at: app.clock.now(), email_confirmed_at: null };
    const { auth } = app.client({ ip: ip() });
    await auth.signInWithPassword({ email: user.email, password: testPassword });
    await app.services.database.db.updateTable("users").set(change).where("id", "=", user.id).execute();
    const sent: (number | undefined)[] = [];
    for (let hour = 0; hour < 3; hour++) {
      for (let i = 0; i < 4; i++) sent.push((await auth.reauthenticate()).error?.status);
      app.clock.advance(3_601_000);
      await auth.refreshSession();
    }
    // The owner's network is known and passes the limit of ten a day, but its messages count.
    expect(sent).toEqual(Array.from({ length: 12 }, () => undefined));
    expect((await app.client({ ip: ip() }).auth.signInWithOtp({ phone: `+${phone}` })).error?.status).toBe(429);
  });

  it("limits emails to one address, known or not", async () => {
    for (const email of [(await app.user()).email, "unknown@people.test"]) {
      const { auth } = app.client({ ip: ip() });
      const statuses: (number | undefined)[] = [];
      for (let i = 0; i < 6; i++) statuses.push((await auth.resetPasswordForEmail(email)).error?.status);
      expect(statuses).toEqual([undefined, undefined, undefined, undefined, undefined, 429]);
    }
  });
});
