import { describe, expect, it } from "vitest";
import { setUpAccounts, testPassword } from "#test/harness/accounts.ts";

const app = setUpAccounts();

describe("role of a sign-up", () => {
  it.each([
    ["promoter", "promoter"],
    ["artist", "artist"],
    ["admin", "promoter"],
    ["owner", "promoter"],
  ])("turns %s into %s", async (requested, granted) => {
    const email = `${crypto.randomUUID().slice(0, 8)}@people.test`;
    const options = { data: { name: "A Person", role: requested } };
    await app.client().auth.signUp({ email, password: testPassword, options });
    const profile = await app.db
      .selectFrom("profiles")
      .leftJoin("admin_requests", "admin_requests.user_id", "profiles.user_id")
      .select(["role", "admin_requests.user_id as request"])
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    expect([profile.role, profile.request !== null]).toEqual([granted, requested === "admin"]);
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
/** A body without its braces, and whether it can be parsed: repeated and dangerous names are refused completely. */
const payloads: readonly { readable: boolean; text: (value: string) => string }[] = [
  { readable: true, text: (value) => `"data":{"role":${value}}` },
  { readable: true, text: (value) => `"role":${value}` },
  { readable: true, text: (value) => `"data":{"app_metadata":{"role":${value}}}` },
  { readable: true, text: (value) => `"app_metadata":{"role":${value}}` },
  { readable: true, text: (value) => `"user_metadata":{"role":${value}},"raw_app_meta_data":{"role":${value}}` },
  { readable: false, text: (value) => `"data":{"__proto__":{"role":${value}}}` },
  { readable: false, text: (value) => `"data":{"constructor":{"prototype":{"role":${value}}}}` },
  { readable: false, text: (value) => `"__proto__":{"role":${value}}` },
  { readable: false, text: (value) => `"data":{"role":"artist","role":${value}}` },
  { readable: true, text: (value) => `"data":{"Role":${value},"roles":[${value}],"is_admin":true,"admin":true}` },
  { readable: false, text: (value) => `"data":{},"data":{"role":${value}}` },
  { readable: true, text: (value) => `"data":{"name":{"role":${value}},"profile":{"role":${value}}}` },
];
const injections = payloads.flatMap(({ readable, text }) => values.map((value) => ({ readable, text: text(value) })));
const unreadable = injections.filter(({ readable }) => !readable).length;

async function injectAll(send: (text: string) => Promise<Response>): Promise<number> {
  const statuses: number[] = [];
  const tryOne = async ({ readable, text }: (typeof injections)[number]) => {
    const response = await send(text);
    expect(response.status, text).toBe(readable ? 200 : 400);
    expect(await response.text(), text).not.toMatch(/"role":"admin"/i);
    statuses.push(response.status);
  };
  for (let at = 0; at < injections.length; at += 12) await Promise.all(injections.slice(at, at + 12).map(tryOne));
  return statuses.filter((status) => status !== 200).length;
}

async function rolesAt(domain: string): Promise<string[]> {
  const rows = await app.db.selectFrom("profiles").select("role").where("email", "like", `%@${domain}`).execute();
  return rows.map(({ role }) => role);
}

describe("role injection", () => {
  it.each([
    ["sign-ups", "/signup", `"password":"${testPassword}"`, "sign-up.test"],
    ["codes that make an account", "/otp", `"create_user":true`, "otp.test"],
  ])(
    `makes no admin in ${injections.length} %s, of which only the unreadable make no account`,
    async (_what, path, rest, domain) => {
      const refused = await injectAll((text) => {
        const email = `${crypto.randomUUID().slice(0, 8)}@${domain}`;
        return app.send(`/auth/v1${path}`, { body: `{"email":"${email}",${rest},${text}}` });
      });
      expect(refused).toBe(unreadable);
      const made = await rolesAt(domain);
      expect(made).toHaveLength(injections.length - unreadable);
      expect(made.filter((role) => role !== "promoter")).toEqual([]);
    },
    120_000,
  );

  it(`makes no admin in ${injections.length} updates of an account, with other changes too`, async () => {
    const { user, token } = await app.signedIn({ role: "artist" });
    for (const rest of ["", `"password":"some other words, long",`, `"email":"moved-${user.email}",`]) {
      const some = rest === "" ? injections : injections.filter((_, at) => at % 9 === 0);
      for (const { readable, text } of some) {
        const body = `{${rest}${text}}`;
        const response = await app.send("/auth/v1/user", { method: "PUT", token, body });
        // From the second update on, the password is unchanged.
        const expected = !readable ? [400] : rest.includes("password") ? [200, 422] : [200];
        expect(expected, body).toContain(response.status);
        expect((await app.authenticate(token))?.role, body).toBe("artist");
      }
    }
    const { data } = await app.client().auth.getUser(token);
    expect(data.user?.user_metadata).not.toHaveProperty("role");
    expect(data.user?.app_metadata).not.toHaveProperty("role");
  });

  it("finds nothing at the paths where an admin would change a user", async () => {
    const { user, token } = await app.signedIn();
    const body = { role: "admin", app_metadata: { role: "admin" } };
    for (const method of ["PUT", "PATCH", "POST"])
      for (const path of [`/admin/users/${user.id}`, `/user/${user.id}`, "/user/role", "/admin/generate_link"])
        expect((await app.send(`/auth/v1${path}`, { method, token, body })).status, `${method} ${path}`).toBe(501);
    expect(await app.authenticate(token)).toMatchObject({ role: "promoter" });
  });

  it("returns a token without roles", async () => {
    const { token } = await app.signedIn({ role: "admin" });
    expect(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).not.toContain("admin");
  });
});
