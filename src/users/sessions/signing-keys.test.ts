import { SignJWT, decodeJwt, decodeProtectedHeader, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import { minuteMs, dayMs } from "#platform/time/durations.rules.ts";
import { setUpAccounts } from "#test/harness/accounts.ts";
import { rotateSigningKeys } from "../index.ts";
import { publishedKeys, maintainSigningKeys } from "./signing-keys.ts";

const app = setUpAccounts();

const kidOf = (token: string) => decodeProtectedHeader(token).kid;
const kids = async () => (await publishedKeys(app.services)).keys.map((key) => key.kid);
const signIn = async () => (await app.signedIn()).token;

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
    for (const token of [before, after]) expect(await app.authenticate(token)).not.toBeNull();
    app.clock.advance(80 * minuteMs);
    await maintainSigningKeys(app.services);
    app.clock.advance(61_000);
    expect(await kids()).toEqual([fresh]);
    await expect(app.authenticate(before)).rejects.toMatchObject({ code: "bad_jwt" });
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
    const rows = await app.db.selectFrom("signing_keys").select("private_key").execute();
    for (const { private_key } of rows) expect(private_key).not.toContain('"d"');
  });
});

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
/** Signs the claims of a token with the key of another installation. */
async function signedElsewhere(token: string, kid: string | undefined): Promise<string> {
  const { privateKey } = await generateKeyPair("ES256");
  const header = { alg: "ES256", typ: "JWT", ...(kid ? { kid } : {}) };
  return new SignJWT(decodeJwt(token)).setProtectedHeader(header).sign(privateKey);
}

describe("token", () => {
  it("is refused without a signature, with another algorithm or claim, and with another key", async () => {
    const token = await signIn();
    const [header = "", claims = "", signature = ""] = token.split(".");
    const changed = { ...decodeJwt(token), sub: crypto.randomUUID() };
    for (const forged of [
      `${header}.${claims}.`,
      `${encoded({ alg: "none" })}.${claims}.`,
      `${header}.${encoded(changed)}.${signature}`,
      await signedElsewhere(token, kidOf(token)),
      await signedElsewhere(token, crypto.randomUUID()),
      await signedElsewhere(token, undefined),
    ])
      await expect(app.authenticate(forged), forged).rejects.toMatchObject({ status: 401, code: "bad_jwt" });
  });
});
