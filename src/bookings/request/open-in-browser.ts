import type { Tx } from "#platform/db/index.ts";
import type { Context } from "#platform/http/context.ts";
import { hashOf, verifiedKey } from "../links/access.ts";
import { type Booking, markMailboxVerified } from "../store.ts";
import { grantKey } from "./booking-cookie.ts";

/** Records a verified mailbox and gives its key to the browser. Does nothing if an account owns the booking. */
export async function openInBrowser(
  tx: Tx,
  context: Pick<Context, "request" | "reply" | "services">,
  booking: Booking,
): Promise<void> {
  if (booking.promoter_user_id !== null) return;
  const { keys, clock } = context.services;
  const { key, isNew } = verifiedKey(keys, booking);
  if (isNew || booking.email_proven_at === null)
    await markMailboxVerified(tx, booking, { hash: hashOf(key), now: clock.now() });
  grantKey(context, key);
}
