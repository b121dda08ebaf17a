import { json, type Tx } from "#platform/db/index.ts";
import type { AgreementTemplate } from "./rules/template.rules.ts";

export async function insertTemplate(
  tx: Tx,
  { id, version, title, sections, firstSigner }: AgreementTemplate,
  saved: { by: string; at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("contract_templates")
    .values({
      id,
      version,
      title,
      sections: json(sections),
      first_signer: firstSigner,
      saved_by: saved.by,
      saved_at: saved.at,
    })
    .onConflict((on) => on.columns(["id", "version"]).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
