/** The certificate that signs contracts: made once for an installation or configured. Its key is encrypted, and both are in every backup. */

import { randomBytes, webcrypto, X509Certificate } from "node:crypto";
import type { CryptoKeySigner } from "@libpdf/core";
import { type Config, requireCurrentSeal } from "#platform/config.ts";
import type { Database, Tx } from "#platform/db/index.ts";
import { sealFaultOf, sealStateOf, sealWarningDays } from "#platform/seal-files.ts";
import type { Keys } from "#platform/security/keys.ts";
import type { Clock } from "#platform/time/clock.ts";
import { makeSigner } from "../documents/pdf-library.ts";
import { changeSealKey, findSeal, insertSeal, retireSeal, type StoredSeal } from "../store.ts";

const algorithm = {
  name: "RSASSA-PKCS1-v1_5",
  modulusLength: 3072,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: "SHA-256",
} as const;
const keyPurpose = "contract seal";
const years = 30;
const commonName = "2.5.4.3";
const organization = "2.5.4.10";
const keyUsage = "2.5.29.15";
/** digitalSignature and nonRepudiation: the first two bits. */
const signsDocuments = new Uint8Array([0b1100_0000]).buffer;

export type Seal = Readonly<{ signer: CryptoKeySigner; fingerprint: string }>;
type SealServices = Readonly<{ database: Database; keys: Keys; clock: Clock; config: Pick<Config, "seal"> }>;

export const fingerprintOf = (certificate: Uint8Array): string => new X509Certificate(certificate).fingerprint256;

const asLibraryKey = (key: webcrypto.CryptoKey): CryptoKey => key as CryptoKey;

async function makeCertificate(now: Date): Promise<{ certificate: Buffer; privateKey: Buffer }> {
  const [{ BitString, Integer, Utf8String }, { AttributeTypeAndValue, Certificate, Extension, TimeType }] =
    await Promise.all([import("asn1js"), import("pkijs")]);
  const pair = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ valueHex: new Uint8Array([1, ...randomBytes(15)]).buffer });
  for (const name of [certificate.subject, certificate.issuer])
    name.typesAndValues.push(
      new AttributeTypeAndValue({ type: organization, value: new Utf8String({ value: "Stagedoor" }) }),
      new AttributeTypeAndValue({ type: commonName, value: new Utf8String({ value: "Seal of contracts" }) }),
    );
  certificate.notBefore.value = now;
  // A two-digit year from 2050 on would be read as 1950.
  certificate.notAfter.type = TimeType.GeneralizedTime;
  certificate.notAfter.value = new Date(Date.UTC(now.getUTCFullYear() + years, now.getUTCMonth(), now.getUTCDate()));
  const usage = new BitString({ valueHex: signsDocuments, unusedBits: 6 });
  certificate.extensions = [
    new Extension({ extnID: keyUsage, critical: true, extnValue: usage.toBER(), parsedValue: usage }),
  ];
  await certificate.subjectPublicKeyInfo.importKey(asLibraryKey(pair.publicKey));
  await certificate.sign(asLibraryKey(pair.privateKey), "SHA-256");
  const privateKey = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", pair.privateKey));
  return { certificate: Buffer.from(certificate.toSchema(true).toBER()), privateKey };
}

/** Finds, makes or renews the certificate, the same one in parallel processes. A configured one is stored for backups and replaces the former. Throws ConfigError if it is not valid now. */
export async function requireSeal(services: SealServices): Promise<Seal> {
  const { database, keys, clock, config } = services;
  const now = clock.now();
  const known = await currentSeal(services);
  if (known) return sealOf(known, keys);
  const former = await findSeal(database.db);
  const made = config.seal ?? (await makeCertificate(now));
  const encrypted = keys.encrypt(keyPurpose, made.privateKey.toString("base64"));
  await database.transaction(async (tx) => {
    if (former) await retireSeal(tx, former.certificate, now);
    await insertSeal(tx, { certificate: made.certificate, privateKey: encrypted, now });
  });
  const stored = await findSeal(database.db);
  if (!stored) throw new Error("the seal of this installation was not stored");
  return sealOf(stored, keys);
}

async function currentSeal({ database, clock, config }: Omit<SealServices, "keys">): Promise<StoredSeal | undefined> {
  requireCurrentSeal(config, clock.now());
  const known = await findSeal(database.db);
  const isCurrent =
    known &&
    (config.seal
      ? known.certificate.equals(config.seal.certificate)
      : sealStateOf(known.certificate, clock.now()).state !== "ended");
  return isCurrent ? known : undefined;
}

/** Returns the certificate of the next contract for a trial, and its last day (UTC). One that does not exist yet is made and not stored. */
export async function sealForTest(services: SealServices): Promise<{ seal: Seal; endsOn: string }> {
  const { keys, clock, config } = services;
  const now = clock.now();
  const known = await currentSeal(services);
  if (known) return { seal: await sealOf(known, keys), endsOn: sealStateOf(known.certificate, now).day };
  const { certificate, privateKey } = config.seal ?? (await makeCertificate(now));
  return { seal: await sealWith(certificate, privateKey), endsOn: sealStateOf(certificate, now).day };
}

export function certificateFinding(config: Pick<Config, "seal">, now: Date) {
  const fault = sealFaultOf(config.seal, now);
  const check = `a certificate of the configuration seals contracts for ${sealWarningDays} days more`;
  return { check, count: fault ? 1 : 0, example: fault ?? undefined };
}

const sealOf = (stored: StoredSeal, keys: Keys): Promise<Seal> =>
  sealWith(stored.certificate, Buffer.from(keys.decrypt(keyPurpose, stored.privateKey), "base64"));

async function sealWith(certificate: Buffer, pkcs8: Buffer): Promise<Seal> {
  const key = await webcrypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]);
  return {
    signer: await makeSigner(asLibraryKey(key), new Uint8Array(certificate), "RSA", algorithm.name),
    fingerprint: fingerprintOf(certificate),
  };
}

/** Encrypts the key again after a change of the root key. The certificate stays: earlier signatures still verify. */
export async function reencryptContracts(tx: Tx, keys: Keys): Promise<void> {
  const stored = await findSeal(tx);
  if (stored) await changeSealKey(tx, keys.encrypt(keyPurpose, keys.decrypt(keyPurpose, stored.privateKey)));
}
