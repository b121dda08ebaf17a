import { sql } from "kysely";
import type { Tx } from "#platform/db/index.ts";
import type { Payer } from "../rules/payer.rules.ts";

/** Stores the payer of a payment. The last payer who opens the checkout counts. Null: the promoter pays. */
export async function writePayer(tx: Tx, paymentId: string, payer: Payer | null): Promise<void> {
  if (!payer) {
    await tx.deleteFrom("payment_payers").where("payment_id", "=", paymentId).execute();
    return;
  }
  const { name, email, company, taxId } = payer;
  const row = { name, email, company, tax_id: taxId };
  await tx
    .insertInto("payment_payers")
    .values({ payment_id: paymentId, ...row, created_at: sql`installation_now()` })
    .onConflict((on) => on.column("payment_id").doUpdateSet(row))
    .execute();
}
