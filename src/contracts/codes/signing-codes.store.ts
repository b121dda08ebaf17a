import type { Insertable, Selectable } from "kysely";
import type { DB, Reader, Tx } from "#platform/db/index.ts";
import type { ContractSide } from "../rules/contract.rules.ts";

type Code = Omit<Selectable<DB["contract_signing_codes"]>, "code_hash"> & { code_hash: Buffer };

export const replaceCode = (tx: Tx, code: Insertable<DB["contract_signing_codes"]>) =>
  tx
    .insertInto("contract_signing_codes")
    .values(code)
    .onConflict((on) => on.columns(["contract_id", "side"]).doUpdateSet({ ...code, tries: 0 }))
    .execute();

export async function findCode(reader: Reader, contractId: string, side: ContractSide): Promise<Code | undefined> {
  const row = await reader
    .selectFrom("contract_signing_codes")
    .selectAll()
    .where("contract_id", "=", contractId)
    .where("side", "=", side)
    .executeTakeFirst();
  return row && { ...row, code_hash: Buffer.from(row.code_hash) };
}

/** Counts an entered code before the comparison, because parallel guesses must all count. */
export const countCodeTry = (tx: Tx, contractId: string, side: ContractSide) =>
  tx
    .updateTable("contract_signing_codes")
    .set((eb) => ({ tries: eb("tries", "+", 1) }))
    .where("contract_id", "=", contractId)
    .where("side", "=", side)
    .execute();

export const deleteCode = (tx: Tx, contractId: string, side: ContractSide) =>
  tx.deleteFrom("contract_signing_codes").where("contract_id", "=", contractId).where("side", "=", side).execute();
