import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticate, rotateSigningKeys } from "../index.ts";
import { type AccountsApp, testPassword, accountsApp, sessionOf } from "#test/harness/accounts.ts";
import { minuteMs, dayMs } from "#platform/time/durations.rules.ts";
import { publishedKeys, maintainSigningKeys } from "./signing-keys.ts";

let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp();
});
afterAll(() => app.close());

const kidOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;
const kids = async () => (await publishedKeys(app.services)).keys.map((key) => key.kid);
const signIn = async () => {
  const user = await app.user();
  return sessionOf(await app.client().auth.signInWithPassword({ email: user.email, password: testPassword }))
    .access_token;
};

describe("change of the signing key", () => {
  it("publishes two keys for a while and signs no user out", async () => {
    const [old] = await kids();
    const before = await signIn();
    const fresh = await rotateSigningKeys(app.services);
    expect(new Set(await kids())).toEqual(new Set([old, fresh]));
    expect(kidOf(await signIn())).toBe(old);
    app.clock.advance(21 * minuteMs);
    const after = await signIn();
    expect(kidOf(after)).toBe(fresh);
    expect(await authenticate(app.services, before)).not.toBeNull();
    expect(await authenticate(app.services, after)).not.toBeNull();
    app.clock.advance(80 * minuteMs);
    await maintainSigningKeys(app.services);
    app.clock.advance(61_000);
    expect(await kids()).toEqual([fresh]);
    await expect(authenticate(app.services, before)).rejects.toMatchObject({ code: "bad_jwt" });
  });

  it("happens automatically after 90 days", async () => {
    const [old] = await kids();
    await maintainSigningKeys(app.services);
    expect(await kids()).toEqual([old]);
    app.clock.advance(91 * dayMs);
    await maintainSigningKeys(app.services);
    expect(await kids()).toHaveLength(2);
  });

  it("stores the private part encrypted", async () => {
    const rows = await app.services.database.db.selectFrom("signing_keys").select("private_key").execute();
    for (const { private_key } of rows) expect(private_key).not.toContain('"d"');
  });
});

describe("token", () => {
  it.each([
    ["without a signature", (token: string) => token.split(".").slice(0, 2).join(".") + "."],
    [
      "with algorithm none",
      (token: string) => [Buffer.from('{"alg":"none"}').toString("base64url"), token.split(".")[1], ""].join("."),
    ],
    [
      "with a changed claim",
      (token: string) => {
        const [header, , signature] = token.split(".");
        const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
        return [
          header,
          Buffer.from(JSON.stringify({ ...claims, sub: crypto.randomUUID() })).toString("base64url"),
          signature,
        ].join(".");
      },
    ],
    [
      "of another installation",
      async () => {
        const other = await accountsApp();
        try {
          const user = await other.user();
          return sessionOf(await other.client().auth.signInWithPassword({ email: user.email, password: testPassword }))
            .access_token;
        } finally {
          await other.close();
        }
      },
    ],
  ])("is refused: %s", async (_what, change) => {
    await expect(authenticate(app.services, await change(await signIn()))).rejects.toMatchObject({
      status: 401,
      code: "bad_jwt",
    });
  });
});
