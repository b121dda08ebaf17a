import { readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { expect } from "vitest";
import { issueNext } from "#invoicing/issue.ts";
import type { Reader } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";

const invariants = readFileSync(path.join(import.meta.dirname, "../../src/invoicing/invariants.sql"), "utf8");

/** Issues all due documents, as repeated runs of the job do. Returns the number of issued documents. */
export async function issueDocuments(services: PlatformServices): Promise<number> {
  let issued = 0;
  for (;;) {
    const batch = await issueNext(services);
    issued += batch.issued;
    if (batch.settled === 0) return issued;
  }
}

/** Returns every violation of the rules of documents. */
export const documentOffences = async (reader: Reader): Promise<unknown[]> =>
  (await sql.raw(invariants).execute(reader)).rows;

/** Fails if a document or number is missing or wrong, or if a posting waits for its document. */
export async function expectDocumented(reader: Reader): Promise<void> {
  expect(await documentOffences(reader)).toEqual([]);
  expect(await reader.selectFrom("documents_due").select("group_id").execute()).toEqual([]);
}

export const documentsIn = (reader: Reader, bookingId: string) =>
  reader
    .selectFrom("documents")
    .selectAll()
    .where("booking_id", "=", bookingId)
    .orderBy("occurred_at")
    .orderBy("issued_at")
    .orderBy("number")
    .execute();
