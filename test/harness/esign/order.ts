import { findTemplate, saveTemplate } from "#contracts/agreements-for-bookings.ts";
import { type ContractSide, standardTemplate } from "#contracts/rules.ts";
import type { Database } from "#platform/db/index.ts";

/** Saves a version of the standard template with a first signer. Null: either party may sign first. */
export async function setSigningOrder(database: Database, firstSigner: ContractSide | null): Promise<void> {
  await database.transaction(async (tx) => {
    const from = (await findTemplate(tx, "standard"))?.version ?? 0;
    await saveTemplate(tx, { ...standardTemplate, from, firstSigner }, { by: "Admin", at: new Date() });
  });
}
