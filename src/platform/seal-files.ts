/** The certificate and the key that an operator gives for sealing contracts. */
import { createPrivateKey, X509Certificate } from "node:crypto";

/** The certificate as DER and its key as PKCS #8. */
export type SealFiles = Readonly<{ certificate: Buffer; privateKey: Buffer }>;

/** Reads both from PEM. Undefined when one cannot be read, the key is no RSA key, or they do not belong together. */
export function readSeal(certificate: string, privateKey: string): SealFiles | undefined {
  try {
    const x509 = new X509Certificate(certificate);
    const key = createPrivateKey(privateKey);
    if (key.asymmetricKeyType !== "rsa" || !x509.checkPrivateKey(key)) return undefined;
    return { certificate: x509.raw, privateKey: key.export({ type: "pkcs8", format: "der" }) };
  } catch {
    return undefined;
  }
}
