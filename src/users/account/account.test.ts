import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountsApp, testPassword, accountsApp, sessionOf } from "#test/harness/accounts.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
afterAll(() => app.close());

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
    const admin = await app.user({ role: "admin" });
    const session = sessionOf(
      await app.client().auth.signInWithPassword({ email: admin.email, password: testPassword }),
    );
    const request = (path: string) => app.send(path, { headers: { authorization: `Bearer ${session.access_token}` } });
    expect(await (await request("/api/me")).json()).toMatchObject({ role: "admin", shouldSetUpSecondFactor: true });
    const refused = await request("/api/admin/users");
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      403,
      "second_factor_required",
    ]);
    expect((await (await app.as(admin)).call("GET", "/admin/users")).status).toBe(200);
  });
});

describe("list of sessions", () => {
  it("returns each device, and signs one of them out at the next request", async () => {
    const person = await app.user();
    const [here, there] = [await app.as(person), await app.as(person)];
    const { body } = await here.call("GET", "/me/sessions");
    expect(body.items).toHaveLength(2);
    expect(body.items?.map((item) => item["place"])).toEqual(["This computer", "This computer"]);
    const other = body.items?.find((item) => item["current"] === false);
    expect((await here.call("DELETE", `/me/sessions/${String(other?.["id"])}`)).status).toBe(200);
    expect((await there.call("GET", "/me")).status).toBe(401);
    expect((await here.call("GET", "/me")).status).toBe(200);
  });

  it("does not end another user's session", async () => {
    const mine = await app.as(await app.user());
    const theirs = await app.as(await app.user());
    const id = String((await theirs.call("GET", "/me/sessions")).body.items?.[0]?.["id"]);
    expect((await mine.call("DELETE", `/me/sessions/${id}`)).status).toBe(404);
    expect((await theirs.call("GET", "/me")).status).toBe(200);
  });
});

describe("export", () => {
  it("has the user's rows only, without secrets", async () => {
    const person = await app.user();
    const other = await app.user();
    const { call } = await app.as(person);
    await app.as(other);
    const text = JSON.stringify((await call("POST", "/me/export", {})).body);
    expect(text).toContain(person.email);
    expect(text).toContain('"sessions"');
    expect(text).not.toContain(other.id);
    expect(text).not.toContain("$argon2");
    expect(text).not.toMatch(/refresh_tokens|signing_keys/);
  });

  it("requires the same recent authentication as a deletion", async () => {
    const { call } = await app.as(await app.user());
    app.clock.advance(11 * minuteMs);
    const refused = await call("POST", "/me/export", {});
    expect(refused).toMatchObject({ status: 403, body: { code: "reauthentication_needed" } });
    expect((await call("POST", "/me/export", { password: "not this one" })).body.code).toBe(
      "reauthentication_not_valid",
    );
    expect((await call("POST", "/me/export", { password: testPassword })).status).toBe(200);
  });

  it("has the envelope of every email, and no valid links, codes and hashes", async () => {
    const email = `${crypto.randomUUID().slice(0, 8)}@people.test`;
    const browser = app.client({ cookieMode: true });
    await browser.auth.signUp({ email, password: testPassword });
    await browser.auth.verifyOtp({ token_hash: (await app.lastMessage(email)).token, type: "signup" });
    const { auth } = await app.as({ email });
    await auth.updateUser({ phone: "+15125550166" });
    await auth.verifyOtp({
      phone: "+15125550166",
      token: (await app.lastMessage("+15125550166")).code,
      type: "phone_change",
    });
    for (const request of [
      () => auth.updateUser({ phone: "+15125550167" }),
      () => auth.signInWithOtp({ phone: "+15125550166" }),
      () => auth.signInWithOtp({ email }),
      () => auth.resetPasswordForEmail(email),
      () => auth.updateUser({ email: `new-${email}` }),
      () => auth.reauthenticate(),
    ])
      expect((await request()).error).toBeNull();
    const { db } = app.services.database;
    const paper = { channel: "email", recipient: email, template: "contract_sent", subject: "Please sign" } as const;
    await db
      .insertInto("messages")
      .values({ ...paper, text: "sign at /s/live-secret" })
      .execute();
    const tokens = await db.selectFrom("one_time_tokens").selectAll().execute();
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
    const emails = await db.selectFrom("messages").selectAll().where("recipient", "=", email).execute();
    expect(emails.length).toBeGreaterThanOrEqual(6);
    for (const { template, subject } of emails) {
      expect(text).toContain(template);
      expect(text).toContain(subject);
    }
    const secrets = emails.flatMap((email) => [
      ...[...email.text.matchAll(/token_hash=([\w-]+)/g)].map((found) => found[1] ?? ""),
      ...[...email.text.matchAll(/(?<![\w-])\d{6}(?![\w-])/g)].map((found) => found[0]),
    ]);
    const prints = tokens.flatMap(({ hash, code_hash, nonce_hash }) =>
      [hash, code_hash, nonce_hash].flatMap((bytes) =>
        bytes ? [Buffer.from(bytes).toString("hex"), Buffer.from(bytes).toString("base64")] : [],
      ),
    );
    expect(secrets.length).toBeGreaterThanOrEqual(9);
    for (const secret of [...secrets, ...prints, "live-secret"]) expect(text).not.toContain(secret);
  });

  it("shows an admin no data of the users they decided about", async () => {
    const { db } = app.services.database;
    const admin = await app.user({ role: "admin" });
    const person = await app.user();
    await db
      .insertInto("admin_requests")
      .values({ user_id: person.id, decided_by: admin.id, granted: false })
      .execute();
    const { call } = await app.as(admin);
    expect(JSON.stringify((await call("POST", "/me/export", {})).body)).not.toContain(person.id);
  });
});

describe("deletion", () => {
  it("removes the user everywhere immediately and frees the address", async () => {
    const person = await app.user({ name: "Soon Gone" });
    const { call } = await app.as(person);
    app.clock.advance(11 * minuteMs);
    expect((await call("POST", "/me/delete", {})).body.code).toBe("reauthentication_needed");
    expect((await call("POST", "/me/delete", { password: testPassword })).status).toBe(200);
    expect((await call("GET", "/me")).status).toBe(401);
    expect(
      (await app.client().auth.signInWithPassword({ email: person.email, password: testPassword })).error?.code,
    ).toBe("invalid_credentials");
    const row = await app.services.database.db
      .selectFrom("profiles")
      .selectAll()
      .where("user_id", "=", person.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toMatch(/Soon Gone|people\.test/);
    const { db } = app.services.database;
    const messages = await db.selectFrom("messages").selectAll().where("recipient", "=", person.email).execute();
    expect(messages.map(({ template, subject }) => [template, subject])).toEqual([
      ["account_deleted", "Your account was deleted"],
    ]);
    expect(messages[0]?.text).not.toContain("Soon Gone");
    const places = db.selectFrom("known_networks").select("user_id").where("user_id", "=", person.id);
    expect(await places.execute()).toEqual([]);
    expect((await app.client().auth.signUp({ email: person.email, password: testPassword })).error).toBeNull();
    expect((await app.lastMessage(person.email)).template).toBe("confirm_sign_up");
  });

  it("is refused to the last admin", async () => {
    const own = await accountsApp();
    try {
      const { call } = await own.as(await own.user({ role: "admin" }));
      expect((await call("POST", "/me/delete", {})).status).toBe(409);
    } finally {
      await own.close();
    }
  });
});
