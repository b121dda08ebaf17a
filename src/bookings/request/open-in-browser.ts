/** A signed link of an email was opened: its browser opens the booking without the link from now on. */
import type { Tx } from "#platform/db/index.ts";
import type { Context } from "#platform/http/context.ts";
import { type Booking, markEmailProven, storeAccessKey } from "../store.ts";
import { hashOf, keyForReader } from "./access.ts";
import { grantKey } from "./booking-cookie.ts";

/** Gives the browser the key of the booking, and notes that the owner of the mailbox was here. */
export async function openInBrowser(
  tx: Tx,
  context: Pick<Context, "request" | "reply" | "services">,
  booking: Booking,
): Promise<void> {
  const { key, isNew } = keyForReader(context.services.keys, booking);
  if (isNew) await storeAccessKey(tx, booking.id, hashOf(key));
  await markEmailProven(tx, booking.id, context.services.clock.now());
  grantKey(context, key);
}
