/** The endpoints of receipts, invoices and credit notes. Amounts are minor units beside their currency. */
import { z } from "zod";
import { endpoint } from "#platform/http/api.ts";
import { documentKinds } from "./rules.ts";

export const listedDocument = z.object({
  id: z.uuid(),
  number: z.string(),
  kind: z.enum(documentKinds),
  payment_id: z.uuid().nullable(),
  currency: z.string(),
  gross: z.int(),
  tax: z.int().describe("The part of gross that is tax"),
  tax_label: z.string(),
  occurred_at: z.date().describe("When the money moved"),
});
export type ListedDocument = z.infer<typeof listedDocument>;

const tags = ["documents"];

export const invoicingApi = {
  ofBooking: endpoint("booking-key")
    .route({
      method: "GET",
      path: "/bookings/{id}/documents",
      operationId: "listBookingDocuments",
      tags,
      summary: "The documents of a booking that its reader is a party of, oldest first; admins see all",
    })
    .input(z.strictObject({ id: z.uuid("This is not the id of a booking.") }))
    .output(z.object({ items: z.array(listedDocument) })),
  link: endpoint("booking-key")
    .route({
      method: "GET",
      path: "/documents/{id}/link",
      operationId: "documentLink",
      tags,
      summary: "An address of the document's PDF that lasts 10 minutes",
    })
    .input(z.strictObject({ id: z.uuid("This is not the id of a document.") }))
    .output(z.object({ url: z.string() })),
};
