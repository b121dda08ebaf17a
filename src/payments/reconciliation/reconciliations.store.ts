/** SQL that writes the results of reconciliations. */
import { json, type Tx } from "#platform/db/index.ts";

export type Difference = { what: string; ref: string };
export type Reconciliation = { compared: number; healed: number; differences: Difference[] };

/** Stores the result of one comparison. */
export const insertReconciliation = (tx: Tx, run: Reconciliation & { startedAt: Date; finishedAt: Date }) =>
  tx
    .insertInto("reconciliations")
    .values({
      started_at: run.startedAt,
      finished_at: run.finishedAt,
      compared: run.compared,
      healed: run.healed,
      differences: json(run.differences),
    })
    .execute();
