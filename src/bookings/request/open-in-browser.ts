import type { Tx } from "#platform/db/index.ts";
import type { Context } from "#platform/http/context.ts";
import { broadcastBookingChange } from "../change-notifications.ts";
import { hashOf, verifiedKey } from "../links/access.ts";
import { awaitsConfirmation } from "../rules/acceptance.rules.ts";
import { attachRequests, type Booking, markMailboxVerified } from "../store.ts";
import { grantKey } from "./booking-cookie.ts";
import { restartAnswer } from "./requests.ts";

/** Records a verified mailbox. Its account gets the booking if it is signed in, otherwise the browser gets its key. Does nothing if an account owns the booking. */
export async function openInBrowser(
  tx: Tx,
  context: Pick<Context, "request" | "reply" | "services" | "actor">,
  booking: Booking,
): Promise<void> {
  if (booking.promoter_user_id !== null) return;
  const { keys, clock } = context.services;
  const { key, isNew } = verifiedKey(keys, booking);
  const isConfirmation = awaitsConfirmation(booking);
  if (isNew || booking.email_proven_at === null)
    await markMailboxVerified(tx, booking, { hash: hashOf(key), now: clock.now() });
  if (isConfirmation) await restartAnswer(tx, booking, clock.now());
  const { actor } = context;
  const isOwner = actor?.emailVerified && actor.email.toLowerCase() === booking.promoter_email.toLowerCase();
  if (isOwner && (await attachRequests(tx, actor.email)) > 0) return broadcastBookingChange(tx, booking.id);
  grantKey(context, key);
}
