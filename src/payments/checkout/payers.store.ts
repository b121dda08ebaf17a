/** Who pays a payment for somebody else: named on its receipt, which goes to this person. */
import { sql } from "kysely";
import type { Reader, Tx } from "#platform/db/index.ts";

export type Payer = Readonly<{ name: string; email: string; company: string; taxId: string }>;

/** Stores the payer of a payment; the last one who opens its checkout counts. Null: whoever the booking belongs to pays. */
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

export async function findPayer(reader: Reader, paymentId: string): Promise<Payer | undefined> {
  const row = await reader
    .selectFrom("payment_payers")
    .selectAll()
    .where("payment_id", "=", paymentId)
    .executeTakeFirst();
  return row && { name: row.name, email: row.email, company: row.company, taxId: row.tax_id };
}
