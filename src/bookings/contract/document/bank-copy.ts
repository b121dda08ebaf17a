import { drawCopyForBank, filesOf } from "#contracts/copies-for-bookings.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Reader } from "#platform/db/index.ts";
import type { Booking } from "../../store.ts";
import { ensureDocument } from "../sending.ts";

/** The certificate of the signatures, until the signed copy with it is stored. */
const certificatePages = 2;

/** Returns the pages of the copy for the bank, at least as many as it has. 0 if there is no contract document. */
export async function bankCopyPages(reader: Reader, contractId: string): Promise<number> {
  const files = await filesOf(reader, contractId);
  const [agreement, sealed] = ["agreement", "sealed"].map((kind) => files.find((file) => file.kind === kind)?.pages);
  return agreement === undefined ? 0 : (sealed ?? agreement + certificatePages);
}

/** Returns the contract of a booking for the bank of its payer, as PDF. Undefined without one. Never call it in a transaction, because it draws pages. */
export async function drawBankCopy(
  services: Payments,
  { id, number }: Pick<Booking, "id" | "number">,
): Promise<Buffer | undefined> {
  await ensureDocument(services, id);
  return drawCopyForBank(services, { bookingId: id, number });
}
