import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountsApp, testPassword, accountsApp, sessionOf } from "#test/harness/accounts.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
afterAll(() => app.close());

const post = async (path: string, body: object) => {
  const response = await app.send(`/auth/v1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { code: string; message: string } };
};

describe("response shapes", () => {
  it("returns 400 for a suspended user's sign-in and renewal, and 403 for other calls", async () => {
    const person = await app.user();
    const { auth } = app.client();
    const session = sessionOf(await auth.signInWithPassword({ email: person.email, password: testPassword }));
    await auth.resetPasswordForEmail(person.email);
    await app.services.database.db
      .updateTable("users")
      .set({ banned_until: new Date("9999-01-01") })
      .where("id", "=", person.id)
      .execute();
    const named = { status: 400, body: { code: "user_banned" } };
    expect(await post("/token?grant_type=password", { email: person.email, password: testPassword })).toMatchObject(
      named,
    );
    expect(await post("/token?grant_type=refresh_token", { refresh_token: session.refresh_token })).toMatchObject(
      named,
    );
    const token_hash = (await app.lastMessage(person.email)).token;
    expect(await post("/verify", { type: "recovery", token_hash })).toMatchObject({ ...named, status: 403 });
  });

  it("refuses an address together with a number", async () => {
    const { email } = await app.user({ phone: "15125550111" });
    expect(
      await post("/token?grant_type=password", { email, phone: "+15125550111", password: testPassword }),
    ).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  });

  it("refuses every invitation", async () => {
    for (const proof of [{ token_hash: "x" }, { email: "a@people.test", token: "123456" }])
      expect(await post("/verify", { type: "invite", ...proof })).toMatchObject({
        status: 403,
        body: { code: "otp_expired" },
      });
  });

  it("returns the last use of an identity", async () => {
    const person = await app.user({ createdAt: new Date("2020-01-01") });
    const { auth } = app.client();
    const { user } = sessionOf(await auth.signInWithPassword({ email: person.email, password: testPassword }));
    expect(user.identities?.[0]?.last_sign_in_at).toBe(user.last_sign_in_at);
    expect(user.last_sign_in_at).not.toBe(user.created_at);
  });
});
