import type { Selectable } from "kysely";
import { claimedFields, claimKey, type NextTry } from "#gateway/attempts.ts";
import { updateById, announce, json, type DB, type Tx } from "#platform/db/index.ts";

export type Evidence = Selectable<DB["dispute_evidence"]>;

/** A file of the evidence. `field` is the provider's name of its part. */
export type NewFile = Readonly<{ field: string; name: string; mediaType: string; bytes: Uint8Array }>;

export const lockEvidence = (tx: Tx, disputeId: string): Promise<Evidence | undefined> =>
  tx.selectFrom("dispute_evidence").selectAll().where("dispute_id", "=", disputeId).forUpdate().executeTakeFirst();

export type NewEvidence = Readonly<{
  disputeId: string;
  by: string;
  texts: Readonly<Record<string, string>>;
  files: readonly NewFile[];
  now: Date;
}>;

/** Stores the evidence of a locked dispute, due immediately. `again`: it replaces refused evidence, and the provider is queried before it is sent. */
export async function putEvidence(tx: Tx, given: NewEvidence, again: boolean): Promise<void> {
  const { now } = given;
  announce(tx, "evidence");
  await tx.deleteFrom("dispute_evidence").where("dispute_id", "=", given.disputeId).execute();
  const { id } = await tx
    .insertInto("dispute_evidence")
    .values({
      dispute_id: given.disputeId,
      requested_by: given.by,
      texts: json(given.texts),
      needs_lookup: again,
      next_try_at: now,
      created_at: now,
      updated_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (const { field, name, mediaType, bytes } of given.files)
    await tx
      .insertInto("dispute_files")
      .values({ evidence_id: id, field, name, media_type: mediaType, bytes: Buffer.from(bytes) })
      .execute();
}

/** Evidence as it was before its claim. `key`: the idempotency key. */
export type ClaimedEvidence = Evidence & { provider_ref: string; key: string };

export async function claimEvidence(tx: Tx, now: Date, nextTry: NextTry): Promise<ClaimedEvidence | undefined> {
  const row = await tx
    .selectFrom("dispute_evidence as v")
    .innerJoin("disputes as d", "d.id", "v.dispute_id")
    .selectAll("v")
    .select("d.provider_ref")
    .where("v.status", "in", ["requested", "submitted"])
    .where("v.next_try_at", "<=", now)
    .orderBy("v.next_try_at")
    .limit(1)
    .forUpdate("v")
    .skipLocked()
    .executeTakeFirst();
  if (!row) return undefined;
  const claimed = claimedFields(row, now, nextTry);
  await changeEvidence(tx, row.id, { ...claimed, status: "submitted" });
  return { ...row, key: claimKey(row, claimed) };
}

type Change = Partial<Omit<Evidence, "id" | "dispute_id" | "requested_by" | "texts" | "created_at">>;

export const changeEvidence = async (tx: Tx, id: string, fields: Change): Promise<boolean> =>
  (await tx
    .updateTable("dispute_evidence")
    .set(fields)
    .where("id", "=", id)
    .where("status", "in", ["requested", "submitted"])
    .returning("id")
    .executeTakeFirst()) !== undefined;

export const writeUploaded = (tx: Tx, fileId: string, ref: string) =>
  updateById(tx, "dispute_files", fileId, { provider_file: ref });
