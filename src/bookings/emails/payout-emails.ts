/** Who is notified of an artist's payouts: a line in the log, and emails. */
import { record } from "#activity/index.ts";
import { enqueueMessage } from "#notifications/index.ts";
import type { Payments, PayoutAccountChanged } from "#payments/index.ts";
import { formatInstant } from "#platform/calendar.rules.ts";
import type { Tx } from "#platform/db/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { verifiedMailbox } from "#users/index.ts";
import { artistOfBooking } from "../views.ts";

const states: Record<PayoutAccountChanged["to"], string> = {
  not_started: "not set up",
  pending: "not complete",
  completed: "complete",
  restricted: "restricted by the payment provider",
};

/**
 * The payment provider reports another state of an artist's account, or another bank account. The artist is always written to about
 * the bank: somebody else may have changed it.
 */
export async function notifyPayoutAccountChanged(
  tx: Tx,
  services: Payments,
  event: PayoutAccountChanged,
): Promise<void> {
  const artist = await artistOfBooking(tx, { artist_id: event.artistId });
  const until = event.frozenUntil === null ? null : new Date(event.frozenUntil);
  const message = until
    ? `The bank account of ${artist.name}'s payouts was changed; payouts wait until ${formatInstant(until, "UTC")}`
    : `The payment account of ${artist.name} is ${states[event.to]}`;
  await record(tx, { type: "payment", refId: event.artistId, message, meta: event });
  const to = until && artist.user_id ? await verifiedMailbox(tx, artist.user_id) : null;
  if (!to || !until) return;
  await enqueueMessage(tx, {
    template: "payout_bank_changed",
    channel: "email",
    to,
    params: { artistName: artist.name, until, link: `${services.config.publicUrl}${paths.artistArea.payouts}` },
    refId: event.artistId,
    dedupeKey: `bank ${event.artistId} ${event.frozenUntil}`,
  });
}
