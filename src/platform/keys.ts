/** Secrets of this installation: made once, kept in the database, shared by its processes. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { Database } from "./db/index.ts";

export type Keys = {
  /** A keyed fingerprint, one purpose apart from another. 32 bytes. */
  hmac(purpose: string, text: string | Uint8Array): Buffer;
  /** Encrypts a secret for storage (AES-256-GCM); the purpose must be the same to read it again. */
  encrypt(purpose: string, plain: string): string;
  /** Reads what encrypt wrote; throws when it was changed. */
  decrypt(purpose: string, stored: string): string;
};

const rootName = "root";

/** Reads the root key, or makes it on the first start. `given` (32 bytes, base64) replaces the stored one. */
export async function loadKeys(database: Database, given?: string): Promise<Keys> {
  return keysFrom(given ? parseKey(given) : await storedRoot(database));
}

function parseKey(text: string): Buffer {
  const key = Buffer.from(text, "base64");
  if (key.length !== 32) throw new Error("SECRETS_KEY must be 32 bytes in base64.");
  return key;
}

async function storedRoot(database: Database): Promise<Buffer> {
  const value = randomBytes(32).toString("base64");
  const { value: stored } = await database.transaction(async (tx) => {
    await tx
      .insertInto("installation_keys")
      .values({ name: rootName, value })
      .onConflict((on) => on.doNothing())
      .execute();
    return tx.selectFrom("installation_keys").select("value").where("name", "=", rootName).executeTakeFirstOrThrow();
  });
  return Buffer.from(stored, "base64");
}

function keysFrom(root: Buffer): Keys {
  const derived = new Map<string, Buffer>();
  const derive = (purpose: string) => {
    const known = derived.get(purpose);
    if (known) return known;
    const fresh = Buffer.from(hkdfSync("sha256", root, "", `stagedoor ${purpose}`, 32));
    derived.set(purpose, fresh);
    return fresh;
  };
  return {
    hmac: (purpose, text) =>
      createHmac("sha256", derive(`mac ${purpose}`))
        .update(text)
        .digest(),
    encrypt: (purpose, plain) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", derive(`seal ${purpose}`), iv);
      const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
    },
    decrypt: (purpose, stored) => {
      const bytes = Buffer.from(stored, "base64");
      const decipher = createDecipheriv("aes-256-gcm", derive(`seal ${purpose}`), bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    },
  };
}
