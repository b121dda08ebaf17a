import type { Reader } from "#platform/db/index.ts";

export type MailboxQuery = {
  to?: string | undefined;
  search?: string | undefined;
  channel?: "email" | "sms" | undefined;
};

export const mailboxSize = 200;

const columns = [
  "id",
  "channel",
  "recipient",
  "template",
  "subject",
  "text",
  "html",
  "created_at",
  "attachment_name",
  "attachment_kind",
  "attachment_id",
  "attachment_text",
] as const;

/** Returns the newest messages. `to` is a whole address, `search` a part of address, subject or text, both case-insensitive. */
export async function mailboxMessages(reader: Reader, query: MailboxQuery) {
  let rows = reader
    .selectFrom("messages")
    .select(columns)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(mailboxSize);
  if (query.channel) rows = rows.where("channel", "=", query.channel);
  const { to, search } = query;
  if (to) rows = rows.where((at) => at(at.fn<string>("lower", ["recipient"]), "=", to.toLowerCase()));
  if (search) {
    const part = `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;
    rows = rows.where((at) =>
      at.or([at("recipient", "ilike", part), at("subject", "ilike", part), at("text", "ilike", part)]),
    );
  }
  return rows.execute();
}

export type MailboxMessage = Awaited<ReturnType<typeof mailboxMessages>>[number];

export const findMessage = (reader: Reader, id: string): Promise<MailboxMessage | undefined> =>
  reader.selectFrom("messages").select(columns).where("id", "=", id).executeTakeFirst();
