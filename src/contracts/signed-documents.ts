/** Reads an uploaded signed document: its type by its bytes, its pages, its fingerprint. The bytes stay unchanged, because they are evidence. */

import { Problem } from "#platform/errors.ts";
import { requireSignedDocumentType } from "#platform/files/signed-document-type.ts";
import type { SignedDocument } from "./attestations.store.ts";
import { sha256Of } from "./documents/hash.ts";
import { openPdf } from "./documents/pdf-library.ts";

export async function readSignedDocument(bytes: Buffer, declared: string | undefined): Promise<SignedDocument> {
  const mediaType = await requireSignedDocumentType(bytes, declared);
  const pages = mediaType === "application/pdf" ? await pagesOf(bytes) : 1;
  return { bytes, sha256: sha256Of(bytes), pages, media_type: mediaType };
}

const unreadable = (cause?: unknown) =>
  new Problem("unsupported", "This file cannot be opened. Save or scan it again.", { cause });

async function pagesOf(bytes: Buffer): Promise<number> {
  try {
    const pages = (await openPdf(bytes)).getPageCount();
    if (pages > 0) return pages;
  } catch (error) {
    throw unreadable(error);
  }
  throw unreadable();
}
