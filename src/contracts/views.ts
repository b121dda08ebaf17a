/** Reads of contracts. */
import type { Reader } from "#platform/db/index.ts";
import { type ContractStatus, statusOf } from "./rules.ts";

/** A contract as the parties of its booking see it. */
export type ContractSummary = { id: string; status: ContractStatus; sentAt: Date | null; signedAt: Date | null };

/** The contract of a booking, or null while there is none. */
export async function contractOf(reader: Reader, bookingId: string): Promise<ContractSummary | null> {
  const row = await reader
    .selectFrom("contracts")
    .select(["id", "signed_status", "sent_at", "signed_at"])
    .where("booking_id", "=", bookingId)
    .executeTakeFirst();
  return row ? { id: row.id, status: statusOf(row.signed_status), sentAt: row.sent_at, signedAt: row.signed_at } : null;
}
