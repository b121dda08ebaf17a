import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { passkeyHost } from "#platform/security/passkey-host.ts";
import { accountsApp, type AccountsApp, setUpAccounts, sessionOf, testPassword } from "#test/harness/accounts.ts";
import { makeAuthenticator } from "#test/harness/webauthn/authenticator.ts";
import { opened, poster, register, signInAlone, withPasskey } from "#test/harness/webauthn/passkeys.ts";

const app = setUpAccounts({ PUBLIC_URL: "http://localhost:3000" });

type Browser = ReturnType<AccountsApp["client"]>;

/** Sends the second step after the password over HTTP, because the client's own method needs a browser. */
async function secondFactor(browser: Browser, factorId: string, device: ReturnType<typeof makeAuthenticator>) {
  const post = await poster(app, browser);
  const started = await post(`/factors/${factorId}/challenge`, { webauthn: { rpId: "evil.test" } });
  const options = started.body.webauthn?.credential_options.publicKey;
  if (!options) return { options, ...started };
  const webauthn = { type: "request", credential_response: device.get(options) };
  const verified = await post(`/factors/${factorId}/verify`, { challenge_id: started.body.id, webauthn });
  return { options, ...verified };
}

const claims = (token = "") => decodeJwt<{ aal: string; amr: { method: string }[] }>(token);

describe("passkey", () => {
  it("is added with recent authentication, valid immediately, and ends the other sessions", async () => {
    const { user, token, ...browser } = await app.signedIn({}, { cookieMode: true });
    const { auth } = browser;
    const { access_token: elsewhere } = await app.client().signIn(user);
    app.clock.advance(301_000);
    expect((await auth.passkey.startRegistration()).error?.code).toBe("reauthentication_needed");
    const again = { token, body: { password: testPassword } };
    expect((await app.json("/api/me/reauthenticate", again)).status).toBe(200);
    const device = makeAuthenticator();
    const { options } = opened(await auth.passkey.startRegistration());
    expect(options).toMatchObject({
      rp: { id: "localhost" },
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    expect(opened(await register(browser, device))).toMatchObject({ friendly_name: "Unknown device" });
    await expect(app.authenticate(elsewhere)).rejects.toMatchObject({ code: "session_not_found" });
    // The session is renewed by its cookie, which now has the second level.
    const strong = sessionOf(await auth.refreshSession({ refresh_token: "cookie" }));
    expect(claims(strong.access_token).aal).toBe("aal2");
    expect(await app.authenticate(strong.access_token)).toMatchObject({ aal: "aal2" });
    expect(strong.user.factors).toMatchObject([{ factor_type: "webauthn", status: "verified" }]);
    expect((await auth.mfa.recoveryCodes.generate()).data?.codes).toHaveLength(10);
    const messages = await app.messagesTo(user.email);
    const added = { template: "second_factor_changed", subject: "A passkey was added" };
    expect(messages).toContainEqual(expect.objectContaining(added));
  });

  it("signs in alone at the second level, and is listed with its last use", async () => {
    const { user, browser, device, id } = await withPasskey(app);
    expect(opened(await browser.auth.passkey.list())[0]).not.toHaveProperty("last_used_at");
    const { session } = await signInAlone(app, device);
    expect(session?.user.id).toBe(user.id);
    expect(claims(session?.access_token)).toMatchObject({ aal: "aal2", amr: [{ method: "passkey" }] });
    expect(await app.authenticate(session?.access_token)).toMatchObject({ userId: user.id, aal: "aal2" });
    expect(opened(await browser.auth.passkey.list())).toMatchObject([{ id, last_used_at: expect.any(String) }]);
    const renamed = await browser.auth.passkey.update({ passkeyId: id, friendlyName: "Key on the ring" });
    expect(opened(renamed)).toMatchObject({ id, friendly_name: "Key on the ring" });
    const stranger = await withPasskey(app);
    const foreign = { passkeyId: id, friendlyName: "Mine" };
    expect((await stranger.browser.auth.passkey.update(foreign)).error?.code).toBe("mfa_factor_not_found");
    expect((await stranger.browser.auth.passkey.delete({ passkeyId: id })).error?.code).toBe("mfa_factor_not_found");
  });

  it("is required after the password, and only the account's own passkeys are accepted", async () => {
    const { user, device, id } = await withPasskey(app);
    const stranger = await withPasskey(app);
    const browser = app.client();
    const weak = await browser.signIn(user);
    await expect(app.authenticate(weak.access_token)).rejects.toMatchObject({ code: "insufficient_aal" });
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
    const { device } = await withPasskey(app);
    const browser = await app.signedIn({}, { cookieMode: true });
    expect((await register(browser, device)).error?.code).toBe("webauthn_credential_exists");
    expect((await browser.auth.updateUser({ data: { name: "Still me" } })).error).toBeNull();
  });
});

describe("removed passkey", () => {
  it("cannot sign in, removes the recovery codes as the last factor, and is restored when the removal is undone", async () => {
    const { user, browser, device, id } = await withPasskey(app);
    opened(await browser.auth.mfa.recoveryCodes.generate());
    app.clock.advance(301_000);
    expect((await browser.auth.passkey.delete({ passkeyId: id })).error?.code).toBe("reauthentication_needed");
    expect((await signInAlone(app, device, {}, browser)).session?.user.id).toBe(user.id);
    expect((await browser.auth.passkey.delete({ passkeyId: id })).error).toBeNull();
    expect((await signInAlone(app, device)).code).toBe("webauthn_credential_not_found");
    expect(await app.db.selectFrom("recovery_codes").select("hash").where("user_id", "=", user.id).execute()).toEqual(
      [],
    );
    const { access_token: token } = await app.client().signIn(user);
    expect(await app.authenticate(token)).toMatchObject({ aal: "aal1" });
    const message = await app.lastMessage(user.email);
    expect(message).toMatchObject({ template: "second_factor_changed", subject: "A passkey was removed" });
    const { token: undo } = message;
    expect((await app.json("/api/account-changes/undo", { body: { token: undo } })).status).toBe(200);
    expect((await signInAlone(app, device)).session?.user.id).toBe(user.id);
  });

  it("leaves an authenticator app and its codes unchanged", async () => {
    const { user, browser, id, device } = await withPasskey(app);
    await app.addFactor(browser);
    opened(await browser.auth.mfa.recoveryCodes.generate());
    expect((await browser.auth.passkey.delete({ passkeyId: id })).error).toBeNull();
    expect((await signInAlone(app, device)).code).toBe("webauthn_credential_not_found");
    expect((await browser.auth.mfa.recoveryCodes.generate()).error).toBeNull();
    const weak = await app.client().signIn(user);
    await expect(app.authenticate(weak.access_token)).rejects.toMatchObject({ code: "insufficient_aal" });
  });

  it("is not removed if no other sign-in method is left", async () => {
    const { user, browser, device, id } = await withPasskey(app);
    const phone = { phone: "15125550199", phone_confirmed_at: app.clock.now() };
    const alone = { email_confirmed_at: null, password_hash: null, ...phone };
    await app.db.updateTable("users").set(alone).where("id", "=", user.id).execute();
    expect((await browser.auth.passkey.delete({ passkeyId: id })).error?.code).toBe("last_way_in");
    expect((await signInAlone(app, device)).session?.user.id).toBe(user.id);
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
