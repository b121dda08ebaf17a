import { endSignerLinks } from "#contracts/agreements-for-bookings.ts";
import type { Tx } from "#platform/db/index.ts";
import { openContractsOf } from "./due.views.ts";

/** Ends the signing links in the former mailbox of an account. It signs after signing in, or with the link of the next reminder. */
export async function endLinksToFormerMailbox(tx: Tx, userId: string, now: Date): Promise<void> {
  for (const { id, side } of await openContractsOf(tx, userId)) await endSignerLinks(tx, id, side, now);
}
