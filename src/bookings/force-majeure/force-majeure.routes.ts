import { implement } from "@orpc/server";
import type { Payments } from "#gateway/gateway.ts";
import type { Context } from "#platform/http/context.ts";
import { endCheckouts } from "../cancellation/cancellation.ts";
import { bookingMissing, requireVerifiedMailbox } from "../policy.ts";
import { type BookingForCaller, findBookingFor, lockBookingFor } from "../request/booking-for-caller.ts";
import { forceMajeureApi } from "./force-majeure.api.ts";
import { acceptForceMajeure, requireAcceptable, closeForceMajeure, proposeForceMajeure } from "./force-majeure.ts";
import { sideOf } from "./force-majeure.views.ts";

type Http = Context<Payments>;
const on = implement(forceMajeureApi).$context<Http>();

/** Returns the caller's party. Throws not found (404) for an admin and other callers, as for a missing booking. */
function asParty({ booking, relation }: BookingForCaller) {
  requireVerifiedMailbox(relation);
  const side = sideOf(relation);
  if (!side) throw bookingMissing();
  return { booking, side };
}

export const forceMajeureRoutes = on.router({
  propose: on.propose.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      const { booking, side } = asParty(await lockBookingFor(tx, context, input.id));
      const { reason, refund_cents: refund, expected_paid_cents: expectedHeld } = input;
      await proposeForceMajeure(tx, booking, { side, reason, refund, expectedHeld, now: context.services.clock.now() });
      return { id: booking.id, status: booking.status };
    }),
  ),

  answer: on.answer.handler(async ({ input, context }) => {
    const { id, proposal_id: proposalId, accept, expected_refund_cents: expectedRefund } = input;
    const now = context.services.clock.now();
    if (accept) {
      const { booking, side } = asParty(await findBookingFor(context, id));
      await requireAcceptable(context.db, booking, { proposalId, side, expectedRefund, now });
      await endCheckouts(context.services, booking, side);
    }
    return context.transaction(async (tx) => {
      const { booking, side } = asParty(await lockBookingFor(tx, context, id));
      if (accept) await acceptForceMajeure(tx, booking, { proposalId, side, expectedRefund, now });
      else await closeForceMajeure(tx, booking, { proposalId, side, outcome: "refused", now });
      return { id: booking.id, status: booking.status };
    });
  }),

  withdraw: on.withdraw.handler(({ input, context }) =>
    context.transaction(async (tx) => {
      const { booking, side } = asParty(await lockBookingFor(tx, context, input.id));
      const now = context.services.clock.now();
      await closeForceMajeure(tx, booking, { proposalId: input.proposal_id, side, outcome: "withdrawn", now });
      return { id: booking.id, status: booking.status };
    }),
  ),
});
