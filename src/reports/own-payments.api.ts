/** A promoter's payments and an artist's earnings. Amounts are minor units of their currency. */

import { z } from "zod";
import { declined } from "#bookings/booking.api.ts";
import { listedDocument } from "#invoicing/api.ts";
import { paymentKinds } from "#payments/rules.ts";
import { payoutStatuses, payoutWaits } from "#payouts/payouts.rules.ts";
import { cursorInput, endpointsOf, limitInput, pageOf } from "#platform/http/api.ts";
import { listSearch, numberedPageOf, oneOf, pageNumber } from "#platform/http/list.api.ts";
import { sums } from "./api.ts";
import { listedArtist, paymentStatusNames } from "./lists/payments.api.ts";
import { ownPaymentSorts, payoutSorts } from "./lists/payments.rules.ts";

const endpoint = endpointsOf("payments");
export const promoterPayment = z.object({
  id: z.uuid(),
  kind: z.enum(paymentKinds),
  amount: z.int(),
  refunded_cents: z.int().describe("The amount refunded"),
  refunding_cents: z.int().describe("The amount of refunds that have not reached the payer yet"),
  disputed_cents: z.int().describe("The amount that the payer's bank took back in a dispute, besides refunds"),
  currency: z.string(),
  status: z.string(),
  declined,
  payment_date: z.date().nullable(),
  created_at: z.date(),
  booking: z.object({ id: z.uuid(), number: z.string(), event_date: z.iso.date(), venue_name: z.string() }),
  artist: listedArtist,
  documents: z.array(listedDocument).describe("The receipt, and a credit note for each refund"),
});
export type PromoterPayment = z.infer<typeof promoterPayment>;

const payout = z.object({
  booking_id: z.uuid(),
  number: z.string(),
  event_date: z.iso.date(),
  promoter_name: z.string(),
  gross: z.int(),
  commission: z.int(),
  amount: z.int().describe("The artist's net amount"),
  currency: z.string(),
  is_cancellation_fee: z.boolean().describe("True: the part of a canceled booking that was not refunded"),
  is_agreed_end: z.boolean().describe("True: the part that both agreed on when they ended the booking"),
  status: z
    .enum(payoutStatuses)
    .describe(
      "Held until the event is over, then pending, in transit and paid; frozen until an open issue is resolved",
    ),
  waits_for: z.enum(payoutWaits).nullable().describe("The reason why a payout is pending or frozen"),
  reversed_cents: z.int().describe("Reversed after a refund"),
  sent: z
    .object({ amount_cents: z.int(), currency: z.string() })
    .nullable()
    .describe("The amount sent, less reversals, if the payment provider converted it to another currency"),
  due_at: z.date().describe("When the payout is due. For held money: 48 hours after the event"),
  paid_at: z.date().nullable(),
  transfers: z
    .array(
      z.object({
        state: z.enum(["sent", "paid_outside", "reversed", "paid_back", "reversal_due", "reversal_refused", "owed"]),
        amount_cents: z.int(),
        currency: z.string().describe("Of the payment account, or of the booking before a reversal is made"),
        at: z.date().nullable().describe("Null for what is still to be reversed or paid back"),
      }),
    )
    .describe(
      "What was sent to the payment account or paid outside it, and reversed or paid back, one entry per day, oldest first; last what is to be reversed or, if it was paid outside the payment account, paid back",
    ),
  documents: z.array(listedDocument).describe("The commission invoice, the payout statement, and credit notes"),
});

/** An artist's earnings. The cents are of the platform's currency. Items name their own. */
const payouts = z.object({
  currency: z.string(),
  earnings_cents: z.int().describe("Released from bookings that are over, less commission"),
  pending_cents: z.int().describe("Released and not paid out yet"),
  earnings: sums.describe("The earnings in every currency"),
  pending: sums,
  completed_count: z.int().describe("Payments that succeeded"),
  first_year: z
    .int()
    .nullable()
    .describe("The year of the first earnings or document in the platform's time zone; null without either"),
  months: z
    .array(z.object({ month: z.string(), earned_cents: z.int(), held_cents: z.int() }))
    .describe("By month of the event, from eight months ago to three months ahead: released and held, less commission"),
  other_currencies: z.array(z.string()).describe("Currencies of shows in these months that the amounts leave out"),
  next: payout
    .omit({ transfers: true, documents: true })
    .nullable()
    .describe("The unsent payout with the earliest due date"),
  onboarding_status: z.string(),
  frozen_until: z.date().nullable().describe("Payouts are on hold until then because the bank account was changed"),
  bank_return: z
    .object({ amount: z.int().nullable(), currency: z.string(), reason: z.string().nullable(), at: z.iso.datetime() })
    .nullable()
    .describe("The last money that the artist's bank returned to the account, until later money arrives"),
  ended: z
    .enum(["gone", "rejected"])
    .nullable()
    .describe("Why the artist's last account ended, until another one is opened"),
  has_profile: z.boolean(),
  can_connect: z.boolean().describe("A payment provider is set up, and the artist has a profile"),
  ...pageOf(payout).shape,
});
export type PayoutTransfer = z.infer<typeof payout>["transfers"][number];
export type Payouts = z.infer<typeof payouts>;

export const ownPaymentFilters = {
  search: listSearch.describe("Artist, venue or booking number"),
  status: oneOf(paymentStatusNames),
};
export type PayoutSort = (typeof payoutSorts)[number];
export type OwnPaymentSort = (typeof ownPaymentSorts)[number];

const monthInput = z.string().regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, "A month is YYYY-MM.");

export const ownPaymentsApi = {
  payouts: endpoint("artist", "GET /artist/payouts", "readArtistPayouts")
    .route({ summary: "The earnings of the signed-in artist and the pending payouts, from the ledger" })
    .input(
      z.strictObject({
        limit: limitInput,
        cursor: cursorInput,
        sort: oneOf(payoutSorts).describe("A column, ascending or with - descending; latest event first by default"),
        month: monthInput.optional().describe("Only bookings whose event is in this month"),
      }),
    )
    .output(payouts),
  promoter: endpoint("promoter", "GET /promoter/payments", "listPromoterPayments")
    .route({ summary: "The payments of the promoter's own bookings, newest payment first unless ordered otherwise" })
    .input(
      z.strictObject({
        ...ownPaymentFilters,
        sort: oneOf(ownPaymentSorts).describe("A column, ascending or with - descending"),
        page: pageNumber,
      }),
    )
    .output(
      numberedPageOf(promoterPayment).extend({
        sums: sums.describe(
          "The paid total of all matching payments, less refunds and what the bank returned, one entry per currency",
        ),
      }),
    ),
};
