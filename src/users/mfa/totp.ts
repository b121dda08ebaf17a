/** Codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds), each valid once. */

import { Secret, TOTP } from "otpauth";
import { renderSVG } from "uqr";

export const secretPurpose = "totp secret";

const period = 30;
/** Accepted steps before and after the current one, because the clocks of phones differ. */
const window = 1;

const totpOf = (secret: string, label = "", issuer = "") =>
  new TOTP({ secret: Secret.fromBase32(secret), label, issuer, period, digits: 6, algorithm: "SHA1" });

export const newSecret = (): string => new Secret({ size: 20 }).base32;

export function enrolmentOf(secret: string, account: string, issuer: string): { uri: string; qrCode: string } {
  const uri = totpOf(secret, account.replaceAll(":", " "), issuer.replaceAll(":", " ")).toString();
  return { uri, qrCode: renderSVG(uri, { border: 2 }) };
}

/** Returns the time step of the code, or undefined. Steps up to `lastStep` are refused. */
export function acceptedStep(secret: string, code: string, now: Date, lastStep: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window });
  if (delta === null) return undefined;
  const step = Math.floor(now.getTime() / 1000 / period) + delta;
  return step > lastStep ? step : undefined;
}

/** Returns the code of a moment, for tests only: the server never shows one. */
export const codeAt = (secret: string, now: Date): string => totpOf(secret).generate({ timestamp: now.getTime() });
