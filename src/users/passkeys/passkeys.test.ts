import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeJwt } from "jose";
import { type AccountsApp, accountsApp, sessionOf, testPassword } from "#test/harness/accounts.ts";
import { type Bent, makeAuthenticator } from "#test/harness/webauthn/authenticator.ts";
import { passkeyHost } from "#platform/security/passkey-host.ts";
import { authenticate } from "../index.ts";
import { codeAt } from "../mfa/totp.ts";
import { usersJobs } from "../jobs.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp({ PUBLIC_URL: "http://localhost:3000" });
});
afterAll(() => app.close());

type Browser = ReturnType<AccountsApp["client"]>;
type Authenticator = ReturnType<typeof makeAuthenticator>;

function opened<T>({ data, error }: { data: T | null; error: unknown }): T {
  if (error) throw error;
  if (!data) throw new Error("the answer holds nothing");
  return data;
}

async function signedIn(given: Parameters<AccountsApp["user"]>[0] = {}) {
  const user = await app.user(given);
  const browser = app.client({ cookieMode: true });
  sessionOf(await browser.auth.signInWithPassword({ email: user.email, password: testPassword }));
  return { user, browser };
}

async function register({ auth }: Browser, device: Authenticator, bent: Bent = {}) {
  const { challenge_id: challengeId, options } = opened(await auth.passkey.startRegistration());
  return auth.passkey.verifyRegistration({ challengeId, credential: device.create(options, bent) });
}

async function withPasskey(given: Parameters<AccountsApp["user"]>[0] = {}) {
  const { user, browser } = await signedIn(given);
  const device = makeAuthenticator();
  const { id } = opened(await register(browser, device));
  sessionOf(await browser.auth.refreshSession({ refresh_token: "cookie" }));
  return { user, browser, device, id };
}

const startSignIn = async ({ auth }: Browser) => opened(await auth.passkey.startAuthentication());

async function signInAlone(device: Authenticator, bent: Bent = {}, browser = app.client({ cookieMode: true })) {
  const { challenge_id: challengeId, options } = await startSignIn(browser);
  const response = await browser.auth.passkey.verifyAuthentication({
    challengeId,
    credential: device.get(options, bent),
  });
  return { browser, code: response.error?.code, session: response.data?.session };
}

/** Sends the second step after the password over HTTP, because the client's own method needs a browser. */
async function secondFactor(browser: Browser, factorId: string, device: Authenticator, bent: Bent = {}) {
  const post = await poster(browser);
  const started = await post(`/factors/${factorId}/challenge`, { webauthn: { rpId: "evil.test" } });
  const options = started.body.webauthn?.credential_options.publicKey;
  if (!options) return { options, ...started };
  const webauthn = { type: "request", credential_response: device.get(options, bent) };
  return {
    options,
    ...(await post(`/factors/${factorId}/verify`, { challenge_id: started.body.id, webauthn })),
  };
}

