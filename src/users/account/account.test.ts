import { describe, expect, it } from "vitest";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { setUpAccounts, testPassword } from "#test/harness/accounts.ts";

const app = setUpAccounts();

describe("GET /me", () => {
  it("returns the signed-in user with the current data of the database", async () => {
    const person = await app.user({ role: "artist", name: "Nora Field" });
    const { call } = await app.as(person);
    expect(await call("GET", "/me")).toMatchObject({
      status: 200,
      body: {
        id: person.id,
        name: "Nora Field",
        role: "artist",
        emailVerified: true,
        hasSecondFactor: false,
        adminRequestPending: false,
      },
    });
    expect((await app.send("/api/me")).status).toBe(401);
  });

  it("requires an admin outside demo mode to set up a second factor", async () => {
    const { user, token } = await app.signedIn({ role: "admin" });
    const { body } = await app.json("/api/me", { token });
    expect(body).toMatchObject({ role: "admin", shouldSetUpSecondFactor: true });
    const refused = { status: 403, body: { code: "second_factor_required" } };
    expect(await app.json("/api/admin/users", { token })).toMatchObject(refused);
    expect((await (await app.as(user)).call("GET", "/admin/users")).status).toBe(200);
  });
});

describe("list of sessions", () => {
  it("returns each device, and signs one of the user's own out at the next request", async () => {
    const person = await app.user();
    const [here, there] = [await app.as(person), await app.as(person)];
    const { items = [] } = (await here.call("GET", "/me/sessions")).body;
    expect(items.map((item) => item["place"])).toEqual(["This computer", "This computer"]);
    const other = items.find((item) => item["current"] === false);
    const path = `/me/sessions/${String(other?.["id"])}`;
    expect((await (await app.as(await app.user())).call("DELETE", path)).status).toBe(404);
    expect((await there.call("GET", "/me")).status).toBe(200);
    expect((await here.call("DELETE", path)).status).toBe(200);
    expect((await there.call("GET", "/me")).status).toBe(401);
    expect((await here.call("GET", "/me")).status).toBe(200);
  });
});

describe("export", () => {
  it("has the user's rows only, without secrets", async () => {
    const [person, other] = [await app.user(), await app.user()];
    const { call } = await app.as(person);
    await app.as(other);
    app.clock.advance(11 * minuteMs);
    const { status, body } = await call("POST", "/me/export", { password: testPassword });
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    expect(text).toContain(person.email);
    expect(text).toContain('"sessions"');
    expect(text).not.toContain(other.id);
    expect(text).not.toMatch(/\$argon2|refresh_tokens|signing_keys/);
  });

  it("has the envelope of every email, and no valid links, codes and hashes", async () => {
    const email = `${crypto.randomUUID().slice(0, 8)}@people.test`;
    const browser = app.client({ cookieMode: true });
    await browser.auth.signUp({ email, password: testPassword });
    await browser.auth.verifyOtp({ token_hash: (await app.lastMessage(email)).token, type: "signup" });
    const { auth } = await app.as({ email });
    const phone = "+15125550166";
    await auth.updateUser({ phone });
    await auth.verifyOtp({ phone, token: (await app.lastMessage(phone)).code, type: "phone_change" });
    for (const request of [
      () => auth.updateUser({ phone: "+15125550167" }),
      () => auth.signInWithOtp({ phone }),
      () => auth.signInWithOtp({ email }),
      () => auth.resetPasswordForEmail(email),
      () => auth.updateUser({ email: `new-${email}` }),
      () => auth.reauthenticate(),
    ])
      expect((await request()).error).toBeNull();
    const paper = { template: "contract_sent", subject: "Please sign", text: "sign at /s/live-secret" };
    await app.db
      .insertInto("messages")
      .values({ channel: "email", recipient: email, ...paper })
      .execute();
    const tokens = await app.db.selectFrom("one_time_tokens").selectAll().execute();
    const kinds = tokens.filter((token) => token.target.includes(email) || /^1512555016|-/.test(token.target));
    expect(new Set(kinds.map((token) => token.kind))).toEqual(
      new Set([
        "sms",
        "phone_change",
        "magiclink",
        "recovery",
        "email_change_old",
        "email_change_new",
        "reauthentication",
      ]),
    );
    const { call } = await app.as({ email });
    const { body } = await call("POST", "/me/export", {});
    const text = JSON.stringify(body);
    const emails = await app.messagesTo(email);
    expect(emails.length).toBeGreaterThanOrEqual(6);
    for (const { template, subject } of emails) {
      expect(text).toContain(template);
      expect(text).toContain(subject);
    }
    const secrets = emails.flatMap((message) => [
      ...[...message.text.matchAll(/token_hash=([\w-]+)/g)].map((found) => found[1] ?? ""),
      ...[...message.text.matchAll(/(?<![\w-])\d{6}(?![\w-])/g)].map((found) => found[0]),
    ]);
    const prints = tokens
      .flatMap(({ hash, code_hash, nonce_hash }) => [hash, code_hash, nonce_hash])
      .flatMap((bytes) => (bytes ? [Buffer.from(bytes).toString("hex"), Buffer.from(bytes).toString("base64")] : []));
    expect(secrets.length).toBeGreaterThanOrEqual(9);
    for (const secret of [...secrets, ...prints, "live-secret"]) expect(text).not.toContain(secret);
  });

  it("shows an admin no data of the users they decided about", async () => {
    const admin = await app.user({ role: "admin" });
    const person = await app.user();
    const decided = { user_id: person.id, decided_by: admin.id, granted: false };
    await app.db.insertInto("admin_requests").values(decided).execute();
    const { call } = await app.as(admin);
    expect(JSON.stringify((await call("POST", "/me/export", {})).body)).not.toContain(person.id);
  });
});

describe("deletion", () => {
  it("removes the user everywhere immediately and frees the address", async () => {
    const { id, email } = await app.user({ name: "Soon Gone" });
    const { call } = await app.as({ email });
    app.clock.advance(11 * minuteMs);
    expect((await call("POST", "/me/delete", { password: testPassword })).status).toBe(200);
    expect((await call("GET", "/me")).status).toBe(401);
    expect((await app.client().signInError(email))?.code).toBe("invalid_credentials");
    const profile = await app.db.selectFrom("profiles").selectAll().where("user_id", "=", id).execute();
    expect(JSON.stringify(profile)).not.toMatch(/Soon Gone|people\.test/);
    const [message, ...others] = await app.messagesTo(email);
    expect(message).toMatchObject({ template: "account_deleted", subject: "Your account was deleted" });
    expect(others).toEqual([]);
    expect(message?.text).not.toContain("Soon Gone");
    const networks = app.db.selectFrom("known_networks").select("user_id").where("user_id", "=", id);
    expect(await networks.execute()).toEqual([]);
    expect((await app.client().auth.signUp({ email, password: testPassword })).error).toBeNull();
    expect((await app.lastMessage(email)).template).toBe("confirm_sign_up");
  });
});
