import { beforeAll, expect, it } from "vitest";
import { setUpAccounts, testPassword } from "#test/harness/accounts.ts";

const app = setUpAccounts();
let token = "";
beforeAll(async () => {
  token = (await app.signedIn()).token;
});

const strings = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\u202e",
  "%00",
  "'; drop table users; --",
  "<script>x</script>",
  "../../etc/passwd",
  "{{7*7}}",
  "${jndi:x}",
  "NaN",
  "1e309",
  "null",
  "\r\nbcc: a@b.de",
  "a@b.de\nc",
  "x".repeat(60_000),
  "😀".repeat(300),
  "-1",
  "[]",
  "\\",
  "\ufeff",
  "a@" + "b".repeat(300) + ".de",
];
const others: unknown[] = [null, true, 0, -1, 1.5, [], [["x"]], {}, { toString: "x" }, { a: { b: { c: {} } } }];
const endpoints: readonly [method: string, path: string, fields: readonly string[]][] = [
  ["POST", "/signup", ["email", "phone", "password", "data"]],
  ["POST", "/token?grant_type=password", ["email", "phone", "password"]],
  ["POST", "/token?grant_type=refresh_token", ["refresh_token"]],
  ["POST", "/verify", ["type", "token_hash", "token", "email", "phone"]],
  ["POST", "/otp", ["email", "phone", "create_user", "data", "channel"]],
  ["POST", "/recover", ["email"]],
  ["POST", "/resend", ["type", "email", "phone"]],
  ["PUT", "/user", ["email", "phone", "password", "nonce", "data"]],
  ["POST", "/factors", ["factor_type", "friendly_name", "issuer"]],
  ["POST", "/factors/x/verify", ["challenge_id", "code"]],
  ["POST", "/factors/recovery-codes/verify", ["code"]],
];
const usual: Record<string, unknown> = {
  email: "fuzz@people.test",
  password: testPassword,
  type: "signup",
  token: "123456",
  factor_type: "totp",
  code: "123456",
  challenge_id: crypto.randomUUID(),
};

it.each(endpoints)(
  "returns no server error for invalid input of %s %s",
  async (method, path, fields) => {
    for (const field of fields) {
      const bodies = [...strings, ...others].map((value) =>
        JSON.stringify({ ...Object.fromEntries(fields.map((name) => [name, usual[name]])), [field]: value }),
      );
      const tryOne = async (body: string) => {
        const response = await app.send(`/auth/v1${path}`, { method, token, body });
        const text = await response.text();
        expect(
          response.status === 501 || response.status < 500,
          `${response.status} for ${body.slice(0, 120)}: ${text.slice(0, 300)}`,
        ).toBe(true);
        expect(text).not.toMatch(/at .*\.ts:\d+|node_modules/);
      };
      for (let at = 0; at < bodies.length; at += 9) await Promise.all(bodies.slice(at, at + 9).map(tryOne));
    }
  },
  60_000,
);

it.each([
  "{",
  "[]",
  '"x"',
  "null",
  "1",
  `{"a":`.repeat(50) + "1" + "}".repeat(50),
  '{"email":"a@b.de","email":"c@d.de"}',
  `{"email":"${"x".repeat(1_200_000)}"}`,
])("refuses a body like %.20s with a message", async (body) => {
  const { status, body: problem } = await app.json("/auth/v1/signup", { body });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(problem["message"]).toMatch(/\w+ \w+/);
});

it.each([
  ["/token?grant_type=password&grant_type=refresh_token", "grant_type"],
  ["/logout?scope=local&scope=global", "scope"],
  ["/recover?redirect_to=/a&redirect_to=/b", "redirect_to"],
])("refuses %s, which has a parameter twice", async (path, name) => {
  const { status, body } = await app.json(`/auth/v1${path}`, { token, body: { email: "twice@people.test" } });
  expect([status, body["code"], body["message"]]).toEqual([
    400,
    "validation_failed",
    `The address has "${name}" more than once.`,
  ]);
});
