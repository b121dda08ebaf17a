/** Scheduled jobs of payments. They finish what a lost webhook, a lost response or a crash left open. */

import { sql } from "kysely";
import { findEarlier, requiresProviderLookup, sendDue } from "#gateway/attempts.ts";
import {
  type PaymentGateway,
  type Payments,
  ProviderFailure,
  type ProviderRefund,
  unlessMissing,
} from "#gateway/gateway.ts";
import { payoutTimes, planPayouts, sendReversals, sendTransfers } from "#payouts/index.ts";
import type { Job } from "#platform/jobs/jobs.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { chargeSavedCards } from "./cards/charges.ts";
import { removeSavedCards } from "./cards/saved-cards.ts";
import { pollCheckout } from "./checkout/checkout.ts";
import { syncRefund } from "./refunds/refunds.ts";
import { recordPolls } from "./stores/checkout.store.ts";
import {
  type ClaimedRefund,
  claimRefund,
  lockChargesLeft,
  recordRefundFailure,
  recordUnknownRefund,
  refsBeside,
} from "./stores/refunds.store.ts";
import { recordPayment } from "./sync/record.ts";

const atOnce = 50;
const pollEveryMinutes = 5;

export async function watchCheckouts(services: Payments): Promise<void> {
  const { gateway, database, clock, log } = services;
  if (!gateway) return;
  const now = clock.now();
  const before = (minutes: number) => new Date(now.getTime() - minutes * minuteMs);
  const due = await database.db
    .selectFrom("payments")
    .selectAll()
    .where("way", "=", "checkout")
    .where("checkout_state", "in", ["reserved", "open"])
    .where("requested_at", "is not", null)
    .where((eb) =>
      eb.or([
        eb.and([
          eb("expires_at", "<=", now),
          eb(sql<Date>`coalesce(last_polled_at, requested_at)`, "<", eb.ref("expires_at")),
        ]),
        eb.and([eb("checkout_state", "=", "reserved"), eb("requested_at", "<=", before(pollEveryMinutes))]),
        eb.and([eb(sql<Date>`coalesce(last_polled_at, requested_at)`, "<=", before(pollEveryMinutes))]),
      ]),
    )
    .orderBy(sql`coalesce(last_polled_at, requested_at)`)
    .limit(atOnce)
    .execute();
  await database.transaction((tx) => recordPolls(tx, due, now));
  for (const row of due) {
    try {
      await pollCheckout(services, gateway, row);
    } catch (error) {
      const level = error instanceof ProviderFailure ? "warn" : "error";
      log[level]({ err: error, paymentId: row.id }, "the payment provider could not be queried about a checkout");
    }
  }
}

export const submitRefunds = (services: Payments): Promise<void> =>
  sendDue(services, {
    claim: claimRefund,
    send: async (refund, gateway, notMade) => {
      const reported = await send(services, gateway, refund, notMade);
      const now = services.clock.now();
      await services.database.transaction<unknown>((tx) =>
        reported ? syncRefund(tx, reported, now) : recordUnknownRefund(tx, refund, now),
      );
    },
    record: recordRefundFailure,
    idsOf: ({ id }) => ({ refundId: id }),
    message: "a refund was not made",
  });

/** Returns undefined if the provider no longer has a refund that it had accepted. */
async function send(
  services: Payments,
  gateway: PaymentGateway,
  refund: ClaimedRefund,
  notMade: () => void,
): Promise<ProviderRefund | undefined> {
  const { id: refundId, key, provider_ref: ref, provider_payment: providerPayment, amount } = refund;
  if (ref !== null) return unlessMissing(gateway.retrieveRefund(ref));
  const isFirst = refund.requested_at === null;
  const needsLookup = requiresProviderLookup(refund, services.clock.now());
  const made = needsLookup ? await findEarlier(isFirst, gateway.findRefunds(providerPayment)) : [];
  const others = made.length > 0 ? await refsBeside(services.database.db, refund) : [];
  const found = made.find((reported) => reported.refundId === refundId && !others.includes(reported.ref));
  if (found) return found;
  notMade();
  return gateway.createRefund({ refundId, key, providerPayment, amount });
}

export async function makePayouts(services: Payments): Promise<void> {
  await planPayouts(services, lockChargesLeft);
  await sendTransfers(services, async (gateway, ref) => {
    await recordPayment(services, gateway, await gateway.retrievePayment(ref));
  });
  await sendReversals(services);
}

export const paymentsJobs: readonly Job<Payments>[] = [
  {
    name: "payment-refunds",
    when: { everySeconds: 5, wokenBy: ["refunds"] },
    whenMoved: sql`select next_try_at as at from refunds where status in ('requested', 'submitted')`,
    run: submitRefunds,
  },
  {
    name: "payment-charges",
    when: { everySeconds: 5, wokenBy: ["charges"] },
    whenMoved: sql`select next_try_at as at from payments where way = 'saved_card' and checkout_state = 'reserved'`,
    run: chargeSavedCards,
  },
  {
    name: "payment-card-removals",
    when: { everySeconds: 30, wokenBy: ["card_removals"] },
    whenMoved: sql`
      select next_try_at as at from saved_cards where removal_requested_at is not null and removed_at is null`,
    run: removeSavedCards,
  },
  {
    name: "payment-payouts",
    when: {
      everySeconds: 5,
      wokenBy: ["booking.status_changed", "payout_account.changed", "dispute.changed", "reversals"],
    },
    whenMoved: payoutTimes,
    run: makePayouts,
  },
  {
    name: "payment-checkouts",
    when: { everySeconds: 20 },
    whenMoved: sql`
      select expires_at as at from payments where checkout_state in ('reserved', 'open') and requested_at is not null`,
    run: watchCheckouts,
  },
];
