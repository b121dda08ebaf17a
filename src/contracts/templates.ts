/** The templates of contracts with their versions. The shipped one is version 1 of "standard". Every save is a new version. */

import type { Reader, Tx } from "#platform/db/index.ts";
import { conflict, invalid } from "#platform/errors.ts";
import { standardTemplate } from "./rules/standard-template.rules.ts";
import { checkTemplate } from "./rules/template-check.rules.ts";
import type { AgreementTemplate, TemplateText } from "./rules/template.rules.ts";
import { insertTemplate } from "./templates.store.ts";

const versionColumns = ["id", "version", "title", "saved_by", "saved_at"] as const;

export const listTemplates = (reader: Reader) =>
  reader
    .selectFrom("contract_templates")
    .distinctOn("id")
    .select(versionColumns)
    .orderBy("id")
    .orderBy("version", "desc")
    .execute();

export const templateVersions = (reader: Reader, id: string) =>
  reader
    .selectFrom("contract_templates")
    .select(versionColumns)
    .where("id", "=", id)
    .orderBy("version", "desc")
    .execute();

export async function findTemplate(
  reader: Reader,
  id: string,
  version?: number,
): Promise<AgreementTemplate | undefined> {
  const row = await reader
    .selectFrom("contract_templates")
    .select(["id", "version", "title", "sections", "first_signer"])
    .where("id", "=", id)
    .$if(version !== undefined, (query) => query.where("version", "=", version ?? 0))
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const { first_signer: firstSigner, sections, ...template } = row;
  return { ...template, sections: sections as AgreementTemplate["sections"], firstSigner };
}

/** Returns the template of new contracts: the newest version of the chosen one, else of "standard". */
export const currentTemplate = async (reader: Reader, id: string): Promise<AgreementTemplate> =>
  (id === "" ? undefined : await findTemplate(reader, id)) ??
  (await findTemplate(reader, standardTemplate.id)) ??
  standardTemplate;

/** Saves a text as the next version of a template written over `from` (0: new). Throws for invalid texts, and 409 for an outdated version. */
export async function saveTemplate(
  tx: Tx,
  given: TemplateText & { id: string; from: number },
  saved: { by: string; at: Date },
): Promise<AgreementTemplate> {
  const { id, from, title, sections, firstSigner } = given;
  const fields = checkTemplate(given);
  if (fields[0]) throw invalid(fields[0].message, { data: { fields } });
  const newest = await findTemplate(tx, id);
  const version = (newest?.version ?? 0) + 1;
  const template = { id, version, title, sections, firstSigner };
  if (from !== version - 1 || !(await insertTemplate(tx, template, saved)))
    throw conflict(
      from === 0
        ? "There is already a template with this name. Choose another name."
        : "A newer version was saved after you opened this template. Open it and make your changes again.",
      { data: { version: (await findTemplate(tx, id))?.version ?? 0 } },
    );
  return template;
}
