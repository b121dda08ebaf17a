import { z } from "zod";
import { declined } from "#bookings/booking.api.ts";
import { listedDocument } from "#invoicing/api.ts";
import { paymentKinds, paymentStatuses } from "#payments/rules.ts";
import { endpointsOf } from "#platform/http/api.ts";
import { listDay, listSearch, numberedPageOf, oneOf, pageNumber } from "#platform/http/list.api.ts";
import { paymentSavedFilters, paymentSorts } from "./payments.rules.ts";

export const paymentStatusNames = Object.keys(paymentStatuses) as [
  keyof typeof paymentStatuses,
  ...(keyof typeof paymentStatuses)[],
];

export const paymentFilters = {
  search: listSearch.describe(
    "Artist, promoter, venue, booking number or amount; or at least 4 characters of an email address or a provider reference",
  ),
  status: oneOf(paymentStatusNames),
  show: oneOf(paymentSavedFilters).describe(
    "`held`: paid, for a booking that is neither completed nor canceled. `refunds`: with a refund that did not fail. `disputed`: with a card dispute. `declined`: declined by the payer's bank, and not paid since",
  ),
  from: listDay.describe("The first day of the payment or, unpaid, of its checkout, in the platform's time zone"),
  to: listDay.describe("The last day, in the platform's time zone"),
};
const { from, to } = paymentFilters;
const filters = z.strictObject(paymentFilters);
export type PaymentFilters = z.infer<typeof filters>;

export const listedArtist = z.object({ slug: z.string(), name: z.string(), genre: z.string(), location: z.string() });
export const listedBookingPart = z.object({
  id: z.uuid(),
  number: z.string(),
  promoter_name: z.string(),
  event_date: z.iso.date(),
});

/** One payment of the list. An unknown `status` is displayed unchanged. */
export const listedPayment = z.object({
  id: z.uuid(),
  kind: z.enum(paymentKinds),
  amount: z.int(),
  refunded_cents: z.int().describe("The amount refunded to the payer"),
  refunding_cents: z.int().describe("The amount of refunds that have not reached the payer yet"),
  disputed_cents: z.int().describe("The amount that the payer's bank took back in a lost dispute, besides refunds"),
  has_open_dispute: z.boolean(),
  currency: z.string(),
  status: z.string(),
  declined,
  provider: z.string(),
  provider_ref: z.string().nullable(),
  payment_date: z.date().nullable(),
  day: z.iso.date().describe("The day of the payment or, unpaid, of its checkout, in the platform's time zone"),
  created_at: z.date(),
  artist: listedArtist,
  booking: listedBookingPart,
});
export type ListedPayment = z.infer<typeof listedPayment>;

export const paymentDetails = listedPayment.extend({
  provider_payment: z.string().nullable().describe("The provider's id of the payment intent"),
  provider_charge: z.string().nullable(),
  last_error: z.string().nullable(),
  refunds: z.array(
    z.object({
      id: z.uuid(),
      amount: z.int(),
      reason: z.string(),
      status: z.string(),
      provider_ref: z.string().nullable(),
      created_at: z.date(),
    }),
  ),
  postings: z
    .array(
      z.object({
        id: z.uuid(),
        kind: z.string(),
        posted_at: z.date(),
        entries: z.array(z.object({ account: z.string(), amount: z.int(), currency: z.string() })),
      }),
    )
    .describe("The ledger: debits are positive, each group sums to zero"),
  documents: z
    .array(listedDocument)
    .describe("The documents of the payment, and those of its booking's release and payout"),
});
export type PaymentDetails = z.infer<typeof paymentDetails>;

const sums = z.array(
  z.object({
    currency: z.string(),
    captured: z.int(),
    refunded: z.int(),
    lost: z.int().describe("What banks took back in lost disputes, besides refunds"),
    withheld: z.int().describe("What banks withhold in open disputes"),
    amount: z.int().describe("Captured minus refunded, lost and withheld"),
  }),
);

export const paymentTotals = z.object({
  revenue: sums.describe("From the ledger, per currency; different currencies are never added"),
  platform: z
    .array(
      z.object({
        currency: z.string(),
        commission: z.int().describe("The platform's part of released bookings"),
        fees: z.int().describe("What the payment provider charged"),
        losses: z.int().describe("The platform's part of lost disputes that no booking covers"),
        held: z.int().describe("Held for bookings until the show, at the end of the period"),
        owed: z.int().describe("Owed to artists and not yet sent, at the end of the period"),
      }),
    )
    .describe("The platform's own sums of the ledger, per currency"),
  transactions: z.int(),
  by_status: z.array(
    z.object({
      status: z.string(),
      count: z.int(),
      declined: z.int().describe("The part of `count` that the payer's bank declined"),
    }),
  ),
});
export type PaymentTotals = z.infer<typeof paymentTotals>;

const route = (path: `/${string}`, operationId: string, summary: string) =>
  endpointsOf("payments")("admin", `GET ${path}`, operationId).route({ summary });

export const adminPaymentsApi = {
  list: route("/admin/payments", "listAllPayments", "All payments, newest first unless ordered otherwise")
    .input(
      z.strictObject({
        ...paymentFilters,
        sort: oneOf(paymentSorts).describe("A column, ascending or with - descending"),
        page: pageNumber,
      }),
    )
    .output(numberedPageOf(listedPayment)),
  totals: route("/admin/payments/totals", "sumPayments", "Revenue and number of the payments of a period, or of all")
    .input(z.strictObject({ from, to }))
    .output(paymentTotals),
  get: route("/admin/payments/{id}", "readPayment", "One payment with its refunds and its postings")
    .input(z.strictObject({ id: z.uuid("This is not the id of a payment.") }))
    .output(paymentDetails),
};
