import { sql } from "kysely";
import { json, type Reader, type Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { type EditableEmail, type EmailRecipient, type EmailText, emailRecipients, emailTextProblem } from "./rules.ts";

type EmailOverride = { active: boolean; texts: Partial<Record<EmailRecipient, EmailText>>; version: number };

/** Returns the stored state of an email. A text that this version does not allow is left out, and the default is sent. */
export async function readOverride(reader: Reader, template: EditableEmail): Promise<EmailOverride> {
  const row = await reader
    .selectFrom("email_templates")
    .select(["active", "texts", "version"])
    .where("template", "=", template)
    .executeTakeFirst();
  return row ? { ...row, texts: textsOf(template, row.texts) } : { active: true, texts: {}, version: 0 };
}

function textsOf(template: EditableEmail, stored: unknown): EmailOverride["texts"] {
  const given = stored && typeof stored === "object" ? (stored as Partial<Record<string, Partial<EmailText>>>) : {};
  const entries = emailRecipients.flatMap((reader) => {
    const { subject, text } = given[reader] ?? {};
    if (typeof subject !== "string" || typeof text !== "string") return [];
    const wrong = emailTextProblem(template, "subject", subject) ?? emailTextProblem(template, "text", text);
    return wrong === undefined ? [[reader, { subject, text }] as const] : [];
  });
  return Object.fromEntries(entries);
}

export async function changeOverride(
  tx: Tx,
  template: EditableEmail,
  version: number,
  by: string,
  change: (before: EmailOverride) => Pick<EmailOverride, "active" | "texts">,
): Promise<EmailOverride> {
  await tx
    .insertInto("email_templates")
    .values({ template })
    .onConflict((on) => on.doNothing())
    .execute();
  await tx.selectFrom("email_templates").select("version").where("template", "=", template).forUpdate().execute();
  const before = await readOverride(tx, template);
  if (before.version !== version)
    throw conflict("This email was changed since you opened it. Here is the current text.");
  const { active, texts } = change(before);
  await tx
    .updateTable("email_templates")
    .set({
      active,
      texts: json(texts),
      version: version + 1,
      updated_by: by,
      updated_at: sql<Date>`installation_now()`,
    })
    .where("template", "=", template)
    .execute();
  return before;
}
