import { hasRow, type Reader, type Tx } from "#platform/db/index.ts";

export type Due = { id: string; body: unknown; attempts: number };

export const hasDue = (reader: Reader, kinds: readonly string[], now: number) =>
  hasRow(reader)`
    select 1 from sandbox_objects where kind = any(${kinds}) and due_at <= ${new Date(now * 1000)} limit 1`;

export const claimDue = (tx: Tx, kind: string, now: number, limit: number): Promise<Due[]> =>
  tx
    .selectFrom("sandbox_objects")
    .select(["id", "body", "attempts"])
    .where("kind", "=", kind)
    .where("due_at", "<=", new Date(now * 1000))
    .orderBy("due_at")
    .orderBy("id")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();

/** Null: never again. */
export async function setDue(tx: Tx, rows: readonly Due[], due: number | null, attempts?: number): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  const due_at = due === null ? null : new Date(due * 1000);
  await tx.updateTable("sandbox_objects").set({ due_at, attempts }).where("id", "in", ids).execute();
}
