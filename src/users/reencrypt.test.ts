import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Keys, loadKeys } from "#platform/security/keys.ts";
import { type AccountsApp, testPassword, accountsApp, sessionOf } from "#test/harness/accounts.ts";
import { codeAt } from "./mfa/totp.ts";
import { reencryptAccounts } from "./reencrypt.store.ts";

const [first, second] = [randomBytes(32), randomBytes(32)];
let app: AccountsApp;
beforeAll(async () => {
  app = await accountsApp({ SECRETS_KEY: first.toString("base64") });
});
afterAll(() => app.close());

async function startWith(secretsKey: Buffer, secretsKeyOld?: Buffer): Promise<void> {
  const source = { secretsKey, secretsKeyOld, dataDir: "/nowhere" };
  const keys: Keys = await loadKeys(app.services.database, source, reencryptAccounts);
  Object.assign(app.services, { keys });
}

const renew = async (token: string) => {
  const response = await app.send("/auth/v1/token?grant_type=refresh_token", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ refresh_token: token }),
  });
  return { status: response.status, token: ((await response.json()) as { refresh_token?: string }).refresh_token };
};

it("retains second factors, recovery codes, sessions and tokens after a change of the root key", async () => {
  const person = await app.user();
  const { auth } = app.client();
  const session = sessionOf(await auth.signInWithPassword({ email: person.email, password: testPassword }));
  const enrolled = await auth.mfa.enroll({ factorType: "totp" });
  if (enrolled.error) throw enrolled.error;
  const { id: factorId, totp } = enrolled.data;
  const prove = (at: ReturnType<AccountsApp["client"]>) =>
    at.auth.mfa.challengeAndVerify({ factorId, code: codeAt(totp.secret, app.clock.now()) });
  expect((await auth.mfa.challengeAndVerify({ factorId, code: codeAt(totp.secret, app.clock.now()) })).error).toBe(
    null,
  );
  const made = (await (
    await app.send("/auth/v1/factors/recovery-codes", {
      method: "POST",
      headers: {
        authorization: `Bearer ${(await auth.getSession()).data.session?.access_token}`,
        "content-type": "application/json",
      },
      body: "{}",
    })
  ).json()) as { codes: string[] };
  const plain = sessionOf(await app.client().auth.signInWithPassword({ email: person.email, password: testPassword }));
  const child = await renew(plain.refresh_token);
  const before = await app.services.database.db.selectFrom("factors").select("secret").executeTakeFirstOrThrow();

  await startWith(second, first);
  const after = await app.services.database.db.selectFrom("factors").select("secret").executeTakeFirstOrThrow();
  expect(after.secret).not.toBe(before.secret);
  expect(await renew(plain.refresh_token)).toEqual(child);
  expect((await renew(child.token ?? "")).status).toBe(200);
  const again = app.client();
  sessionOf(await again.auth.signInWithPassword({ email: person.email, password: testPassword }));
  const viaCode = await app.send("/auth/v1/factors/recovery-codes/verify", {
    method: "POST",
    headers: {
      authorization: `Bearer ${(await again.auth.getSession()).data.session?.access_token}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ code: made.codes[0] }),
  });
  expect(viaCode.status).toBe(200);

  await startWith(second);
  app.clock.advance(31_000);
  const late = app.client();
  sessionOf(await late.auth.signInWithPassword({ email: person.email, password: testPassword }));
  expect((await prove(late)).error).toBeNull();
  expect(session.user.id).toBe(person.id);
});

it("stops before any change if no key decrypts a stored secret", async () => {
  const { db } = app.services.database;
  const { id } = await app.user();
  const foreign = {
    user_id: id,
    secret: "bm90IHNlYWxlZCBieSB1cyBhdCBhbGwsIGJ1dCBsb25nIGVub3VnaA==",
    friendly_name: "x",
  };
  await db.insertInto("factors").values(foreign).execute();
  const before = await db.selectFrom("factors").select("secret").orderBy("id").execute();
  await expect(startWith(randomBytes(32), second)).rejects.toThrow(/SECRETS_KEY_OLD/);
  expect(await db.selectFrom("factors").select("secret").orderBy("id").execute()).toEqual(before);
  await startWith(second);
});
