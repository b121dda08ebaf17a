/** What processes notice about their surroundings and the operator should change; shown on the admin's overview. */
import type { Tx } from "./db/index.ts";

export type OperatorNotice = "unnamed_proxy";

/** Writes a notice down, or that it still holds. */
export async function recordNotice(tx: Tx, kind: OperatorNotice, now: Date): Promise<void> {
  await tx
    .insertInto("operator_notices")
    .values({ kind, first_at: now, last_at: now })
    .onConflict((on) => on.column("kind").doUpdateSet({ last_at: now }))
    .execute();
}
