import type { Tx } from "#platform/db/index.ts";

/** Either verified or with the reason why it cannot be restored. */
export type MadeBackup = Readonly<{
  file: string;
  bytes: number;
  madeAt: Date;
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
    })
    .execute();
}
