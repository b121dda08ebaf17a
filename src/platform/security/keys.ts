/** Secrets derived from one root key, in SECRETS_KEY or DATA_DIR, never in the database. The database has its fingerprint. */

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { ConfigError } from "../config.ts";
import { type Database, hasTable, type Tx } from "../db/index.ts";
import { deleteKey, writeKey } from "../db/platform.store.ts";
import { readSecretFile, secretFile, writeSecretFile } from "./secret-file.ts";

export type Keys = {
  /** Returns a keyed fingerprint of 32 bytes, different for each purpose. */
  hmac(purpose: string, text: string | Uint8Array): Buffer;
  /** Returns all valid fingerprints: the current key's first, then those of replaced keys (SECRETS_KEY_OLD). */
  hmacs(purpose: string, text: string | Uint8Array): readonly Buffer[];
  /** Encrypts a secret for storage (AES-256-GCM). Decryption needs the same purpose. */
  encrypt(purpose: string, plain: string): string;
  /** Decrypts a stored secret, also under a replaced key. Throws if it was changed. */
  decrypt(purpose: string, stored: string): string;
  /** Identifies this installation at external services. A new root key does not change it. */
  readonly installation: string;
};

/** The sources of the root key: the environment (32 bytes each), else the data folder. */
export type KeySource = Readonly<{
  secretsKey: Buffer | undefined;
  secretsKeyOld: Buffer | undefined;
  dataDir: string;
}>;
type Reencrypt = (tx: Tx, keys: Keys) => Promise<void>;

const names = { root: "root", fingerprint: "fingerprint", installation: "installation" } as const;
const keyLock = sql`select pg_advisory_xact_lock(726173, 16)`;

/** Throws ConfigError if the database belongs to another key. Changes nothing. Accepts an empty database or one of an earlier version. */
export async function requireRootKey(tx: Tx, source: KeySource): Promise<void> {
  if (await hasTable(tx, "installation_keys")) findRoot(source, await readStored(tx));
}

/** Finds or creates the root key. `reencrypt` runs if it replaces another. Throws ConfigError if the database has another key. */
export const loadKeys = (database: Database, source: KeySource, reencrypt: Reencrypt): Promise<Keys> =>
  database.transaction(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await keyLock.execute(tx);
    const stored = await readStored(tx);
    const { storedRoot } = stored;
    const root = findRoot(source, stored) ?? writeSecretFile(source.dataDir, storedRoot ?? randomBytes(32));
    const former = [source.secretsKeyOld, storedRoot].filter(
      (key) => key !== undefined && !key.equals(root),
    ) as Buffer[];
    const encryptedBy = [root, ...former].find((key) => fingerprintOf(key) === stored.fingerprint);
    const keys = keysFrom(root, { former, installation: stored.installation ?? installationOf(encryptedBy ?? root) });
    if (encryptedBy !== root && (encryptedBy ?? storedRoot)) await reencrypt(tx, keys);
    await writeKey(tx, names.fingerprint, fingerprintOf(root));
    await writeKey(tx, names.installation, keys.installation);
    await deleteKey(tx, names.root);
    return keys;
  });

async function readStored(tx: Tx) {
  const rows = await tx.selectFrom("installation_keys").select(["name", "value"]).execute();
  const find = (name: string) => rows.find((row) => row.name === name)?.value;
  const [root, fingerprint] = [find(names.root), find(names.fingerprint)];
  return {
    storedRoot: root === undefined || fingerprint ? undefined : Buffer.from(root, "base64"),
    fingerprint,
    installation: find(names.installation),
  };
}

/** Returns the root key, or undefined if none exists yet. Throws ConfigError if it is not that of this database. */
function findRoot(
  source: KeySource,
  { storedRoot, fingerprint }: { storedRoot: Buffer | undefined; fingerprint: string | undefined },
): Buffer | undefined {
  const inFile = source.secretsKey ? undefined : readSecretFile(source.dataDir);
  if (inFile && storedRoot && !inFile.equals(storedRoot))
    throw new ConfigError(
      `DATA_DIR: ${secretFile(source.dataDir)} is the key of another database. Move it away, or set DATA_DIR to this database's own folder.`,
    );
  const root = source.secretsKey ?? inFile;
  const known = [root, source.secretsKeyOld].some((key) => key && fingerprintOf(key) === fingerprint);
  if (fingerprint && !known) throw anotherKey(source);
  return root;
}

const anotherKey = (source: KeySource) =>
  new ConfigError(
    `SECRETS_KEY: the secrets in this database are encrypted with another key than ${source.secretsKey ? "this one" : `that of ${source.dataDir}`}. Set SECRETS_KEY to the key of its other processes or copy their ${secretFile("DATA_DIR")} here; to change the key, also set SECRETS_KEY_OLD to the former one.`,
  );

export const fingerprintOf = (root: Buffer): string =>
  derivedFrom(root).hmac("root key", "fingerprint").toString("base64");
const installationOf = (root: Buffer): string =>
  derivedFrom(root).hmac("payments", "installation").toString("hex").slice(0, 24);

/** Derives the secrets of a root key of 32 bytes. `former` keys only decrypt. */
export function keysFrom(root: Buffer, more: { former?: readonly Buffer[]; installation?: string } = {}): Keys {
  const present = derivedFrom(root);
  const all = [present, ...(more.former ?? []).map(derivedFrom)];
  return {
    hmac: present.hmac,
    hmacs: (purpose, text) => all.map((one) => one.hmac(purpose, text)),
    encrypt: present.encrypt,
    decrypt: (purpose, stored) => {
      for (const one of all.slice(0, -1)) {
        try {
          return one.decrypt(purpose, stored);
        } catch {
          // A later key of the list may fit. The last one's failure is thrown.
        }
      }
      return (all.at(-1) ?? present).decrypt(purpose, stored);
    },
    installation: more.installation ?? installationOf(root),
  };
}

function derivedFrom(root: Buffer): Pick<Keys, "hmac" | "encrypt" | "decrypt"> {
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
      const encrypted = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString("base64");
    },
    decrypt: (purpose, stored) => {
      const bytes = Buffer.from(stored, "base64");
      const decipher = createDecipheriv("aes-256-gcm", derive(`seal ${purpose}`), bytes.subarray(0, 12), {
        authTagLength: 16,
      });
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    },
  };
}
