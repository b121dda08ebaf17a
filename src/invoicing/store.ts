import { type RawBuilder, sql } from "kysely";
import { json, type Tx } from "#platform/db/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import type { Draft } from "./draft.ts";
import { storeLastNumbers } from "./numbering.store.ts";

/** Milliseconds in which a posting is fresh. The past postings after an upgrade may take minutes. */
const freshMs = hourMs;
const retryMs = hourMs;

/** Claims postings without a document until the commit: at most `limit` fresh and as many older ones, each oldest first, so neither delays the other. Waiting ones come last, failed ones are skipped for an hour. `only`: one posting, if it is due. */
export async function claimDue(tx: Tx, now: Date, limit: number, only: string | null = null): Promise<string[]> {
  const since = new Date(now.getTime() - freshMs);
  const failedSince = new Date(now.getTime() - retryMs);
  const claim = (age: RawBuilder<boolean>) =>
    sql<{ group_id: string }>`
      select d.group_id from documents_due d
      where ${age} and (d.failed_at is null or d.failed_at <= ${failedSince}) and (${only}::uuid is null or d.group_id = ${only}::uuid)
        and exists (select 1 from ledger_groups g join bookings b on b.id = g.booking_id where g.id = d.group_id)
      order by d.waited_at nulls first, d.posted_at, d.group_id limit ${limit}::int for update of d skip locked`.execute(
      tx,
    );
  const fresh = await claim(sql`d.posted_at > ${since}`);
  const past = await claim(sql`d.posted_at <= ${since}`);
  return [...past.rows, ...fresh.rows].map((row) => row.group_id);
}

export async function markWaiting(tx: Tx, groupIds: readonly string[], now: Date): Promise<void> {
  if (groupIds.length > 0)
    await tx
      .updateTable("documents_due")
      .set({ waited_at: now })
      .where("group_id", "in", [...groupIds])
      .execute();
}

export const markFailed = (tx: Tx, groupId: string, reason: string, now: Date) =>
  tx
    .updateTable("documents_due")
    .set({ failed_at: now, failed_reason: reason.slice(0, 1_000) })
    .where("group_id", "=", groupId)
    .execute();

export async function removeDue(tx: Tx, groupIds: readonly string[]): Promise<void> {
  if (groupIds.length > 0)
    await tx
      .deleteFrom("documents_due")
      .where("group_id", "in", [...groupIds])
      .execute();
}

export type NewDocument = Draft & Readonly<{ id: string; sellerId: string; sequence: number; number: string }>;

export async function insertDocuments(tx: Tx, documents: readonly NewDocument[], now: Date): Promise<void> {
  if (documents.length === 0) return;
  const ownerOf = ({ correctsId, sellerArtistId, buyerArtistId }: Draft) =>
    sql<string | null>`case when exists (select from documents where id = ${correctsId}::uuid)
      then (select artist_owner_id from documents where id = ${correctsId}::uuid)
      else (select user_id from artists where id = ${sellerArtistId ?? buyerArtistId}::uuid) end`;
  await tx
    .insertInto("documents")
    .values(
      documents.map((one) => ({
        id: one.id,
        seller_id: one.sellerId,
        sequence_number: one.sequence,
        number: one.number,
        kind: one.kind,
        cause_key: one.causeKey,
        booking_id: one.bookingId,
        payment_id: one.paymentId,
        corrects_id: one.correctsId,
        seller_artist_id: one.sellerArtistId,
        buyer_artist_id: one.buyerArtistId,
        artist_owner_id: ownerOf(one),
        buyer_email: one.buyerEmail,
        currency: one.currency,
        gross: one.gross,
        tax: one.tax,
        tax_label: one.taxLabel,
        tax_bps: one.taxBps,
        details: json(one.details),
        occurred_at: one.occurredAt,
        issued_at: now,
      })),
    )
    .execute();
  await storeLastNumbers(tx, documents);
}

/** The first stored bytes remain. */
export const insertFile = (
  tx: Tx,
  file: { documentId: string; bytes: Uint8Array; sha256: Uint8Array; pages: number; now: Date },
) =>
  tx
    .insertInto("document_files")
    .values({
      document_id: file.documentId,
      bytes: file.bytes,
      sha256: file.sha256,
      pages: file.pages,
      created_at: file.now,
    })
    .onConflict((on) => on.column("document_id").doNothing())
    .execute();
