/** Recovery codes, for a user who lost the authenticator. Each works once. Only salted argon2id hashes are stored. */

import { randomBytes } from "node:crypto";
import type { Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";

/** Crockford's alphabet, without characters that look alike. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

function newCode(): string {
  const text = Array.from(randomBytes(10), (byte) => alphabet[byte % 32]).join("");
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

const plain = (code: string) =>
  code.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
const recoveryCodeCount = 10;
const purpose = "recovery code";
const written = (userId: string, code: string) => `${userId} ${plain(code)}`;

/** Returns new codes with their hashes. Hashing is slow by design: call it before the transaction. */
export const makeHashedCodes = (services: PlatformServices): Promise<{ code: string; argon2: string }[]> =>
  Promise.all(
    Array.from({ length: recoveryCodeCount }, async () => {
      const code = newCode();
      return { code, argon2: await services.authTiming.hashPassword(plain(code)) };
    }),
  );

export async function replaceRecoveryCodes(
  tx: Tx,
  services: PlatformServices,
  userId: string,
  codes: readonly { argon2: string }[],
): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  const createdAt = services.realClock.now();
  await tx
    .insertInto("recovery_codes")
    .values(codes.map(({ argon2 }) => ({ user_id: userId, hash: randomBytes(16), argon2, created_at: createdAt })))
    .execute();
}

export const deleteRecoveryCodes = (tx: Tx, userId: string) =>
  tx.deleteFrom("recovery_codes").where("user_id", "=", userId).executeTakeFirst();

/** Returns the row of an unused code, or undefined. Slow by design: call it before the transaction that consumes the code. */
export async function findRecoveryCode(services: PlatformServices, userId: string, code: string) {
  const rows = await services.database.db
    .selectFrom("recovery_codes")
    .select(["hash", "argon2"])
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .execute();
  const keyed = services.keys.hmacs(purpose, written(userId, code));
  for (const { hash, argon2 } of rows) {
    const matches = argon2
      ? await services.authTiming.verifyPassword(argon2, plain(code))
      : keyed.some((known) => known.equals(hash));
    if (matches) return hash;
  }
  return undefined;
}

export async function consumeRecoveryCode(tx: Tx, services: PlatformServices, userId: string, hash: Uint8Array) {
  const { numUpdatedRows } = await tx
    .updateTable("recovery_codes")
    .set({ used_at: services.realClock.now() })
    .where("user_id", "=", userId)
    .where("hash", "=", hash)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
