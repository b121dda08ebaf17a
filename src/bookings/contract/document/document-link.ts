import { isPrivateLink, type PrivateFile, privateLinkQuery } from "#platform/files/private-link.ts";
import type { Keys } from "#platform/security/keys.ts";

/** `agreement` is the document to sign, `copy` the sealed copy if there is one, `paper` the document that an admin attested. */
export type FileKind = "agreement" | "copy" | "paper";

const fileOf = (contractId: string, kind: string): PrivateFile => ({
  purpose: "contract file",
  name: `${contractId.toLowerCase()} ${kind}`,
});

export const documentUrl = (keys: Keys, contractId: string, kind: FileKind, now: Date): string =>
  `/api/contracts/${contractId}/file/${kind}?${privateLinkQuery(keys, fileOf(contractId, kind), now)}`;

export const isDocumentLink = (
  keys: Keys,
  link: { contractId: string; kind: string; until: string; key: string },
  now: Date,
): boolean => isPrivateLink(keys, fileOf(link.contractId, link.kind), link, now);