type Body = {
  id?: string;
  code?: string;
  access_token?: string;
  webauthn?: {
    credential_options: { publicKey: { challenge: string; rpId: string; allowCredentials: { id: string }[] } };
  };
};
async function poster({ auth }: Browser) {
  const token = (await auth.getSession()).data.session?.access_token ?? "";
  return async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await app.send(`/auth/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Body };
  };
}

const claims = (token = "") => decodeJwt<{ aal: string; amr: { method: string }[] }>(token);
const db = () => app.services.database.db;

describe("passkey", () => {
  it("is added with recent authentication, valid immediately, and ends the other sessions", async () => {
    const { user, browser } = await signedIn();
    const other = app.client();
    const elsewhere = sessionOf(await other.auth.signInWithPassword({ email: user.email, password: testPassword }));
    app.clock.advance(301_000);
    expect((await browser.auth.passkey.startRegistration()).error?.code).toBe("reauthentication_needed");
    const token = (await browser.auth.getSession()).data.session?.access_token;
    const again = await app.send("/api/me/reauthenticate", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ password: testPassword }),
    });
    expect(again.status).toBe(200);
    const device = makeAuthenticator();
    const { options } = opened(await browser.auth.passkey.startRegistration());
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    expect(opened(await register(browser, device))).toMatchObject({ friendly_name: "Unknown device" });
    await expect(authenticate(app.services, elsewhere.access_token)).rejects.toMatchObject({
      code: "session_not_found",
    });
    // The session is renewed by its cookie, which now has the second level.
    const strong = sessionOf(await browser.auth.refreshSession({ refresh_token: "cookie" }));
    expect(claims(strong.access_token).aal).toBe("aal2");
    expect(await authenticate(app.services, strong.access_token)).toMatchObject({ aal: "aal2" });
    expect(strong.user.factors).toMatchObject([{ factor_type: "webauthn", status: "verified" }]);
    expect((await browser.auth.mfa.recoveryCodes.generate()).data?.codes).toHaveLength(10);
    const messages = await db()
      .selectFrom("messages")
      .select(["template", "subject"])
      .where("recipient", "=", user.email)
      .execute();
    expect(messages).toContainEqual({ template: "second_factor_changed", subject: "A passkey was added" });
  });

  it("signs in alone at the second level, and is listed with its last use", async () => {
    const { user, browser, device, id } = await withPasskey();
    expect(opened(await browser.auth.passkey.list())[0]).not.toHaveProperty("last_used_at");
    const { session } = await signInAlone(device);
    expect(session?.user.id).toBe(user.id);
    expect(claims(session?.access_token)).toMatchObject({ aal: "aal2", amr: [{ method: "passkey" }] });
    expect(await authenticate(app.services, session?.access_token)).toMatchObject({ userId: user.id, aal: "aal2" });
    expect(opened(await browser.auth.passkey.list())).toMatchObject([{ id, last_used_at: expect.any(String) }]);
    expect(opened(await browser.auth.passkey.update({ passkeyId: id, friendlyName: "Key on the ring" }))).toMatchObject(
      {
        id,
        friendly_name: "Key on the ring",
      },
    );
    const stranger = await withPasskey();
    const foreign = { passkeyId: id, friendlyName: "Mine" };
    expect((await stranger.browser.auth.passkey.update(foreign)).error?.code).toBe("mfa_factor_not_found");
    expect((await stranger.browser.auth.passkey.delete({ passkeyId: id })).error?.code).toBe("mfa_factor_not_found");
  });

  it("is required after the password, and only the account's own passkeys are accepted", async () => {
    const { user, device, id } = await withPasskey();
    const stranger = await withPasskey();
    const browser = app.client();
    const weak = sessionOf(await browser.auth.signInWithPassword({ email: user.email, password: testPassword }));
    await expect(authenticate(app.services, weak.access_token)).rejects.toMatchObject({ code: "insufficient_aal" });
    expect((await browser.auth.passkey.startRegistration()).error?.code).toBe("insufficient_aal");
    expect((await browser.auth.passkey.delete({ passkeyId: id })).error?.code).toBe("insufficient_aal");
    expect((await secondFactor(browser, stranger.id, stranger.device)).body.code).toBe("mfa_factor_not_found");
    expect((await secondFactor(browser, id, stranger.device)).body.code).toBe("webauthn_credential_not_found");
    expect((await browser.auth.mfa.challengeAndVerify({ factorId: id, code: "123456" })).error?.code).toBe(
      "mfa_factor_not_found",
    );
    const done = await secondFactor(browser, id, device);
    expect(done.options).toMatchObject({ rpId: "localhost", allowCredentials: [{ id: device.id }] });
    expect(claims(done.body.access_token)).toMatchObject({
      aal: "aal2",
      amr: [{ method: "password" }, { method: "mfa/webauthn" }],
    });
  });

  it("cannot be connected to a second account", async () => {
    const { device } = await withPasskey();
    const { browser } = await signedIn();
    expect((await register(browser, device)).error?.code).toBe("webauthn_credential_exists");
    expect((await browser.auth.updateUser({ data: { name: "Still me" } })).error).toBeNull();
  });
});

describe("challenge", () => {
  it("works once, within five minutes, and in its own browser", async () => {
    const { device } = await withPasskey();
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
    const { device } = await withPasskey();
    const browser = app.client();
    const { challenge_id: challengeId, options } = await startSignIn(browser);
    const verify = async (bent: Bent) =>
      (await browser.auth.passkey.verifyAuthentication({ challengeId, credential: device.get(options, bent) })).error
        ?.code;
    expect(await verify({ origin: "http://localhost:3999" })).toBe("webauthn_verification_failed");
    expect(await verify({})).toBe("webauthn_challenge_expired");
  });

  it("is refused for another purpose", async () => {
    const { browser, device, id, user } = await withPasskey();
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
    const post = await poster(weak);
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
    const { device } = await withPasskey();
    expect((await signInAlone(device)).code).toBeUndefined();
    expect((await signInAlone(device, bent)).code).toBe("webauthn_verification_failed");
    expect((await signInAlone(device, { counter: 100 })).code).toBeUndefined();
  });

  it("is refused for an invalid new passkey", async () => {
    const { browser } = await signedIn();
    for (const bent of [{ origin: "https://evil.test" }, { host: "evil.test" }, { userVerified: false }] as Bent[])
      expect((await register(browser, makeAuthenticator(), bent)).error?.code).toBe("webauthn_verification_failed");
    expect(opened(await browser.auth.passkey.list())).toEqual([]);
  });

  it("is refused with another key's signature, and without a valid shape", async () => {
    const { device } = await withPasskey();
    const forged = makeAuthenticator();
    const browser = app.client();
    const one = await startSignIn(browser);
    const credential = { ...forged.get(one.options, { counter: 50 }), id: device.id, rawId: device.id };
    const forgery = { challengeId: one.challenge_id, credential };
    expect((await browser.auth.passkey.verifyAuthentication(forgery)).error?.code).toBe("webauthn_verification_failed");
    const post = await poster(browser);
    for (const body of [
      {},
      { challenge_id: "x", credential: {} },
      { challenge_id: one.challenge_id, credential: { id: 1 } },
    ])
      expect((await post("/passkeys/authentication/verify", body)).status).toBe(400);
    expect((await signInAlone(makeAuthenticator())).code).toBe("webauthn_credential_not_found");
  });

  it("is refused for a suspended, an unconfirmed and a deleted account", async () => {
    const { user, device } = await withPasskey();
    const set = (change: object) => db().updateTable("users").set(change).where("id", "=", user.id).execute();
    await set({ banned_until: new Date("9999-01-01") });
    expect((await signInAlone(device)).code).toBe("user_banned");
    await set({ banned_until: null, email_confirmed_at: null });
    expect((await signInAlone(device)).code).toBe("email_not_confirmed");
    await set({ email_confirmed_at: app.clock.now() });
    const { browser, session } = await signInAlone(device);
    const gone = await app.send("/api/me/delete", {
      method: "POST",
      headers: { authorization: `Bearer ${session?.access_token}`, "content-type": "application/json" },
      body: "{}",
    });
    expect(gone.status).toBe(200);
    expect(await db().selectFrom("factors").select("id").where("user_id", "=", user.id).execute()).toEqual([]);
    expect((await signInAlone(device, {}, browser)).code).toBe("webauthn_credential_not_found");
  });
});

describe("removed passkey", () => {
  it("cannot sign in, removes the recovery codes as the last factor, and is restored when the removal is undone", async () => {
    const { user, browser, device, id } = await withPasskey();
    opened(await browser.auth.mfa.recoveryCodes.generate());
    app.clock.advance(301_000);
    expect((await browser.auth.passkey.delete({ passkeyId: id })).error?.code).toBe("reauthentication_needed");
    sessionOf(
      (await signInAlone(device, {}, browser)).session
        ? await browser.auth.getSession()
        : { data: { session: null }, error: null },
    );
    expect((await browser.auth.passkey.delete({ passkeyId: id })).error).toBeNull();
    expect((await signInAlone(device)).code).toBe("webauthn_credential_not_found");
    expect(await db().selectFrom("recovery_codes").select("hash").where("user_id", "=", user.id).execute()).toEqual([]);
    const { access_token: token } = sessionOf(
      await app.client().auth.signInWithPassword({ email: user.email, password: testPassword }),
    );
    expect(await authenticate(app.services, token)).toMatchObject({ aal: "aal1" });
    const message = await app.lastMessage(user.email);
    expect(message).toMatchObject({ template: "second_factor_changed", subject: "A passkey was removed" });
    const undone = await app.send("/api/account-changes/undo", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: message.token }),
    });
    expect(undone.status).toBe(200);
    expect((await signInAlone(device)).session?.user.id).toBe(user.id);
  });

  it("leaves an authenticator app and its codes unchanged", async () => {
    const { user, browser, id, device } = await withPasskey();
    const { id: factorId, totp } = opened(await browser.auth.mfa.enroll({ factorType: "totp" }));
    const code = codeAt(totp.secret, app.clock.now());
    expect((await browser.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
    opened(await browser.auth.mfa.recoveryCodes.generate());
    expect((await browser.auth.passkey.delete({ passkeyId: id })).error).toBeNull();
    expect((await signInAlone(device)).code).toBe("webauthn_credential_not_found");
    expect((await browser.auth.mfa.recoveryCodes.generate()).error).toBeNull();
    const weak = sessionOf(await app.client().auth.signInWithPassword({ email: user.email, password: testPassword }));
    await expect(authenticate(app.services, weak.access_token)).rejects.toMatchObject({ code: "insufficient_aal" });
  });

  it("is not removed if no other sign-in method is left", async () => {
    const { user, browser, device, id } = await withPasskey();
    const phone = { phone: "15125550199", phone_confirmed_at: app.clock.now() };
    const alone = { email_confirmed_at: null, password_hash: null, ...phone };
    await db().updateTable("users").set(alone).where("id", "=", user.id).execute();
    expect((await browser.auth.passkey.delete({ passkeyId: id })).error?.code).toBe("last_way_in");
    expect((await signInAlone(device)).session?.user.id).toBe(user.id);
  });
});

it("returns 501 for passkeys on an IP address or with a hosted service", async () => {
  const elsewhere = await accountsApp({ PUBLIC_URL: "http://127.0.0.1:3000" }, app);
  const { auth } = elsewhere.client();
  expect((await auth.passkey.startAuthentication()).error).toMatchObject({
    status: 501,
    message: "Passkeys are not offered here.",
  });
  await elsewhere.close();
  const gotrue = { url: "https://auth.example", issuer: "https://auth.example", apiKey: undefined };
  expect(passkeyHost({ publicUrl: "https://stagedoor.example:8443", gotrue: undefined })).toBe("stagedoor.example");
  expect(passkeyHost({ publicUrl: "https://stagedoor.example", gotrue })).toBeNull();
});
