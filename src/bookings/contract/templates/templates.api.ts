import { z } from "zod";
import { clauseConditions, contractSides, templateLimits } from "#contracts/rules.ts";
import { endpointsOf } from "#platform/http/api.ts";
import { contractQuestion } from "../../request/availability.api.ts";
import { agreementText } from "./agreement-text.api.ts";

const endpoint = endpointsOf("contracts");

const id = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/, "A name has small letters, digits and hyphens, 40 at most.");
const when = z.enum(clauseConditions).optional();
const printable = /^[^\p{Cc}\p{Cf}\p{Cs}]*$/u;
const line = (max: number, missing: string) =>
  z.string().trim().min(1, missing).max(max).regex(printable, "This has characters that cannot be printed.");

const firstSigner = z.enum(contractSides).nullable();

const templateText = {
  first_signer: firstSigner.default(null).describe("The party that signs first; null: either may"),
  title: line(templateLimits.title, "Enter a title for the agreement."),
  sections: z
    .array(
      z.strictObject({
        heading: line(templateLimits.heading, "Enter a heading for this section."),
        when,
        clauses: z
          .array(z.strictObject({ text: line(templateLimits.clause, "Enter this clause, or remove it."), when }))
          .min(1, "A section needs a clause.")
          .max(templateLimits.clauses),
      }),
    )
    .min(1, "An agreement needs a section.")
    .max(templateLimits.sections),
};

const version = z.object({
  id: z.string(),
  version: z.int(),
  title: z.string(),
  saved_by: z.string().nullable().describe("Null: supplied with the product"),
  saved_at: z.date(),
});

const templatePage = z.object({
  id: z.string(),
  version: z.int(),
  title: z.string(),
  first_signer: firstSigner,
  sections: z.array(z.object({ heading: z.string(), when, clauses: z.array(z.object({ text: z.string(), when })) })),
  in_force: z.boolean(),
  versions: z.array(version),
});
export type TemplatePage = z.infer<typeof templatePage>;

export const templatesApi = {
  list: endpoint("admin", "GET /admin/contract-templates", "listContractTemplates")
    .route({ summary: "The contract templates, each in its newest version" })
    .output(z.object({ items: z.array(version.extend({ in_force: z.boolean() })) })),
  read: endpoint("admin", "GET /admin/contract-templates/{id}", "readContractTemplate")
    .route({ summary: "A template in its newest or in the requested version" })
    .input(z.strictObject({ id, version: z.coerce.number().int().min(1).max(1_000_000).optional() }))
    .output(templatePage),
  save: endpoint("admin", "POST /admin/contract-templates/{id}", "saveContractTemplate")
    .route({ summary: "Save a text as the next version; contracts that were sent do not change" })
    .input(
      z.strictObject({
        id,
        from: z.int().min(0).max(1_000_000).describe("The version that the change is based on; 0 for a new template"),
        ...templateText,
      }),
    )
    .output(templatePage),
  // The body contains the personal data of the form, because proxies log URLs.
  previewForm: endpoint("public", "POST /bookings/contract-preview", "previewContractOfForm")
    .route({ summary: "The contract text for the values of the booking form; nothing is stored" })
    .input(contractQuestion)
    .output(agreementText),
  previewBooking: endpoint("booking-key", "GET /bookings/{id}/contract-preview", "previewContractOfBooking")
    .route({ summary: "The text of the contract that is sent once the deposit of a request is paid" })
    .input(z.strictObject({ id: z.uuid("This is not the id of a booking.") }))
    .output(agreementText),
  preview: endpoint("admin", "POST /admin/contract-template-preview", "previewContractTemplate")
    .route({ summary: "Preview the contract of a booking with a template text; nothing is stored" })
    .input(z.strictObject({ booking_id: z.uuid("This is not the id of a booking."), ...templateText }))
    .output(
      agreementText.extend({
        number: z.string(),
        parties: z.object({ promoter: z.string(), artist: z.string() }),
        pages: z.int(),
        pdf: z.string().describe("The document, base64"),
      }),
    ),
};
