import type { BookingDetails, TemplateFor, TemplateParams } from "#notifications/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import type { Tx } from "#platform/db/index.ts";
import { emailContextOf, bookingDetailsFor } from "./email-context.ts";
import { notifyParty } from "./notify-party.ts";

type Side = "promoter" | "artist";

/** Sends a message to each side, with a link to its booking page. `key` limits it to one per recipient. */
export async function notifyParties<T extends TemplateFor<Side>>(
  tx: Tx,
  services: Payments,
  to: Readonly<{ bookingId: string; sides: readonly Side[] }>,
  message: Readonly<{
    template: T;
    key: string;
    params: (details: BookingDetails & { side: Side }) => TemplateParams<T>;
  }>,
): Promise<void> {
  const context = await emailContextOf(tx, services, to.bookingId);
  const { template, key } = message;
  for (const side of to.sides)
    await notifyParty(tx, context, side, {
      template,
      key,
      params: () => message.params(bookingDetailsFor(context, side)),
    });
}
