import { randomBytes, scryptSync } from "node:crypto";
import { z } from "zod";
import { ConfigError } from "#platform/config.ts";
import { keysFrom } from "#platform/security/keys.ts";

const encryptedSchema = z.object({ salt: z.string(), key: z.string() });
const purpose = "root key in a backup";
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

const from = (passphrase: string, salt: Buffer) => keysFrom(scryptSync(passphrase.normalize("NFC"), salt, 32, cost));

export function encryptRootKey(root: Buffer, passphrase: string): Buffer {
  const salt = randomBytes(16);
  const key = from(passphrase, salt).encrypt(purpose, root.toString("base64"));
  return Buffer.from(JSON.stringify({ salt: salt.toString("base64"), key }));
}

/** Throws ConfigError if the passphrase is wrong. */
export function decryptRootKey(encrypted: Buffer, passphrase: string): Buffer {
  const { salt, key } = encryptedSchema.parse(JSON.parse(encrypted.toString("utf8")));
  try {
    return Buffer.from(from(passphrase, Buffer.from(salt, "base64")).decrypt(purpose, key), "base64");
  } catch {
    throw new ConfigError("BACKUP_PASSPHRASE is not the passphrase of this backup.");
  }
}
