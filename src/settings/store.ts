import { sql } from "kysely";
import { json, type Reader, type Tx } from "#platform/db/index.ts";
import type { Scope } from "./rules.ts";

export type StoredDocument = { value: unknown; version: number; updated_at: Date | null };

export async function readDocument(reader: Reader, scope: Scope, ownerId: string): Promise<StoredDocument> {
  const row = await reader
    .selectFrom("settings")
    .select(["value", "version", "updated_at"])
    .where("scope", "=", scope)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return row ?? { value: {}, version: 0, updated_at: null };
}

/** Locks the document for a change: an artist's after the artist. Inserts its row first, because two concurrent first changes need a row to lock. */
export async function lockDocument(tx: Tx, scope: Scope, ownerId: string): Promise<StoredDocument> {
  if (scope === "artist")
    await tx.selectFrom("artists").select("id").where("id", "=", ownerId).forNoKeyUpdate().execute();
  await tx
    .insertInto("settings")
    .values({ scope, owner_id: ownerId, value: json({}), version: 0 })
    .onConflict((on) => on.doNothing())
    .execute();
  return tx
    .selectFrom("settings")
    .select(["value", "version", "updated_at"])
    .where("scope", "=", scope)
    .where("owner_id", "=", ownerId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function writeDocument(tx: Tx, scope: Scope, ownerId: string, value: object, by: string | null) {
  return tx
    .updateTable("settings")
    .set({
      value: json(value),
      version: sql<number>`version + 1`,
      updated_by: by,
      updated_at: sql<Date>`installation_now()`,
    })
    .where("scope", "=", scope)
    .where("owner_id", "=", ownerId)
    .returning(["version", "updated_at"])
    .executeTakeFirstOrThrow();
}

/** Writes one entry that is no setting, or removes it (null). The version stays, because no setting was saved. */
export async function writeEntry(tx: Tx, scope: Scope, ownerId: string, name: string, entry: object | null) {
  await tx
    .updateTable("settings")
    .set({ value: sql`value - ${name}::text || ${json(entry ? { [name]: entry } : {})}::jsonb` })
    .where("scope", "=", scope)
    .where("owner_id", "=", ownerId)
    .execute();
}
