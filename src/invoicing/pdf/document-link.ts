import { isPrivateLink, type PrivateFile, privateLinkQuery } from "#platform/files/private-link.ts";
import type { Keys } from "#platform/security/keys.ts";

const fileOf = (id: string): PrivateFile => ({ purpose: "document file", name: id.toLowerCase() });

export const fileUrl = (keys: Keys, id: string, now: Date): string =>
  `/api/documents/${id}/file?${privateLinkQuery(keys, fileOf(id), now)}`;

export const isFileLink = (keys: Keys, id: string, link: { until: string; key: string }, now: Date): boolean =>
  isPrivateLink(keys, fileOf(id), link, now);
