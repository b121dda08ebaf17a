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

const dayMs = 86_400_000;
/** An operator is told so many days before the certificate ends. */
export const sealWarningDays = 30;

/** How a certificate (DER) stands at a moment. `day`: when it begins or ends, in UTC. */
export function sealStateOf(
  certificate: Uint8Array,
  now: Date,
): { state: "valid" | "ends_soon" | "ended" | "not_begun"; day: string } {
  const { validFromDate: from, validToDate: to } = new X509Certificate(certificate);
  const day = (at: Date) => at.toISOString().slice(0, 10);
  if (now < from) return { state: "not_begun", day: day(from) };
  if (now > to) return { state: "ended", day: day(to) };
  return { state: to.getTime() - now.getTime() < sealWarningDays * dayMs ? "ends_soon" : "valid", day: day(to) };
}

/** Why the certificate that an operator gives seals nothing, or soon will not; null while it is valid for longer, or none is given. */
export function sealFaultOf(given: SealFiles | undefined, now: Date): string | null {
  if (!given) return null;
  const { state, day } = sealStateOf(given.certificate, now);
  if (state === "valid") return null;
  return { ends_soon: `it ends on ${day}`, ended: `it ended on ${day}`, not_begun: `it begins on ${day}` }[state];
}
