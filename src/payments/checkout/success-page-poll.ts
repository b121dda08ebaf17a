import { setTimeout as pause } from "node:timers/promises";
import { logFailure } from "#gateway/attempts.ts";
import type { Payments } from "#gateway/gateway.ts";
import { recordPoll } from "../stores/checkout.store.ts";
import { pollCheckout } from "./checkout.ts";

/** Seconds between two queries about one checkout, and milliseconds that the success page waits for the provider. */
const refreshSeconds = 3;
const pagePatienceMs = 4_000;

/** Queries the provider for the success page, at most once in three seconds, never in a transaction. A failed query changes nothing. */
export async function refreshCheckout(services: Payments, ref: string): Promise<void> {
  const { gateway, database, clock } = services;
  if (!gateway) return;
  const now = clock.now();
  const notSince = new Date(now.getTime() - refreshSeconds * 1000);
  const payment = await database.transaction((tx) => recordPoll(tx, ref, now, notSince));
  if (!payment) return;
  const poll = pollCheckout(services, gateway, payment).catch((error: unknown) => {
    logFailure(
      services,
      error,
      { paymentId: payment.id },
      "the payment provider could not be queried for the success page",
    );
  });
  await Promise.race([poll, pause(pagePatienceMs, undefined, { ref: false })]);
}
