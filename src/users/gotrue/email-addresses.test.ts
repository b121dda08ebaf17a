import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpAccounts, testPassword } from "#test/harness/accounts.ts";

const app = setUpAccounts();
let count = 0;
beforeEach(() => void (count += 1));

const call = (method: string, path: string, body: object, token?: string) =>
  app.json(path, { method, body, ...(token === undefined ? {} : { token }) });
const signUp = (email: string) => call("POST", "/auth/v1/signup", { email, password: testPassword });
const changeTo = (email: string, token: string) => call("PUT", "/auth/v1/user", { email }, token);
const requestLink = (email: string) => call("POST", "/auth/v1/otp", { email, create_user: true });
const requestRecovery = (email: string) => call("POST", "/auth/v1/recover", { email });

const templatesTo = async (email: string) => (await app.messagesTo(email)).map(({ template }) => template);

describe("email addresses", () => {
  test.each(["r&d-*@venue.example", "anna-*@xn--e1afmkfd.xn--p1ai", "a/b!-*@venue.example"])(
    "accepts %s for a sign-up, a sign-in link and a change, and emails it",
    async (pattern) => {
      const addressOf = (use: string) => pattern.replace("*", `${use}-${count}`);
      expect((await signUp(addressOf("new"))).status).toBe(200);
      expect(await templatesTo(addressOf("new"))).toEqual(["confirm_sign_up"]);
      expect((await requestLink(addressOf("link"))).status).toBe(200);
      expect(await templatesTo(addressOf("link"))).toEqual(["magic_link"]);
      const { token } = await app.signedIn();
      expect((await changeTo(addressOf("changed"), token)).status).toBe(200);
      expect(await templatesTo(addressOf("changed"))).toEqual(["email_change_new"]);
    },
  );

  test.each(["a..b@venue.example", "anna.@venue.example", ".a@venue.example", "a@venue.x"])(
    "refuses %s everywhere",
    async (email) => {
      const { token } = await app.signedIn();
      const replies = [signUp(email), requestLink(email), requestRecovery(email), changeTo(email, token)];
      for (const reply of replies)
        expect(await reply).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    },
  );

  test("lets an account with an unusable address change it, its password and delete itself", async () => {
    const unusable = `kim..${count}@venue.example`;
    const { user, token } = await app.signedIn();
    await app.db.updateTable("users").set({ email: unusable }).where("id", "=", user.id).execute();
    await sql.raw(readFileSync("migrations/1050_unusable_addresses.sql", "utf8")).execute(app.db);
    for (const email of [unusable, `nobody..${count}@venue.example`])
      expect((await requestRecovery(email)).status).toBe(400);
    const newPassword = "lantern pepper ocean 9";
    expect((await call("PUT", "/auth/v1/user", { password: newPassword }, token)).status).toBe(200);
    expect((await changeTo(user.email, token)).status).toBe(200);
    const link = await app.lastMessage(user.email);
    const { error } = await app.client().auth.verifyOtp({ token_hash: link.token, type: "email_change" });
    expect(error).toBeNull();
    const again = await app.client().signIn(user, newPassword);
    await app.db
      .updateTable("users")
      .set({ email: unusable, email_confirmed_at: null })
      .where("id", "=", user.id)
      .execute();
    expect((await call("POST", "/api/me/delete", {}, again.access_token)).status).toBe(200);
  });
});
