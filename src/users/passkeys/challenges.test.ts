import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountsApp, accountsApp, sessionOf, testPassword } from "#test/harness/accounts.ts";
import { type Bent, makeAuthenticator } from "#test/harness/webauthn/authenticator.ts";
import {
  opened,
  poster,
  register,
  signedIn,
  signInAlone,
  startSignIn,
  withPasskey,
} from "#test/harness/webauthn/passkeys.ts";
import { usersJobs } from "../jobs.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp({ PUBLIC_URL: "http://localhost:3000" });
});
afterAll(() => app.close());

const db = () => app.services.database.db;

describe("challenge", () => {
  it("works once, within five minutes, and in its own browser", async () => {
    const { device } = await withPasskey(app);
    const browser = app.client();
    const first = await startSignIn(browser);
    const response = { challengeId: first.challenge_id, credential: device.get(first.options) };
    expect((await app.client().auth.passkey.verifyAuthentication(response)).error?.code).toBe(
      "webauthn_challenge_expired",
    );
    expect((await browser.auth.passkey.verifyAuthentication(response)).error).toBeNull();
    const rising = { challengeId: first.challenge_id, credential: device.get(first.options) };
    expect((await browser.auth.passkey.verifyAuthentication(rising)).error?.code).toBe("webauthn_challenge_expired");
    const late = await startSignIn(browser);
    app.clock.advance(301_000);
    const tooLate = { challengeId: late.challenge_id, credential: device.get(late.options) };
    expect((await browser.auth.passkey.verifyAuthentication(tooLate)).error?.code).toBe("webauthn_challenge_expired");
    const left = await startSignIn(browser);
    app.clock.advance(301_000);
    for (const job of usersJobs) if (job.name === "forget-ended-sessions") await job.run(app.services);
    expect(
      await db().selectFrom("passkey_challenges").select("id").where("id", "=", left.challenge_id).execute(),
    ).toEqual([]);
  });

  it("is consumed by a failed response", async () => {
    const { device } = await withPasskey(app);
    const browser = app.client();
    const { challenge_id: challengeId, options } = await startSignIn(browser);
    const verify = async (bent: Bent) =>
      (await browser.auth.passkey.verifyAuthentication({ challengeId, credential: device.get(options, bent) })).error
        ?.code;
    expect(await verify({ origin: "http://localhost:3999" })).toBe("webauthn_verification_failed");
    expect(await verify({})).toBe("webauthn_challenge_expired");
  });

  it("is refused for another purpose", async () => {
    const { browser, device, id, user } = await withPasskey(app);
    const registration = opened(await browser.auth.passkey.startRegistration());
    const asSignIn = {
      challengeId: registration.challenge_id,
      credential: device.get({ ...registration.options, rpId: "localhost" }),
    };
    expect((await browser.auth.passkey.verifyAuthentication(asSignIn)).error?.code).toBe("webauthn_challenge_expired");
    const signIn = await startSignIn(browser);
    const fresh = makeAuthenticator();
    const options = { challenge: signIn.options.challenge, rp: { id: "localhost" }, user: { id: "AAAA" } };
    const asRegistration = { challengeId: signIn.challenge_id, credential: fresh.create(options) };
    expect((await browser.auth.passkey.verifyRegistration(asRegistration)).error?.code).toBe(
      "webauthn_challenge_expired",
    );
    const weak = app.client();
    sessionOf(await weak.auth.signInWithPassword({ email: user.email, password: testPassword }));
    const own = await startSignIn(weak);
    const post = await poster(app, weak);
    const webauthn = { type: "request", credential_response: device.get(own.options) };
    expect((await post(`/factors/${id}/verify`, { challenge_id: own.challenge_id, webauthn })).body.code).toBe(
      "webauthn_challenge_expired",
    );
  });
});

describe("response of an authenticator", () => {
  it.each<[string, Bent]>([
    ["from another site", { origin: "https://localhost.evil.test" }],
    ["for another host", { host: "evil.test" }],
    ["without verifying the person", { userVerified: false }],
    ["to another challenge", { challenge: "AAAA" }],
    ["with another account's handle", { handle: "AAAAAAAAAAAAAAAAAAAAAA" }],
    ["with a count that does not rise", { counter: 1 }],
  ])("is refused: %s", async (_what, bent) => {
    const { device } = await withPasskey(app);
    expect((await signInAlone(app, device)).code).toBeUndefined();
    expect((await signInAlone(app, device, bent)).code).toBe("webauthn_verification_failed");
    expect((await signInAlone(app, device, { counter: 100 })).code).toBeUndefined();
  });

  it("is refused for an invalid new passkey", async () => {
    const { browser } = await signedIn(app);
    for (const bent of [{ origin: "https://evil.test" }, { host: "evil.test" }, { userVerified: false }] as Bent[])
      expect((await register(browser, makeAuthenticator(), bent)).error?.code).toBe("webauthn_verification_failed");
    expect(opened(await browser.auth.passkey.list())).toEqual([]);
  });

  it("is refused with another key's signature, and without a valid shape", async () => {
    const { device } = await withPasskey(app);
    const forged = makeAuthenticator();
    const browser = app.client();
    const one = await startSignIn(browser);
    const credential = { ...forged.get(one.options, { counter: 50 }), id: device.id, rawId: device.id };
    const forgery = { challengeId: one.challenge_id, credential };
    expect((await browser.auth.passkey.verifyAuthentication(forgery)).error?.code).toBe("webauthn_verification_failed");
    const post = await poster(app, browser);
    for (const body of [
      {},
      { challenge_id: "x", credential: {} },
      { challenge_id: one.challenge_id, credential: { id: 1 } },
    ])
      expect((await post("/passkeys/authentication/verify", body)).status).toBe(400);
    expect((await signInAlone(app, makeAuthenticator())).code).toBe("webauthn_credential_not_found");
  });

  it("is refused for a suspended, an unconfirmed and a deleted account", async () => {
    const { user, device } = await withPasskey(app);
    const set = (change: object) => db().updateTable("users").set(change).where("id", "=", user.id).execute();
    await set({ banned_until: new Date("9999-01-01") });
    expect((await signInAlone(app, device)).code).toBe("user_banned");
    await set({ banned_until: null, email_confirmed_at: null });
    expect((await signInAlone(app, device)).code).toBe("email_not_confirmed");
    await set({ email_confirmed_at: app.clock.now() });
    const { browser, session } = await signInAlone(app, device);
    const gone = await app.send("/api/me/delete", {
      method: "POST",
      headers: { authorization: `Bearer ${session?.access_token}`, "content-type": "application/json" },
      body: "{}",
    });
    expect(gone.status).toBe(200);
    expect(await db().selectFrom("factors").select("id").where("user_id", "=", user.id).execute()).toEqual([]);
    expect((await signInAlone(app, device, {}, browser)).code).toBe("webauthn_credential_not_found");
  });
});
