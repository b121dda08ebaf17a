/** Payment links. A link pays one deposit or balance, for the promoter or any other payer, and opens nothing else. Only its hash is stored. */

import { randomBytes } from "node:crypto";
import type { Payments } from "#gateway/gateway.ts";
import type { PaymentKind } from "#payments/rules.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { type Booking, hasPayLink, insertPayLink } from "../store.ts";
import { hashOf } from "./access.ts";

/** Makes a link that works while the booking accepts this payment, in any browser (docs/decisions/0010). Returns its whole address. */
export async function makePayLink(
  tx: Tx,
  { booking, services }: { booking: Pick<Booking, "id">; services: Pick<Payments, "config" | "clock"> },
  kind: PaymentKind,
  origin: string = services.config.publicUrl,
): Promise<string> {
  const secret = randomBytes(24).toString("base64url");
  await insertPayLink(tx, { hash: hashOf(secret), bookingId: booking.id, kind, now: services.clock.now() });
  return `${origin}${paths.pay(booking.id, kind)}?key=${secret}`;
}

export const isPayLink = (
  reader: Reader,
  { secret, ...link }: { secret: string; bookingId: string; kind: PaymentKind },
): Promise<boolean> => hasPayLink(reader, { hash: hashOf(secret), ...link });
