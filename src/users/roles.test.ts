import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findActor } from "./index.ts";
import { type Stage, goodPassword, openStage, sessionOf } from "#test/accounts-stage.ts";

let stage: Stage;
let demo: Stage;
beforeAll(async () => {
  [stage, demo] = await Promise.all([openStage(), openStage({ DEMO: "1" })]);
});
afterAll(() => Promise.all([stage.close(), demo.close()]));

const headers = { "content-type": "application/json" };
const address = () => `${crypto.randomUUID().slice(0, 8)}@people.test`;

async function roleOf(where: Stage, email: string): Promise<string | undefined> {
  const { db } = where.services.database;
  return (await db.selectFrom("profiles").select("role").where("email", "=", email).executeTakeFirst())?.role;
}

describe("the role of a sign-up", () => {
  it.each([
    ["promoter", "promoter"],
    ["artist", "artist"],
    ["admin", "promoter"],
    ["owner", "promoter"],
  ])("%s becomes %s", async (wish, granted) => {
    const email = address();
    await stage
      .client()
      .auth.signUp({ email, password: goodPassword, options: { data: { name: "A Person", role: wish } } });
    expect(await roleOf(stage, email)).toBe(granted);
    const request = await stage.services.database.db
      .selectFrom("admin_requests")
      .innerJoin("profiles", "profiles.user_id", "admin_requests.user_id")
      .select("decided_at")
      .where("email", "=", email)
      .executeTakeFirst();
    expect(request !== undefined).toBe(wish === "admin");
  });

  it("is admin in demo mode, as the note on the screen says", async () => {
    const email = address();
    await demo
      .client()
      .auth.signUp({ email, password: goodPassword, options: { data: { name: "A Person", role: "admin" } } });
    expect(await roleOf(demo, email)).toBe("admin");
  });
});

const values = [
  `"admin"`,
  `"ADMIN"`,
  `"admin "`,
  `["admin"]`,
  `{"toString":"admin"}`,
  `true`,
  `1`,
  `null`,
  `"adm\\u0069n"`,
];
const injections = [
  ...values.map((value) => `{"email":"@","password":"${goodPassword}","data":{"role":${value}}}`),
  ...values.map((value) => `{"email":"@","password":"${goodPassword}","role":${value}}`),
  ...values.map((value) => `{"email":"@","password":"${goodPassword}","data":{"app_metadata":{"role":${value}}}}`),
  ...values.map((value) => `{"email":"@","password":"${goodPassword}","app_metadata":{"role":${value}}}`),
  ...values.map(
    (value) =>
      `{"email":"@","password":"${goodPassword}","user_metadata":{"role":${value}},"raw_app_meta_data":{"role":${value}}}`,
  ),
  ...values.map((value) => `{"email":"@","password":"${goodPassword}","data":{"__proto__":{"role":${value}}}}`),
  ...values.map(
    (value) => `{"email":"@","password":"${goodPassword}","data":{"constructor":{"prototype":{"role":${value}}}}}`,
  ),
  ...values.map((value) => `{"email":"@","password":"${goodPassword}","__proto__":{"role":${value}}}`),
  ...values.map((value) => `{"email":"@","password":"${goodPassword}","data":{"role":"artist","role":${value}}}`),
  ...values.map(
    (value) =>
      `{"email":"@","password":"${goodPassword}","data":{"Role":${value},"roles":[${value}],"is_admin":true,"admin":true}}`,
  ),
  ...values.map((value) => `{"email":"@","password":"${goodPassword}","data":{},"data":{"role":${value}}}`),
  ...values.map(
    (value) =>
      `{"email":"@","password":"${goodPassword}","data":{"name":{"role":${value}},"profile":{"role":${value}}}}`,
  ),
];

describe("role injection", () => {
  it(`makes no admin in ${injections.length} sign-ups`, async () => {
    const tryOne = async (body: string) => {
      const email = address();
      const answer = await stage.send("/auth/v1/signup", { method: "POST", headers, body: body.replace("@", email) });
      expect(answer.status, body).toBeLessThan(500);
      expect(await answer.text(), body).not.toMatch(/"role":"admin"/i);
      expect(await roleOf(stage, email), body).not.toBe("admin");
    };
    for (let at = 0; at < injections.length; at += 12) await Promise.all(injections.slice(at, at + 12).map(tryOne));
  }, 120_000);

  it(`makes no admin in ${injections.length} updates of an account`, async () => {
    const user = await stage.user({ role: "artist" });
    const { access_token } = sessionOf(
      await stage.client().auth.signInWithPassword({ email: user.email, password: goodPassword }),
    );
    for (const injection of injections) {
      const body = injection.replace(/"email":"@","password":"[^"]+",/, "");
      const answer = await stage.send("/auth/v1/user", {
        method: "PUT",
        headers: { ...headers, authorization: `Bearer ${access_token}` },
        body,
      });
      expect(answer.status, body).toBeLessThan(500);
      expect((await findActor(stage.services, access_token))?.role, body).toBe("artist");
    }
    const { user_metadata } = sessionOf(
      await stage.client().auth.signInWithPassword({ email: user.email, password: goodPassword }),
    ).user;
    expect(user_metadata).not.toHaveProperty("role");
  }, 60_000);

  it("gives a token that says nothing of roles", async () => {
    const user = await stage.user({ role: "admin" });
    const { access_token } = sessionOf(
      await stage.client().auth.signInWithPassword({ email: user.email, password: goodPassword }),
    );
    expect(Buffer.from(access_token.split(".")[1] ?? "", "base64url").toString()).not.toContain("admin");
  });
});
