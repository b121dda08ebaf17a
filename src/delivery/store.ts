import { type InsertObject, type Selectable, sql, type UpdateObject } from "kysely";
import { rowsOf, updateById, announce, type DB, type Tx } from "#platform/db/index.ts";
import { givesUpAfterDays, leaseSeconds } from "./rules.ts";

/** Inserts a waiting message. Returns undefined if its dedupe key already exists. */
export async function insertMessage(tx: Tx, message: InsertObject<DB, "messages">): Promise<string | undefined> {
  announce(tx, "messages");
  const row = await tx
    .insertInto("messages")
    .values(message)
    .onConflict((on) => on.column("dedupe_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

export type AttachmentRef = Readonly<{ kind: "signed_contract" | "document"; id: string }>;
export type CalendarAttachment = Readonly<{ kind: "calendar"; id: string; text: string }>;

export type AttachmentColumn = `attachment_${"name" | "kind" | "id" | "text"}`;
export type Due = Pick<
  Selectable<DB["messages"]>,
  | "id"
  | "channel"
  | "recipient"
  | "template"
  | "subject"
  | "text"
  | "html"
  | "reply_to"
  | "ref_id"
  | "attempts"
  | AttachmentColumn
> & { is_last_attempt: boolean; is_expired: boolean };

/** Claims up to `limit` due messages for this process, first those with a valid code or one-time link. If the process dies, they are due again after `leaseSeconds`. */
export const claimDue = (tx: Tx, limit: number): Promise<Due[]> =>
  rowsOf<Due>(tx)`
    update messages set attempts = attempts + 1, next_try_at = now() + make_interval(secs => ${leaseSeconds}),
      retry_until = coalesce(retry_until, now() + make_interval(days => ${givesUpAfterDays}))
    where id in (
      select id from messages where status = 'waiting' and next_try_at <= now()
      order by coalesce(expires_at > now(), false) desc, next_try_at, created_at limit ${limit} for update skip locked
    )
    returning id, channel, recipient, template, subject, text, html, reply_to, ref_id, attempts, retry_until <= now() as is_last_attempt,
      coalesce(expires_at <= now(), false) as is_expired, attachment_name, attachment_kind, attachment_id, attachment_text`;

export const attachmentRefOf = ({
  attachment_kind: kind,
  attachment_id: id,
}: Pick<Due, "attachment_kind" | "attachment_id">): AttachmentRef | null =>
  kind === null || kind === "calendar" || id === null ? null : { kind: kind as AttachmentRef["kind"], id };

export type StoredText = { text: string; html: string | null };

export async function markSent(tx: Tx, id: string, sent: { adapter: string; ref: string | null; stored: StoredText }) {
  await updateById(tx, "messages", id, {
    status: "sent",
    sent_at: sql<Date>`installation_now()`,
    last_error: null,
    adapter: sent.adapter,
    provider_ref: sent.ref,
    ...sent.stored,
  });
}

export const deleteMessage = (tx: Tx, id: string) => tx.deleteFrom("messages").where("id", "=", id).execute();

/** Makes messages due whose service answers again. Others are due soon, or a process sends them now. */
export const retryWaiting = (tx: Tx, channel: DB["messages"]["channel"]) =>
  tx
    .updateTable("messages")
    .set({ next_try_at: sql<Date>`now()` })
    .where("status", "=", "waiting")
    .where("channel", "=", channel)
    .where("last_error", "is not", null)
    .where("next_try_at", ">", sql<Date>`now() + make_interval(secs => ${leaseSeconds})`)
    .execute();

/** After the end of the lease, another process may have sent the message. */
const changeWaiting = (tx: Tx, id: string, values: UpdateObject<DB, "messages">) =>
  tx.updateTable("messages").set(values).where("id", "=", id).where("status", "=", "waiting").execute();

export const markTried = (tx: Tx, id: string, error: string, waitSeconds: number) =>
  changeWaiting(tx, id, {
    last_error: error.slice(0, 500),
    next_try_at: sql<Date>`now() + make_interval(secs => ${waitSeconds})`,
  });

export const markFailed = (tx: Tx, id: string, error: string, stored: StoredText) =>
  changeWaiting(tx, id, { status: "failed", last_error: error.slice(0, 500), ...stored });
