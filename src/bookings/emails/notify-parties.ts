import type { Gig, TemplateFor, TemplateParams } from "#notifications/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { artistPage, emailContextOf, gigForPromoter, gigOf, promoterPage } from "./email-context.ts";
import { notifyParty } from "./notify-party.ts";

type Side = "promoter" | "artist";

/** Sends a message to each of these sides; its link leads to where the reader sees the booking. `key` makes it one per recipient. */
export async function notifyParties<T extends TemplateFor<Side>>(
  tx: Tx,
  services: Payments,
  to: Readonly<{ bookingId: string; sides: readonly Side[] }>,
  message: Readonly<{ template: T; key: string; params: (gig: Gig & { side: Side }) => TemplateParams<T> }>,
): Promise<void> {
  const context = await emailContextOf(tx, services, to.bookingId);
  for (const side of to.sides) {
    const gig =
      side === "promoter" ? gigForPromoter(context, promoterPage(context)) : gigOf(context, artistPage(context));
    const { template, key } = message;
    await notifyParty(tx, context, side, { template, key, params: () => message.params({ ...gig, side }) });
  }
}
