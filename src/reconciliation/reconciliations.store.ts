import { json, type Tx } from "#platform/db/index.ts";

type Reconciliation = { compared: number; healed: number; differences: readonly { what: string; ref: string }[] };

export const insertReconciliation = (tx: Tx, run: Reconciliation & { startedAt: Date; finishedAt: Date }) =>
  tx
    .insertInto("reconciliations")
    .values({
      started_at: run.startedAt,
      finished_at: run.finishedAt,
      compared: run.compared,
      healed: run.healed,
      differences: json(run.differences.map(({ what, ref }) => ({ what, ref }))),
    })
    .execute();
