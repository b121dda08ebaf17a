import { implement } from "@orpc/server";
import type { Payments } from "#gateway/gateway.ts";
import { notFound, conflict } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { broadcastPayoutChange } from "./accounts/change-notifications.ts";
import { recordPayoutPaidOutside } from "./paid-outside.ts";
import { payoutsApi } from "./payouts.api.ts";
import { lockPayoutOf, retryTransfers } from "./payouts.store.ts";
import { offsetReversals } from "./reversals/offsets.ts";
import type { LockCharges } from "./transfers.ts";

const on = implement(payoutsApi).$context<Context<Payments>>();

/** `lockCharges`: locks the payments of a booking and returns what is left of each. */
export const payoutsRoutes = (lockCharges: LockCharges) =>
  on.router({
    retry: on.retry.handler(({ input: { booking_id }, context }) =>
      context.transaction(async (tx) => {
        const payout = await lockPayoutOf(tx, booking_id);
        if (!payout) throw notFound("Payout not found");
        const now = context.services.clock.now();
        const offset = await offsetReversals(tx, payout.id, now);
        const retried = await retryTransfers(tx, payout.id, now);
        if (retried === 0 && offset === 0) throw conflict("Nothing of this payout was refused.");
        await broadcastPayoutChange(tx, payout);
        return { booking_id, retried };
      }),
    ),

    settle: on.settle.handler(({ input: { booking_id: bookingId, how, expected_cents: expected }, context }) =>
      context.transaction(async (tx) => {
        const by = requireActor(context).userId;
        const now = context.services.clock.now();
        await recordPayoutPaidOutside(tx, { bookingId, how, by, expected, now }, lockCharges);
        return { booking_id: bookingId };
      }),
    ),
  });
