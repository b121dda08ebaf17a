/** Recovery codes, for a person whose authenticator is lost. Each works once; only hashes are stored. */
import { randomBytes } from "node:crypto";
import type { Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services.ts";
import { recoveryCodeCount } from "../rules.ts";

/** Crockford's alphabet: nothing that is mistaken for something else on paper. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Fifty random bits, written in two groups of five. */
function newCode(): string {
  const text = Array.from(randomBytes(10), (byte) => alphabet[byte % 32]).join("");
  return `${text.slice(0, 5)}-${text.slice(5)}`;
}

const plain = (code: string) =>
  code.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
const purpose = "recovery code";
const written = (userId: string, code: string) => `${userId} ${plain(code)}`;

/** Makes ten new codes; the old ones are void. They are shown this once. */
export async function replaceRecoveryCodes(tx: Tx, services: PlatformServices, userId: string): Promise<string[]> {
  await deleteRecoveryCodes(tx, userId);
  const codes = Array.from({ length: recoveryCodeCount }, newCode);
  await tx
    .insertInto("recovery_codes")
    .values(
      codes.map((code) => ({
        user_id: userId,
        hash: services.keys.hmac(purpose, written(userId, code)),
        created_at: services.clock.now(),
      })),
    )
    .execute();
  return codes;
}

export const deleteRecoveryCodes = (tx: Tx, userId: string) =>
  tx.deleteFrom("recovery_codes").where("user_id", "=", userId).executeTakeFirst();

/** Uses up a code; false when it is wrong or was used. */
export async function takeRecoveryCode(
  tx: Tx,
  services: PlatformServices,
  userId: string,
  code: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("recovery_codes")
    .set({ used_at: services.clock.now() })
    .where("user_id", "=", userId)
    .where("hash", "in", services.keys.hmacs(purpose, written(userId, code)))
    .where("used_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
