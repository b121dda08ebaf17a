/** Contracts that an admin marks as signed on paper. `admin` are the headers of an admin's session. */

import { expect } from "vitest";
import type { ContractPage } from "#bookings/contract/admin/contract-page.api.ts";
import type { TestApp } from "#test/test-app.ts";
import { emailsFor, guestOf } from "../bookings.ts";
import { scannedPaper, sentContract, signingCalls, uploadSignedDocument } from "../contracts.ts";

type Headers = Record<string, string>;

export const attestationReason = "Signed on paper at the venue; the scan came by email.";

export const readContractPage = async (app: TestApp, id: string, headers: Headers) =>
  (await (await app.request(`/api/admin/contracts/${id}`, { headers })).json()) as ContractPage;

export async function markSigned(
  app: TestApp,
  id: string,
  { headers, ...body }: { headers: Headers; reason?: string; paper?: string },
) {
  const sent = { reason: attestationReason, ...body };
  const response = await app.request(`/api/admin/contracts/${id}/mark-signed`, { body: sent, headers });
  return {
    status: response.status,
    body: (await response.json()) as { message: string; data?: { fields?: object[] } },
  };
}

/** Returns a contract that the artist has signed here, and an admin has attested for the promoter. */
export async function attestedContract(app: TestApp, headers: Headers, given: Parameters<typeof sentContract>[1] = {}) {
  const sent = await sentContract(app, given);
  const { contractId: id } = sent;
  const guest = signingCalls(app);
  await guest.sign(sent.artist_token, (await guest.open(sent.artist_token)).body);
  const { body } = await uploadSignedDocument(app, id, { headers, bytes: await scannedPaper() });
  expect((await markSigned(app, id, { headers, paper: body.sha256 })).status).toBe(200);
  await app.settle();
  return { ...sent, id, sha256: body.sha256 };
}

export const objectionReason = "I never signed this.";

export const objectAsPromoter = (app: TestApp, bookingId: string) =>
  guestOf(app, bookingId).call(`/api/bookings/${bookingId}/object-to-attestation`, { reason: objectionReason });

type Decision = Readonly<{
  decision: "upheld" | "annulled";
  reason: string;
  release_cents?: number;
  expected_held_cents?: number;
}>;

/** Returns the status of the response. */
export async function decideObjection(
  app: TestApp,
  bookingId: string,
  headers: Headers,
  decision: Omit<Decision, "reason">,
): Promise<number> {
  const body: Decision = { reason: "The paper names another event.", ...decision };
  return (await app.request(`/api/admin/bookings/${bookingId}/decide-objection`, { headers, body })).status;
}

/** Returns the recipients of a booking's emails of this template. */
export const recipientsOf = async (app: TestApp, bookingId: string, name: string) =>
  (await emailsFor(app, bookingId)).filter(({ template }) => template === name).map(({ recipient }) => recipient);
