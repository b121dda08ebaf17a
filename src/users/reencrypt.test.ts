import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { type Keys, loadKeys } from "#platform/security/keys.ts";
import { setUpAccounts } from "#test/harness/accounts.ts";
import { reencryptAccounts } from "./reencrypt.store.ts";

const [first, second] = [randomBytes(32), randomBytes(32)];
const app = setUpAccounts({ SECRETS_KEY: first.toString("base64") });

async function startWith(secretsKey: Buffer, secretsKeyOld?: Buffer): Promise<void> {
  const source = { secretsKey, secretsKeyOld, dataDir: "/nowhere" };
  const keys: Keys = await loadKeys(app.services.database, source, reencryptAccounts);
  Object.assign(app.services, { keys });
}

const renew = async (refresh_token: string) => {
  const { status, body } = await app.json("/auth/v1/token?grant_type=refresh_token", { body: { refresh_token } });
  return { status, token: String(body["refresh_token"]) };
};
const storedSecrets = () => app.db.selectFrom("factors").select("secret").orderBy("id").execute();

it("retains second factors, recovery codes, sessions and tokens after a change of the root key", async () => {
  const { user, auth } = await app.signedIn();
  const { factorId, code } = await app.addFactor({ auth });
  const { codes = [] } = (await auth.mfa.recoveryCodes.generate()).data ?? {};
  const plain = await app.client().signIn(user);
  const child = await renew(plain.refresh_token);
  const before = await storedSecrets();

  await startWith(second, first);
  expect(await storedSecrets()).not.toEqual(before);
  expect(await renew(plain.refresh_token)).toEqual(child);
  expect((await renew(child.token)).status).toBe(200);
  const again = app.client();
  await again.signIn(user);
  expect((await again.auth.mfa.recoveryCodes.verify({ code: codes[0] ?? "" })).error).toBeNull();

  await startWith(second);
  app.clock.advance(31_000);
  const late = app.client();
  await late.signIn(user);
  expect((await late.auth.mfa.challengeAndVerify({ factorId, code: code() })).error).toBeNull();
});

it("stops before any change if no key decrypts a stored secret", async () => {
  const { id } = await app.user();
  const secret = "bm90IHNlYWxlZCBieSB1cyBhdCBhbGwsIGJ1dCBsb25nIGVub3VnaA==";
  await app.db.insertInto("factors").values({ user_id: id, secret, friendly_name: "x" }).execute();
  const before = await storedSecrets();
  await expect(startWith(randomBytes(32), second)).rejects.toThrow(/SECRETS_KEY_OLD/);
  expect(await storedSecrets()).toEqual(before);
  await startWith(second);
});
