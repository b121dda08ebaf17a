import { ConfigError } from "#platform/config.ts";
import { updateById, type Tx } from "#platform/db/index.ts";
import type { Keys } from "#platform/security/keys.ts";
import { secretPurpose } from "./mfa/totp.ts";
import { purpose as signingPurpose } from "./sessions/signing-keys.ts";

/** Encrypts the secrets of authenticator apps and the signing keys again after the root key was replaced. Throws if no key decrypts one. */
export async function reencryptAccounts(tx: Tx, keys: Keys): Promise<void> {
  for (const { id, secret } of await tx.selectFrom("factors").select(["id", "secret"]).forUpdate().execute()) {
    const fresh = reencrypted(keys, secretPurpose, secret, `factors ${id}`);
    await updateById(tx, "factors", id, { secret: fresh });
  }
  const removed = await tx
    .selectFrom("account_changes")
    .select(["id", "factor_secret"])
    .where("factor_secret", "is not", null)
    .forUpdate()
    .execute();
  for (const { id, factor_secret } of removed) {
    const fresh = reencrypted(keys, secretPurpose, factor_secret ?? "", `account_changes ${id}`);
    await updateById(tx, "account_changes", id, { factor_secret: fresh });
  }
  const signing = await tx.selectFrom("signing_keys").select(["kid", "private_key"]).forUpdate().execute();
  for (const { kid, private_key } of signing) {
    const fresh = reencrypted(keys, signingPurpose, private_key, `signing_keys ${kid}`);
    await tx.updateTable("signing_keys").set({ private_key: fresh }).where("kid", "=", kid).execute();
  }
}

function reencrypted(keys: Keys, purpose: string, stored: string, row: string): string {
  try {
    return keys.encrypt(purpose, keys.decrypt(purpose, stored));
  } catch {
    throw new ConfigError(
      `SECRETS_KEY: the row ${row} can be read with neither SECRETS_KEY nor SECRETS_KEY_OLD. Nothing was changed; find its key, or remove the row.`,
    );
  }
}
