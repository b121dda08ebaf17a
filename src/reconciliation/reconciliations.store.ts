import type { Reconciliation } from "#payments/provider-sync.ts";
import { json, type Tx } from "#platform/db/index.ts";

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
