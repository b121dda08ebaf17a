import { describe, expect, it } from "vitest";
import { setUpAccounts } from "#test/harness/accounts.ts";
import { type Bent, makeAuthenticator } from "#test/harness/webauthn/authenticator.ts";
import { opened, poster, register, signInAlone, startSignIn, withPasskey } from "#test/harness/webauthn/passkeys.ts";

const app = setUpAccounts({ PUBLIC_URL: "http://localhost:3000" });

type Response = Parameters<ReturnType<typeof app.client>["auth"]["passkey"]["verifyAuthentication"]>[0];
const verify = async ({ auth }: Pick<ReturnType<typeof app.client>, "auth">, response: Response) =>
  (await auth.passkey.verifyAuthentication(response)).error?.code;

describe("challenge", () => {
  it("works once, within five minutes, and in its own browser", async () => {
    const { device } = await withPasskey(app);
    const browser = app.client();
    const { challenge_id: challengeId, options } = await startSignIn(browser);
    const response = { challengeId, credential: device.get(options) };
    expect(await verify(app.client(), response)).toBe("webauthn_challenge_expired");
    expect(await verify(browser, response)).toBeUndefined();
    const rising = { challengeId, credential: device.get(options) };
    expect(await verify(browser, rising)).toBe("webauthn_challenge_expired");
    const late = await startSignIn(browser);
    app.clock.advance(301_000);
    const tooLate = { challengeId: late.challenge_id, credential: device.get(late.options) };
    expect(await verify(browser, tooLate)).toBe("webauthn_challenge_expired");
    await startSignIn(browser);
    app.clock.advance(301_000);
    await app.deleteExpired();
    expect(await app.db.selectFrom("passkey_challenges").select("id").execute()).toEqual([]);
  });

  it("is consumed by a failed response", async () => {
    const { device } = await withPasskey(app);
    const browser = app.client();
    const { challenge_id: challengeId, options } = await startSignIn(browser);
    const wrong = { challengeId, credential: device.get(options, { origin: "http://localhost:3999" }) };
    expect(await verify(browser, wrong)).toBe("webauthn_verification_failed");
    expect(await verify(browser, { challengeId, credential: device.get(options) })).toBe("webauthn_challenge_expired");
  });

  it("is refused for another purpose", async () => {
    const { browser, device, id, user } = await withPasskey(app);
    const registration = opened(await browser.auth.passkey.startRegistration());
    const credential = device.get({ ...registration.options, rpId: "localhost" });
    const asSignIn = { challengeId: registration.challenge_id, credential };
    expect(await verify(browser, asSignIn)).toBe("webauthn_challenge_expired");
    const signIn = await startSignIn(browser);
    const options = { challenge: signIn.options.challenge, rp: { id: "localhost" }, user: { id: "AAAA" } };
    const asRegistration = { challengeId: signIn.challenge_id, credential: makeAuthenticator().create(options) };
    const { error } = await browser.auth.passkey.verifyRegistration(asRegistration);
    expect(error?.code).toBe("webauthn_challenge_expired");
    const weak = app.client();
    await weak.signIn(user);
    const own = await startSignIn(weak);
    const post = await poster(app, weak);
    const webauthn = { type: "request", credential_response: device.get(own.options) };
    const { body } = await post(`/factors/${id}/verify`, { challenge_id: own.challenge_id, webauthn });
    expect(body.code).toBe("webauthn_challenge_expired");
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
    const browser = await app.signedIn({}, { cookieMode: true });
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
    expect(await verify(browser, forgery)).toBe("webauthn_verification_failed");
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
    const set = (change: object) => app.db.updateTable("users").set(change).where("id", "=", user.id).execute();
    await set({ banned_until: new Date("9999-01-01") });
    expect((await signInAlone(app, device)).code).toBe("user_banned");
    await set({ banned_until: null, email_confirmed_at: null });
    expect((await signInAlone(app, device)).code).toBe("email_not_confirmed");
    await set({ email_confirmed_at: app.clock.now() });
    const { browser, session } = await signInAlone(app, device);
    const token = session?.access_token ?? "";
    expect((await app.json("/api/me/delete", { token, body: {} })).status).toBe(200);
    expect(await app.db.selectFrom("factors").select("id").where("user_id", "=", user.id).execute()).toEqual([]);
    expect((await signInAlone(app, device, {}, browser)).code).toBe("webauthn_credential_not_found");
  });
});
