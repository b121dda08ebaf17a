/** Asks the provider for the success page, which may be reached before the webhook. */
import { setTimeout as pause } from "node:timers/promises";
import { askAgain } from "./checkout.ts";
import type { Payments } from "../gateway.ts";
import { noteLook } from "./checkout.store.ts";

/** How often one checkout is asked about for its success page, and how long that page waits for the provider. */
const refreshSeconds = 3;
const pagePatienceMs = 4_000;

/**
 * Asks the provider how an unpaid checkout stands, for a page that was reached before the webhook, or without one. At most
 * once in three seconds however many ask, and never inside a transaction. A provider that does not answer changes nothing.
 */
export async function refreshCheckout(services: Payments, ref: string): Promise<void> {
  const { gateway, database, clock, log } = services;
  if (!gateway) return;
  const now = clock.now();
  const notSince = new Date(now.getTime() - refreshSeconds * 1000);
  const payment = await database.transaction((tx) => noteLook(tx, ref, now, notSince));
  if (!payment) return;
  const asked = askAgain(services, gateway, payment).catch((error: unknown) => {
    log.warn({ err: error, paymentId: payment.id }, "the payment provider could not be asked for the success page");
  });
  await Promise.race([asked, pause(pagePatienceMs, undefined, { ref: false })]);
}
