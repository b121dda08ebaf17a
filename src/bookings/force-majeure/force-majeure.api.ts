import { z } from "zod";
import { endpointsOf } from "#platform/http/api.ts";
import { maxAmount } from "#platform/money.rules.ts";
import { prose } from "#platform/security/text.api.ts";
import { bookingStatusNames } from "../rules/flow.rules.ts";
import { agreementReasonBounds } from "../rules/force-majeure.rules.ts";

const endpoint = endpointsOf("bookings");

const id = z.uuid("This is not the id of a booking.");
const proposal_id = z.uuid("This is not the id of a proposal.");
const cents = z.int().nonnegative().max(maxAmount);
const done = z.object({ id: z.uuid(), status: z.enum(bookingStatusNames) });

export const forceMajeureApi = {
  propose: endpoint("booking-key", "POST /bookings/{id}/force-majeure", "proposeForceMajeure")
    .route({
      summary: "Propose to the other party to end the booking without fault of either, and the division of the money",
    })
    .input(
      z.strictObject({
        id,
        reason: prose(agreementReasonBounds.max).min(agreementReasonBounds.min),
        refund_cents: cents.nullable().describe("The refund to the promoter; null: everything that is held"),
        expected_paid_cents: cents.describe("The held amount that the proposer was shown"),
      }),
    )
    .output(done),
  answer: endpoint("booking-key", "POST /bookings/{id}/force-majeure/answer", "answerForceMajeure")
    .route({
      summary: "Accept a proposal, which cancels the booking with exactly the refund that was shown, or refuse it",
    })
    .input(z.strictObject({ id, proposal_id, accept: z.boolean(), expected_refund_cents: cents }))
    .output(done),
  withdraw: endpoint("booking-key", "POST /bookings/{id}/force-majeure/withdraw", "withdrawForceMajeure")
    .route({ summary: "Withdraw the caller's own proposal" })
    .input(z.strictObject({ id, proposal_id }))
    .output(done),
};
