import type { Tx } from "#platform/db/index.ts";
import type { Context } from "#platform/http/context.ts";
import type { Keys } from "#platform/security/keys.ts";
import { type Booking, markMailboxVerified } from "../store.ts";
import { hashOf, verifiedKey } from "../links/access.ts";
import { grantKey } from "./booking-cookie.ts";

/** Records a verified mailbox and returns the key for that browser. Null if an account owns the booking. */
async function verifyMailbox(
  tx: Tx,
  booking: Booking,
  { keys, now }: Readonly<{ keys: Keys; now: Date }>,
): Promise<string | null> {
  if (booking.promoter_user_id !== null) return null;
  const { key, isNew } = verifiedKey(keys, booking);
  if (isNew || booking.email_proven_at === null) await markMailboxVerified(tx, booking, { hash: hashOf(key), now });
  return key;
}

export async function openInBrowser(
  tx: Tx,
  context: Pick<Context, "request" | "reply" | "services">,
  booking: Booking,
): Promise<void> {
  const { keys, clock } = context.services;
  const key = await verifyMailbox(tx, booking, { keys, now: clock.now() });
  if (key) grantKey(context, key);
}
