/** Payment links: one-use links for the promoter in emails, and links for any payer of the balance. Only their hash is stored. */
import { paths } from "#platform/site-paths.rules.ts";
import { randomBytes } from "node:crypto";
import type { Reader, Tx } from "#platform/db/index.ts";
import { hashOf } from "./access.ts";
import type { PaymentKind } from "#payments/rules.ts";
import type { Payments } from "#gateway/gateway.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { type Booking, consumePayLink, findPayLink, insertPayLink } from "../store.ts";

const linkDays = 14;

export async function makePayLink(
  tx: Tx,
  link: { bookingId: string; kind: "deposit" | "balance"; origin: string; now: Date },
): Promise<string> {
  const secret = randomBytes(24).toString("base64url");
  const expiresAt = new Date(link.now.getTime() + linkDays * dayMs);
  await insertPayLink(tx, { hash: hashOf(secret), bookingId: link.bookingId, expiresAt, now: link.now });
  return `${link.origin}${paths.pay(link.bookingId, link.kind)}?key=${secret}`;
}

/** Makes a link for the payer of the balance. It opens only that checkout and works while the booking accepts the balance (docs/decisions/0210). */
export async function makeBalanceLink(
  tx: Tx,
  { booking, services }: { booking: Pick<Booking, "id">; services: Payments },
  origin: string = services.config.publicUrl,
): Promise<string> {
  const secret = randomBytes(24).toString("base64url");
  await insertPayLink(tx, {
    hash: hashOf(secret),
    bookingId: booking.id,
    expiresAt: null,
    balanceOnly: true,
    now: services.clock.now(),
  });
  return `${origin}${paths.pay(booking.id, "balance")}?key=${secret}`;
}

/** Returns who a payment link admits: `promoter` (the link is then used) or `payer`, who may only pay. Null if the link is invalid. */
export async function usePayLink(
  tx: Tx,
  link: { secret: string; bookingId: string; kind: PaymentKind; now: Date },
): Promise<"promoter" | "payer" | null> {
  const { secret, ...rest } = link;
  const taken = await consumePayLink(tx, { hash: hashOf(secret), ...rest });
  if (!taken) return null;
  return taken.balance_only ? "payer" : "promoter";
}

/** Returns who a payment link is for and its state, without using it. Null if there is no such link. */
export async function previewPayLink(
  reader: Reader,
  { secret, now, ...link }: { secret: string; bookingId: string; kind: PaymentKind; now: Date },
): Promise<PayLinkPreview | null> {
  const found = await findPayLink(reader, { hash: hashOf(secret), ...link });
  if (!found) return null;
  const { balance_only, used_at, expires_at: expiresAt } = found;
  const state = expiresAt && expiresAt <= now ? "expired" : balance_only || used_at === null ? "open" : "used";
  return { by: balance_only ? "payer" : "promoter", state, expiresAt };
}

export type PayLinkPreview = Readonly<{
  by: "promoter" | "payer";
  state: "open" | "used" | "expired";
  /** Null for a payer's link: it ends with the balance. */
  expiresAt: Date | null;
}>;
