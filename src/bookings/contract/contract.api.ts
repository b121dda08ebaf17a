import { z } from "zod";
import { contractSides, contractStatusNames, objectionDecisions } from "#contracts/rules.ts";
import { endpointsOf } from "#platform/http/api.ts";
import { maxAmount } from "#platform/money.rules.ts";
import { isName } from "#platform/security/plain-name.rules.ts";
import { prose } from "#platform/security/text.api.ts";
import { hasReadableText } from "#platform/text.rules.ts";
import { shownHeld } from "../cancellation/cancellation.api.ts";
import { bookingStatusNames } from "../rules/flow.rules.ts";
import { adminContractApi } from "./admin/contract-page.api.ts";
import { isDrawing } from "./drawing.rules.ts";
import { documentText } from "./templates/agreement-text.api.ts";
import { templatesApi } from "./templates/templates.api.ts";

const endpoint = endpointsOf("contracts");

const key = z
  .string()
  .min(20)
  .max(64)
  .regex(/^[\w-]+$/, "This is not a link to a contract.");
const byKey = z.strictObject({ key });
const contractId = z.uuid("This is not the id of a contract.");
const bookingId = z.uuid("This is not the id of a booking.");
const documentHash = z.string().regex(/^[0-9a-f]{64}$/, "must be the fingerprint of the document that was shown");

const sentCode = z.object({ channel: z.enum(["email", "sms"]), to: z.string(), expires_at: z.date() });

const signingPage = z.object({
  contract_id: z.uuid(),
  booking_id: z.uuid(),
  number: z.string(),
  side: z.enum(contractSides),
  status: z.enum(contractStatusNames),
  booking_status: z.enum(bookingStatusNames),
  artist: z.object({
    name: z.string(),
    slug: z.string(),
    genre: z.string(),
    location: z.string(),
    inks: z.object({ ground: z.string(), ink: z.string() }).describe("The two inks of the poster, as #rrggbb"),
  }),
  event_date: z.iso.date(),
  venue_name: z.string(),
  time_zone: z.string(),
  expires_at: z.date().nullable(),
  extends_until: z.date().nullable().describe("The end after the single extension; null if there is none ahead"),
  signers: z.array(
    z.object({
      side: z.enum(contractSides),
      name: z.string(),
      signed_at: z.date().nullable(),
      signature: z
        .object({ name: z.string(), method: z.string(), drawing: z.string().nullable() })
        .nullable()
        .describe("`drawing`: SVG path data in a box of 600 by 200, for a drawn one"),
    }),
  ),
  signed_by_former_owner: z.boolean().describe("A former owner of the viewer's profile signed for the artist"),
  balance: z
    .object({ cents: z.int(), due: z.iso.date().nullable() })
    .nullable()
    .describe("The amount due after both have signed. `due` null: immediately"),
  document: z
    .object({
      url: z.string().describe("Valid for 10 minutes"),
      is_signed: z
        .boolean()
        .describe("The URL opens the signed copy, which has more pages; the rest is the agreement's"),
      sha256: z.string(),
      pages: z.int(),
      bytes: z.int(),
      text: documentText.nullable().describe("The text of the document; null if it is not verified: read the document"),
    })
    .nullable(),
  refund_if_declined: z.int().nullable(),
  waiting_if_declined: z.int().describe("The part of that refund that waits until a dispute of its payment has ended"),
  earnings: z
    .object({
      gross_cents: z.int(),
      returned_cents: z.int().describe("Refunds and lost disputes"),
      commission_cents: z.int(),
      net_cents: z.int(),
    })
    .nullable(),
  currency: z.string(),
  can_sign: z.boolean(),
  signs_before: z
    .enum(contractSides)
    .nullable()
    .describe("The party that must sign first and has not; until then this party can read and decline"),
  first_signer: z.enum(contractSides).nullable().describe("Set by the template; null: either may sign first"),
  accept_by_click: z.boolean().describe("This party's settings require no signature: POST /contracts/signing/accept"),
  code: z.object({ sent: sentCode.nullable() }).nullable(),
  corrected_email: z
    .string()
    .nullable()
    .describe("The promoter's address, if it was corrected after the document was made"),
  service: z.string().nullable().describe("The service where the party signs; null: on this page"),
});
export type SigningPage = z.infer<typeof signingPage>;

const nameMessage = "The name contains characters that no name can have.";
const reasonText = prose(1_000).refine(hasReadableText, "Enter a reason.");

