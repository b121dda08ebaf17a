import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeJwt } from "jose";
import { type AccountsApp, accountsApp, sessionOf, testPassword } from "#test/harness/accounts.ts";
import { makeAuthenticator } from "#test/harness/webauthn/authenticator.ts";
import { opened, poster, register, signedIn, signInAlone, withPasskey } from "#test/harness/webauthn/passkeys.ts";
import { passkeyHost } from "#platform/security/passkey-host.ts";
import { authenticate } from "../index.ts";
import { codeAt } from "../mfa/totp.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp({ PUBLIC_URL: "http://localhost:3000" });
});
afterAll(() => app.close());

type Browser = ReturnType<AccountsApp["client"]>;

/** Sends the second step after the password over HTTP, because the client's own method needs a browser. */
async function secondFactor(browser: Browser, factorId: string, device: ReturnType<typeof makeAuthenticator>) {
  const post = await poster(app, browser);
  const started = await post(`/factors/${factorId}/challenge`, { webauthn: { rpId: "evil.test" } });
  const options = started.body.webauthn?.credential_options.publicKey;
  if (!options) return { options, ...started };
  const webauthn = { type: "request", credential_response: device.get(options) };
  return {
    options,
    ...(await post(`/factors/${factorId}/verify`, { challenge_id: started.body.id, webauthn })),
  };
}

const claims = (token = "") => decodeJwt<{ aal: string; amr: { method: string }[] }>(token);
const db = () => app.services.database.db;

describe("passkey", () => {
  it("is added with recent authentication, valid immediately, and ends the other sessions", async () => {
    const { user, browser } = await signedIn(app);
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
    const { user, browser, device, id } = await withPasskey(app);
    expect(opened(await browser.auth.passkey.list())[0]).not.toHaveProperty("last_used_at");
    const { session } = await signInAlone(app, device);
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
    const stranger = await withPasskey(app);
    const foreign = { passkeyId: id, friendlyName: "Mine" };
    expect((await stranger.browser.auth.passkey.update(foreign)).error?.code).toBe("mfa_factor_not_found");
    expect((await stranger.browser.auth.passkey.delete({ passkeyId: id })).error?.code).toBe("mfa_factor_not_found");
  });

  it("is required after the password, and only the account's own passkeys are accepted", async () => {
    const { user, device, id } = await withPasskey(app);
    const stranger = await withPasskey(app);
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
    const { device } = await withPasskey(app);
    const { browser } = await signedIn(app);
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
    sessionOf(
      (await signInAlone(app, device, {}, browser)).session
        ? await browser.auth.getSession()
        : { data: { session: null }, error: null },
    );
    expect((await browser.auth.passkey.delete({ passkeyId: id })).error).toBeNull();
    expect((await signInAlone(app, device)).code).toBe("webauthn_credential_not_found");
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
    expect((await signInAlone(app, device)).session?.user.id).toBe(user.id);
  });

  it("leaves an authenticator app and its codes unchanged", async () => {
    const { user, browser, id, device } = await withPasskey(app);
    const { id: factorId, totp } = opened(await browser.auth.mfa.enroll({ factorType: "totp" }));
    const code = codeAt(totp.secret, app.clock.now());
    expect((await browser.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
    opened(await browser.auth.mfa.recoveryCodes.generate());
    expect((await browser.auth.passkey.delete({ passkeyId: id })).error).toBeNull();
    expect((await signInAlone(app, device)).code).toBe("webauthn_credential_not_found");
    expect((await browser.auth.mfa.recoveryCodes.generate()).error).toBeNull();
    const weak = sessionOf(await app.client().auth.signInWithPassword({ email: user.email, password: testPassword }));
    await expect(authenticate(app.services, weak.access_token)).rejects.toMatchObject({ code: "insufficient_aal" });
  });

  it("is not removed if no other sign-in method is left", async () => {
    const { user, browser, device, id } = await withPasskey(app);
    const phone = { phone: "15125550199", phone_confirmed_at: app.clock.now() };
    const alone = { email_confirmed_at: null, password_hash: null, ...phone };
    await db().updateTable("users").set(alone).where("id", "=", user.id).execute();
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
