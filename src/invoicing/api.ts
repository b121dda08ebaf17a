import { z } from "zod";
import { paymentKinds } from "#payments/rules.ts";
import { endpointsOf } from "#platform/http/api.ts";
import { documentKinds } from "./rules.ts";

const endpoint = endpointsOf("documents");

export const listedDocument = z.object({
  id: z.uuid(),
  number: z.string(),
  kind: z.enum(documentKinds),
  payment_id: z.uuid().nullable(),
  payment_kind: z.enum(paymentKinds).nullable(),
  currency: z.string(),
  gross: z.int(),
  tax: z.int().describe("The tax included in gross"),
  tax_label: z.string(),
  occurred_at: z.date().describe("The time of the transaction"),
  issued_on: z.iso.date().describe("The date on the document"),
});
export type ListedDocument = z.infer<typeof listedDocument>;

export const invoicingApi = {
  ofBooking: endpoint("booking-key", "GET /bookings/{id}/documents", "listBookingDocuments")
    .route({ summary: "The documents of a booking that concern the caller, oldest first; all documents for admins" })
    .input(z.strictObject({ id: z.uuid("This is not the id of a booking.") }))
    .output(z.object({ items: z.array(listedDocument) })),
  link: endpoint("booking-key", "GET /documents/{id}/link", "documentLink")
    .route({ summary: "A link to the document's PDF, valid for 10 minutes" })
    .input(z.strictObject({ id: z.uuid("This is not the id of a document.") }))
    .output(z.object({ url: z.string() })),
};