export const contractApi = {
  admin: adminContractApi,
  templates: templatesApi,
  openContract: endpoint("booking-key", "POST /contracts/signing/open", "openContract")
    .route({ summary: "The contract for one of its parties" })
    .input(
      byKey.extend({
        record: z
          .boolean()
          .default(true)
          .describe("False: the opening is not recorded, because the server renders the page before the party sees it"),
      }),
    )
    .output(signingPage),
  signContract: endpoint("booking-key", "POST /contracts/signing/sign", "signContract")
    .route({ summary: "Sign over the fingerprint of the document that was shown" })
    .input(
      z.strictObject({
        key,
        name: z.string().trim().max(120).min(2, "Enter your full name.").refine(isName, nameMessage),
        drawing: z
          .string()
          .max(20_000, "This drawing is too large. Clear it and draw a shorter one.")
          .refine(isDrawing, "This drawing cannot be read. Clear it and draw again.")
          .nullable(),
        consent: z.literal(true, "Agree to sign electronically."),
        documentHash,
        code: z
          .string()
          .regex(/^\d{6}$/, "Enter all 6 digits of the code.")
          .nullable()
          .default(null)
          .describe("The one-time code, if the platform requires one"),
      }),
    )
    .output(signingPage),
  acceptContract: endpoint("booking-key", "POST /contracts/signing/accept", "acceptContract")
    .route({ summary: "Accept the document that was shown by click, if the promoter's settings require no signature" })
    .input(z.strictObject({ key, consent: z.literal(true, "Agree to the electronic contract."), documentHash }))
    .output(signingPage),
  sendSigningCode: endpoint("booking-key", "POST /contracts/signing/send-code", "sendSigningCode")
    .route({
      summary:
        "Send this party the one-time code that the platform requires for a signature; older codes become invalid",
    })
    .input(byKey)
    .output(sentCode),
  declineContract: endpoint("booking-key", "POST /contracts/signing/decline", "declineContract")
    .route({ summary: "Decline with a reason; the booking is canceled and refunded" })
    .input(z.strictObject({ key, reason: reasonText.min(5, "Describe briefly what is wrong."), documentHash }))
    .output(z.object({ declined: z.literal(true), refund_cents: z.int(), currency: z.string() })),
  providerLink: endpoint("booking-key", "POST /contracts/signing/provider-link", "providerSigningLink")
    .route({ summary: "The current signing address of this party at the signing service" })
    .input(byKey)
    .output(z.object({ url: z.url() })),
  documentLink: endpoint("booking-key", "GET /contracts/{id}/document-link", "contractDocumentLink")
    .route({
      summary:
        "A link to the document, valid for 10 minutes: the signed copy or else the agreement; or the attested paper",
    })
    .input(
      z.strictObject({
        id: contractId,
        link: z.string().max(80).optional(),
        kind: z.enum(["copy", "paper"]).optional(),
      }),
    )
    .output(z.object({ url: z.string() })),
  markSigned: endpoint("admin", "POST /admin/contracts/{id}/mark-signed", "markContractSigned")
    .route({
      summary: "Attest that a contract was signed outside the platform; both parties are notified, with the reason",
    })
    .input(
      z.strictObject({
        id: contractId,
        reason: reasonText.min(20, "Enter a reason of at least 20 characters."),
        paper: z
          .string("Choose the signed document.")
          .regex(/^[0-9a-f]{64}$/, "Choose the signed document.")
          .describe("The SHA-256 that POST /admin/contracts/{id}/paper returned, in hex"),
      }),
    )
    .output(z.object({ id: z.uuid(), signed: z.literal(true) })),
  objectToContract: endpoint("booking-key", "POST /bookings/{id}/object-to-attestation", "objectToContract")
    .route({
      summary: "Object, within 72 hours, to a contract that an admin marked as signed; all admins are notified",
    })
    .input(z.strictObject({ id: bookingId, reason: reasonText.min(5, "Describe briefly what is wrong.") }))
    .output(z.object({ objected: z.literal(true) })),
  decideObjection: endpoint("admin", "POST /admin/bookings/{id}/decide-objection", "decideObjection")
    .route({
      summary:
        "Decide an objection to an attested signature: uphold the signature, or annul it; the contract is then signed again, or the booking ends",
    })
    .input(
      z.strictObject({
        id: bookingId,
        decision: z.enum(objectionDecisions),
        reason: reasonText.min(20, "Enter a reason of at least 20 characters."),
        release_cents: z
          .int()
          .min(0)
          .max(maxAmount)
          .optional()
          .describe(
            "For an annulled signature once the show has begun: the part of the held money for the artist, before the commission; the rest is refunded",
          ),
        expected_held_cents: shownHeld,
      }),
    )
    .output(z.object({ decided: z.literal(true) })),
  sendSigningLink: endpoint("public", "POST /contracts/signing/send-link", "sendSigningLink")
    .route({
      summary: "Send the promoter's signing link again, to the address of the request; the response is always the same",
    })
    .input(z.strictObject({ bookingId }))
    .output(z.object({ sent: z.literal(true), message: z.string() })),
};
