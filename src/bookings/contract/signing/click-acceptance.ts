import { contractOf } from "#contracts/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { conflict } from "#platform/errors.ts";
import { promoterSettings } from "#settings/index.ts";
import type { Booking } from "../../store.ts";
import { isCodeRequired } from "./signing-code.ts";
import { requireOpenBooking, sign, type SigningRequest } from "./signing.ts";

/** Returns true if this party may accept by click. Artists, guests and all parties on a platform with signing codes must sign. */
export async function mayAcceptByClick(
  reader: Reader,
  booking: Pick<Booking, "promoter_user_id">,
  side: "promoter" | "artist",
): Promise<boolean> {
  if (side !== "promoter" || booking.promoter_user_id === null || (await isCodeRequired(reader))) return false;
  return !(await promoterSettings(reader, booking.promoter_user_id)).requireContractSigning;
}

/** Accepts for the promoter, over the fingerprint of the displayed document. Throws a conflict (409) if the party must sign. */
export async function acceptByClick(tx: Tx, services: Payments, request: SigningRequest): Promise<void> {
  const { bookingId, side } = request.party;
  const booking = await requireOpenBooking(tx, bookingId);
  if (!(await mayAcceptByClick(tx, booking, side)))
    throw conflict("This contract requires a signature. Reload the page and sign it.");
  const name = (await contractOf(tx, bookingId))?.signers.find((one) => one.side === side)?.name ?? "";
  await sign(tx, services, { ...request, name, drawing: null, clicked: true });
}
