import { z } from "zod";
import { contractSides } from "#contracts/rules.ts";
import { endpointsOf } from "#platform/http/api.ts";
import { attestationReply } from "../../attestation.api.ts";
import { bookingStatusNames } from "../../rules/flow.rules.ts";

const endpoint = endpointsOf("contracts");

const side = z.enum(contractSides);
const sha256 = z.string().describe("SHA-256 in hex");

const evidenceEvent = z.object({
  number: z.int(),
  kind: z.string(),
  side: side.nullable(),
  at: z.date(),
  address: z.string().nullable(),
  agent: z.string().nullable(),
  document: sha256.nullable(),
  hash: sha256,
  details: z.array(z.object({ name: z.string(), value: z.string() })),
});

const contractPage = z.object({
  id: z.uuid(),
  status: z.string(),
  provider: z.string(),
  template: z.string().nullable(),
  first_signer: side.nullable().describe("Set by the template; null: either may sign first"),
  terms_hash: sha256,
  document_hash: sha256.nullable(),
  created_at: z.date(),
  sent_at: z.date().nullable(),
  signed_at: z.date().nullable(),
  expires_at: z.date().nullable().describe("The signing deadline of an open contract"),
  declined: z.object({ side, at: z.date(), reason: z.string() }).nullable(),
  sending: z.object({ attempts: z.int(), next_try_at: z.date().nullable(), error: z.string() }).nullable(),
  booking: z.object({
    id: z.uuid(),
    number: z.string(),
    status: z.enum(bookingStatusNames),
    event_date: z.iso.date(),
    venue_name: z.string(),
    promoter_name: z.string(),
  }),
  artist: z.object({ slug: z.string(), name: z.string(), genre: z.string() }),
  parties: z.array(
    z.object({
      side,
      name: z.string(),
      signed_name: z.string().nullable(),
      method: z.string().nullable(),
      signed_at: z.date().nullable(),
    }),
  ),
  files: z.array(z.object({ kind: z.string(), sha256, bytes: z.int(), pages: z.int(), created_at: z.date() })),
  seal: z.object({
    state: z.enum(["sealed", "waiting", "none"]),
    at: z.date().nullable(),
    certificate: z.string().nullable().describe("The fingerprint of this installation's certificate"),
  }),
  attestation: attestationReply.nullable(),
  evidence: z.object({ fault: z.string().nullable(), events: z.array(evidenceEvent) }),
  can: z.object({ mark_signed: z.boolean(), send_again: z.boolean(), open_paper: z.boolean() }),
});
export type ContractPage = z.infer<typeof contractPage>;

const id = z.uuid("This is not the id of a contract.");

export const adminContractApi = {
  read: endpoint("admin", "GET /admin/contracts/{id}", "readContract")
    .route({ summary: "One contract with its evidence" })
    .input(z.strictObject({ id }))
    .output(contractPage),
  sendAgain: endpoint("admin", "POST /admin/contracts/{id}/send-again", "sendContractAgain")
    .route({ summary: "Send a new signing link to each party that has not signed" })
    .input(z.strictObject({ id }))
    .output(z.object({ sent_to: z.array(side) })),
};
