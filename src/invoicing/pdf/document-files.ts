/** Document files are drawn at the first request and stored. Later requests return the same bytes. */

import type { PlatformServices } from "#platform/services/index.ts";
import { insertFile } from "../store.ts";
import { findDocument, findFile } from "../views.ts";
import { drawDocument } from "./document-pdf.ts";

export async function fileOfDocument({ database, clock }: PlatformServices, id: string) {
  const document = await findDocument(database.db, id);
  if (!document) return undefined;
  const stored = await findFile(database.db, id);
  if (stored) return { number: document.number, bytes: Buffer.from(stored.bytes) };
  const { bytes, sha256, pages } = await drawDocument(document);
  await database.transaction((tx) => insertFile(tx, { documentId: id, bytes, sha256, pages, now: clock.now() }));
  // Another request has stored its bytes first. All requests return those.
  const first = await findFile(database.db, id);
  if (!first) throw new Error(`the file of document ${id} was not stored`);
  return { number: document.number, bytes: Buffer.from(first.bytes) };
}
