import type { Tx } from "#platform/db/index.ts";

/** Either verified or with the reason why it cannot be restored. */
export type MadeBackup = Readonly<{
  file: string;
  bytes: number;
  madeAt: Date;
  rows: Readonly<Record<string, number>>;
  verifiedAt: Date | null;
  failure: string | null;
}>;

export async function recordBackup(tx: Tx, made: MadeBackup): Promise<void> {
  await tx
    .insertInto("backups")
    .values({
      file: made.file,
      bytes: made.bytes,
      made_at: made.madeAt,
      verified_at: made.verifiedAt,
      failure: made.failure,
      compared_tables: Object.keys(made.rows).length,
      compared_rows: Object.values(made.rows).reduce((sum, count) => sum + count, 0),
    })
    .execute();
}
