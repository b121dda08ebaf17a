/** Signed links to a contract's file. Nothing is stored; a link lasts ten minutes. */
import { timingSafeEqual } from "node:crypto";
import type { Keys } from "#platform/keys.ts";

export const documentMinutes = 10;

/** `agreement` is what is signed, `copy` the sealed copy when there is one, `paper` what an admin attested. */
export type FileKind = "agreement" | "copy" | "paper";

const purpose = "contract file";
const textOf = (contractId: string, kind: string, until: number) => `${contractId.toLowerCase()} ${kind} ${until}`;

/** The address of a contract's file. */
export function documentUrl(keys: Keys, contractId: string, kind: FileKind, now: Date): string {
  const until = Math.floor(now.getTime() / 1_000) + documentMinutes * 60;
  const signature = keys
    .hmac(purpose, textOf(contractId, kind, until))
    .subarray(0, 24)
    .toString("base64url");
  return `/api/contracts/${contractId}/file/${kind}?until=${until}&key=${signature}`;
}

/** Whether a link opens the file now. */
export function isDocumentLink(
  keys: Keys,
  link: { contractId: string; kind: string; until: string; key: string },
  now: Date,
): boolean {
  const until = /^\d{9,11}$/.test(link.until) ? Number(link.until) : 0;
  if (until * 1_000 <= now.getTime() || !/^[\w-]{32}$/.test(link.key)) return false;
  const given = Buffer.from(link.key, "base64url");
  return keys
    .hmacs(purpose, textOf(link.contractId, link.kind, until))
    .some((one) => timingSafeEqual(one.subarray(0, 24), given));
}
