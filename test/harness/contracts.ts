import { createHash } from "node:crypto";
import { sendContract } from "#bookings/contract/sending.ts";
import { markSigned } from "#bookings/contract/signing/attestation.ts";
import { makePdf } from "#contracts/documents/pdf-page.ts";
import { type DocumentText } from "#contracts/rules.ts";
import { storeSignedDocument } from "#contracts/signing-for-bookings.ts";
import { requireEvidence } from "#contracts/views.ts";
import type { Tx } from "#platform/db/index.ts";
import { peopleOf } from "#test/harness/bookings.ts";
import type { TestApp } from "#test/test-app.ts";

export type Page = {
  contract_id: string;
  side: string;
  status: string;
  booking_status: string;
  can_sign: boolean;
  refund_if_declined: number | null;
  earnings: { gross_cents: number; commission_cents: number; net_cents: number } | null;
  document: { url: string; sha256: string; pages: number; text: DocumentText | null };
  signers: { side: string; signed_at: string | null }[];
  message?: string;
};

/** Makes a paid booking with a sent contract, both accounts and the tokens of their emails. */
export async function sentContract(app: TestApp, given: Parameters<TestApp["make"]["booking"]>[0] = {}) {
  const people = peopleOf(() => app);
  const performer = await people.person("artist");
  const artist = await people.artist({ userId: performer.user.id });
  const booking = await app.make.booking({
    artistId: artist.id,
    status: "deposit_paid",
    keys: app.services.keys,
    now: app.clock.now(),
    ...given,
  });
  await sendContract(app.services, booking.id);
  await app.settle();
  const { id: contractId } = await contractRow(app, booking.id);
  return { booking, contractId, artist, performer, ...(await tokensOf(app, booking.id)) };
}

export const contractRow = (app: TestApp, bookingId: string) =>
  app.database.db.selectFrom("contracts").selectAll().where("booking_id", "=", bookingId).executeTakeFirstOrThrow();

/** Returns the evidence of a booking's contract. */
export const evidenceEntries = async (app: TestApp, bookingId: string) =>
  requireEvidence(app.database.db, (await contractRow(app, bookingId)).id);

/** Returns the tokens in the newest signature emails of each party. */
export async function tokensOf(app: TestApp, bookingId: string): Promise<{ promoter: string; artist_token: string }> {
  const messages = await app.database.db
    .selectFrom("messages")
    .select(["recipient", "text"])
    .where("ref_id", "=", bookingId)
    .where("template", "in", ["contract_sent", "contract_reminder"])
    .orderBy("created_at")
    .execute();
  const booking = await app.database.db
    .selectFrom("bookings")
    .select("promoter_email")
    .where("id", "=", bookingId)
    .executeTakeFirstOrThrow();
  const tokenOf = (text: string) => /\/sign\/([\w-]+)/.exec(text)?.[1] ?? "";
  const mine = messages.filter(({ recipient }) => recipient === booking.promoter_email);
  const theirs = messages.filter(({ recipient }) => recipient !== booking.promoter_email);
  return { promoter: tokenOf(mine.at(-1)?.text ?? ""), artist_token: tokenOf(theirs.at(-1)?.text ?? "") };
}

export const signingCalls = (app: TestApp, headers: Record<string, string> = {}) => {
  const call = async (name: string, body: object) => {
    const response = await app.request(`/api/contracts/signing/${name}`, { body, headers });
    return { status: response.status, body: (await response.json()) as Page };
  };
  const open = (key: string) => call("open", { key });
  const sign = (key: string, page: Page, more: object = {}) =>
    call("sign", {
      key,
      name: "Hannah Whitt",
      drawing: null,
      consent: true,
      documentHash: page.document.sha256,
      ...more,
    });
  return {
    open,
    sign,
    openAndSign: async (key: string, more: object = {}) => sign(key, (await open(key)).body, more),
    decline: (key: string, page: Page, reason = "The curfew is earlier.") =>
      call("decline", { key, reason, documentHash: page.document.sha256 }),
  };
};

export async function uploadSignedDocument(
  app: TestApp,
  contractId: string,
  upload: { headers: Record<string, string>; bytes: Buffer; type?: string },
) {
  const response = await app.server.inject({
    method: "POST",
    url: `/api/admin/contracts/${contractId}/paper`,
    headers: { ...upload.headers, "content-type": upload.type ?? "application/pdf" },
    payload: upload.bytes,
  });
  return { status: response.statusCode, body: response.json<{ sha256: string; pages: number; message: string }>() };
}

export const scannedPaper = async (): Promise<Buffer> =>
  (await makePdf({ title: "Scan", foot: [] }, (page) => page.paragraph("Signed on paper."))).bytes;

/** Marks the contract as signed by an admin with a stored document, in one transaction. */
export async function attestOnPaper(
  tx: Tx,
  services: TestApp["services"],
  { bookingId, contractId, adminId }: { bookingId: string; contractId: string; adminId: string },
): Promise<void> {
  const bytes = Buffer.from("the signed paper");
  const sha256 = createHash("sha256").update(bytes).digest();
  const paper = { bytes, sha256, pages: 1, media_type: "application/pdf" } as const;
  await storeSignedDocument(tx, bookingId, paper, services.clock.now());
  await markSigned(tx, services, {
    id: contractId,
    reason: "Both have signed on paper at the venue.",
    paper: sha256.toString("hex"),
    by: { name: "Admin", userId: adminId },
    origin: { address: null, agent: null },
  });
}

export async function attestSignatures(app: TestApp, bookingId: string, adminId: string): Promise<void> {
  const { id: contractId } = await contractRow(app, bookingId);
  await app.database.transaction((tx) => attestOnPaper(tx, app.services, { bookingId, contractId, adminId }));
}
