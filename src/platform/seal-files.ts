import { createPrivateKey, X509Certificate } from "node:crypto";
import { dayMs } from "./time/durations.rules.ts";

type SealFiles = Readonly<{ certificate: Buffer; privateKey: Buffer }>;

/** Reads both from PEM. Returns undefined if one is unreadable, the key is not RSA, or they do not match. */
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

export const sealWarningDays = 30;

/** Returns the state of a certificate (DER) at a time. `day`: when it begins or ends, in UTC. */
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

/** Returns why the operator's certificate is invalid or expires soon. Null if it is valid for longer, or none is configured. */
export function sealFaultOf(given: SealFiles | undefined, now: Date): string | null {
  if (!given) return null;
  const { state, day } = sealStateOf(given.certificate, now);
  if (state === "valid") return null;
  return { ends_soon: `it ends on ${day}`, ended: `it ended on ${day}`, not_begun: `it begins on ${day}` }[state];
}
