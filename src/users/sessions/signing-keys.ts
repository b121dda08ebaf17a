/** The keys that sign access tokens (ES256): made by the first process, shared by all, changed without signing users out. */

import { type CryptoKey, type JWK, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from "jose";
import { sql } from "kysely";
import { z } from "zod";
import { json, type Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { lifetimes } from "../rules.ts";
import { deleteRetiredSigningKeys, insertSigningKey, retireSigningKeys } from "./signing-keys.store.ts";

export const purpose = "signing key";
const jwkShape = z.looseObject({ kty: z.string(), kid: z.string(), x: z.string(), y: z.string(), crv: z.string() });

type Published = { kid: string; jwk: JWK; verify: CryptoKey; activeFrom: Date; privateKey: string };
type KeySet = { keys: readonly Published[]; readAt: number; signers: Map<string, CryptoKey> };

/** Seconds before a process reads new keys of other processes. */
const keySetSeconds = 60;
const keySets = new WeakMap<PlatformServices["database"], KeySet>();

/** Makes a key. It is published immediately and signs once every cache has loaded it. The others retire after their last token. */
async function addSigningKey(tx: Tx, services: PlatformServices, activeFrom: Date): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  await insertSigningKey(tx, {
    kid,
    private_key: services.keys.encrypt(purpose, JSON.stringify(await exportJWK(privateKey))),
    public_key: json({ ...publicJwk, kid, alg: "ES256", use: "sig", key_ops: ["verify"] }),
    active_from: activeFrom,
    created_at: services.realClock.now(),
  });
  return kid;
}

/** Starts a change of keys: for a while two keys are published, then the old one is removed. Returns the new key's id. */
export async function rotateSigningKeys(services: PlatformServices): Promise<string> {
  const activeFrom = new Date(services.realClock.now().getTime() + 2 * lifetimes.keyCache * 1000);
  const retiredAt = new Date(activeFrom.getTime() + (lifetimes.accessToken + lifetimes.keyCache) * 1000);
  const kid = await services.database.transaction(async (tx) => {
    await retireSigningKeys(tx, retiredAt);
    return addSigningKey(tx, services, activeFrom);
  });
  keySets.delete(services.database);
  return kid;
}

/** Removes keys whose last token has expired, and starts a change if the newest one is 90 days old. */
export async function maintainSigningKeys(services: PlatformServices): Promise<void> {
  const now = services.realClock.now();
  await services.database.transaction((tx) => deleteRetiredSigningKeys(tx, now));
  const old = new Date(now.getTime() - lifetimes.signingKey * 1000);
  const newest = await services.database.db
    .selectFrom("signing_keys")
    .select("created_at")
    .orderBy("created_at", "desc")
    .executeTakeFirst();
  if (newest && newest.created_at < old) await rotateSigningKeys(services);
}

async function readKeySet(services: PlatformServices, freshWithin = keySetSeconds): Promise<KeySet> {
  const now = services.realClock.now().getTime();
  const cached = keySets.get(services.database);
  if (cached && Math.abs(now - cached.readAt) < freshWithin * 1000) return cached;
  let rows = await publishedRows(services);
  if (rows.length === 0) {
    await makeFirst(services);
    rows = await publishedRows(services);
  }
  const keys = await Promise.all(
    rows.map(async (row): Promise<Published> => {
      const jwk = jwkShape.parse(row.public_key);
      return { kid: row.kid, jwk, verify: await asKey(jwk), activeFrom: row.active_from, privateKey: row.private_key };
    }),
  );
  const keySet: KeySet = { keys, readAt: now, signers: cached?.signers ?? new Map() };
  keySets.set(services.database, keySet);
  return keySet;
}

const publishedRows = (services: PlatformServices) =>
  services.database.db
    .selectFrom("signing_keys")
    .select(["kid", "private_key", "public_key", "active_from"])
    .where((where) => where.or([where("retired_at", "is", null), where("retired_at", ">", services.realClock.now())]))
    .orderBy("active_from", "desc")
    .execute();

/** Makes the first key under a table lock, because two processes may start at the same time on an empty database. */
const makeFirst = (services: PlatformServices) =>
  services.database.transaction(async (tx) => {
    await sql`lock table signing_keys in share row exclusive mode`.execute(tx);
    const present = await tx
      .selectFrom("signing_keys")
      .select("kid")
      .where("retired_at", "is", null)
      .executeTakeFirst();
    if (!present) await addSigningKey(tx, services, services.realClock.now());
  });

async function asKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, "ES256");
  if (key instanceof Uint8Array) throw new Error("a signing key is not an elliptic curve key");
  return key;
}

export async function currentSigner(services: PlatformServices): Promise<{ kid: string; key: CryptoKey }> {
  const keySet = await readKeySet(services);
  const now = services.realClock.now();
  const current = keySet.keys.find((key) => key.activeFrom <= now) ?? keySet.keys.at(-1);
  if (!current) throw new Error("there is no signing key");
  let key = keySet.signers.get(current.kid);
  if (!key) {
    key = await asKey(
      jwkShape.parse({ ...JSON.parse(services.keys.decrypt(purpose, current.privateKey)), kid: current.kid }),
    );
    keySet.signers.set(current.kid, key);
  }
  return { kid: current.kid, key };
}

/** Returns the key that a token names, or undefined. An unknown name makes the keys be read again, at most every five seconds. */
export async function verifierFor(services: PlatformServices, kid: string | undefined): Promise<CryptoKey | undefined> {
  const find = (keySet: KeySet) => keySet.keys.find((key) => key.kid === kid)?.verify;
  return find(await readKeySet(services)) ?? find(await readKeySet(services, 5));
}

export const publishedKeys = async (services: PlatformServices): Promise<{ keys: JWK[] }> => ({
  keys: (await readKeySet(services)).keys.map((key) => key.jwk),
});
