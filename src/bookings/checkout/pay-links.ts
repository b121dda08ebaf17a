/** One-use links from emails that let the reader of the mailbox pay a booking. Only their hash is stored. */
import { paths } from "#platform/site-paths.rules.ts";
import { randomBytes } from "node:crypto";
import type { Tx } from "#platform/db/index.ts";
import { hashOf } from "../request/access.ts";
import { insertPayLink, takePayLink } from "../store.ts";

const linkDays = 14;

/** Makes a link that pays once within 14 days. */
export async function makePayLink(
  tx: Tx,
  link: { bookingId: string; kind: "deposit" | "balance"; origin: string; now: Date },
): Promise<string> {
  const secret = randomBytes(24).toString("base64url");
  const expiresAt = new Date(link.now.getTime() + linkDays * 86_400_000);
  await insertPayLink(tx, { hash: hashOf(secret), bookingId: link.bookingId, expiresAt, now: link.now });
  return `${link.origin}${paths.pay(link.bookingId, link.kind)}?key=${secret}`;
}

/** Uses a pay link up; false when it opens nothing. */
export const usePayLink = (tx: Tx, link: { secret: string; bookingId: string; now: Date }): Promise<boolean> =>
  takePayLink(tx, { hash: hashOf(link.secret), bookingId: link.bookingId, now: link.now });
