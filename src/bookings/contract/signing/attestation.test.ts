import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { documentOf, verifySealedCopy } from "#contracts/index.ts";
import { formatInstant } from "#platform/time/calendar.rules.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, emailsFor, guestOf } from "#test/harness/bookings.ts";
import { scannedPaper, sentContract, signingCalls, uploadSignedDocument } from "#test/harness/contracts.ts";
import { attestationReason, attestedContract, markSigned, readContractPage } from "#test/harness/esign/attestations.ts";
import { testApp } from "#test/test-app.ts";
import { sealContracts } from "../document/sealing.ts";

const app = closeAfterFile(await testApp());
const admin = await app.signIn(await app.make.user({ role: "admin" }));
const paper = await scannedPaper();

const reason = attestationReason;
const read = (id: string) => readContractPage(app, id, admin);
const mark = (id: string, body: { reason?: string; paper?: string }, headers = admin) =>
  markSigned(app, id, { headers, ...body });
const attested = () => attestedContract(app, admin);

describe("the upload of a signed document", () => {
  test("accepts a PDF, JPEG or PNG by its content, and refuses other files without storing them", async () => {
    const { contractId: id } = await sentContract(app);
    const blank = sharp({ create: { width: 40, height: 60, channels: 3, background: "white" } });
    const jpeg = await blank.clone().jpeg().toBuffer();
    const refused: [Buffer, string, number, RegExp][] = [
      [Buffer.from("<html><script>alert(1)</script>"), "application/pdf", 415, /not a PDF, JPEG or PNG/],
      [Buffer.from("%PDF-1.7 and nothing behind it"), "application/pdf", 415, /cannot be opened/],
      [await blank.clone().webp().toBuffer(), "image/webp", 415, /not a PDF, JPEG or PNG/],
      [jpeg, "application/pdf", 415, /was sent as/],
      [paper, "image/png", 415, /it is a PDF/],
      [Buffer.concat([jpeg, Buffer.from("<script>alert(1)</script>")]), "image/jpeg", 415, /more than a picture/],
      [Buffer.alloc(0), "application/pdf", 400, /empty/],
      [Buffer.alloc(10 * 1024 * 1024 + 1), "application/pdf", 413, /larger than 10 MB/],
    ];
    for (const [bytes, type, status, message] of refused) {
      const response = await uploadSignedDocument(app, id, { headers: admin, bytes, type });
      expect([response.status, response.body.message]).toEqual([status, expect.stringMatching(message)]);
    }
    expect(await documentOf(app.database.db, id, ["scan"])).toBeUndefined();
    const promoterHeaders = await app.signIn(await app.make.user({ role: "promoter" }));
    expect((await uploadSignedDocument(app, id, { headers: promoterHeaders, bytes: paper })).status).toBe(403);
    expect((await uploadSignedDocument(app, id, { headers: {}, bytes: paper })).status).toBe(401);
    expect((await uploadSignedDocument(app, crypto.randomUUID(), { headers: admin, bytes: paper })).status).toBe(404);
    for (const [bytes, type] of [
      [paper, "application/pdf"],
      [jpeg, "image/jpeg"],
      [await blank.clone().png().toBuffer(), "image/png"],
    ] as const)
      expect(await uploadSignedDocument(app, id, { headers: admin, bytes, type })).toMatchObject({
        status: 201,
        body: { pages: 1 },
      });
    expect((await read(id)).files.map(({ kind }) => kind)).toEqual(["agreement"]);
    expect((await app.request(`/api/contracts/${id}/document-link?kind=paper`, { headers: admin })).status).toBe(404);
  });
});

describe("markSigned", () => {
  test("signs the contract with a reason and a document, records both in the evidence and the certificate, and notifies both parties", async () => {
    const { booking, contractId: id, artist_token, promoter, performer } = await sentContract(app);
    const guest = signingCalls(app);
    await guest.openAndSign(artist_token);
    const { body: stored } = await uploadSignedDocument(app, id, { headers: admin, bytes: paper });
    expect((await mark(id, { reason: "On paper", paper: stored.sha256 })).status).toBe(400);
    const without = await mark(id, {});
    expect([without.status, without.body.message]).toEqual([400, "Paper: Choose the signed document."]);
    expect((await mark(id, { paper: "0".repeat(64) })).status).toBe(409);
    expect((await mark(id, { paper: stored.sha256 }, await app.signIn(performer.user))).status).toBe(403);
    expect((await mark(crypto.randomUUID(), { paper: stored.sha256 })).status).toBe(404);
    expect((await bookingRow(app, booking.id)).status).toBe("contract_sent");

    expect((await mark(id, { paper: stored.sha256 })).status).toBe(200);
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_signed" });
    expect((await guest.open(promoter)).status).toBe(410);
    expect((await mark(id, { paper: stored.sha256 })).status).toBe(409);
    // Evidence cannot be replaced later.
    expect((await uploadSignedDocument(app, id, { headers: admin, bytes: paper })).status).toBe(409);

    await sealContracts(app.services);
    const body = await read(id);
    expect(body.evidence.events.map(({ kind, side }) => `${kind} ${side}`).slice(-2)).toEqual([
      "signed artist",
      "attested promoter",
    ]);
    expect(body.attestation).toMatchObject({ reason, paper: { sha256: stored.sha256, bytes: paper.length } });
    const copy = await documentOf(app.database.db, id, ["sealed"]);
    const check = await verifySealedCopy(copy?.bytes ?? Buffer.alloc(0));
    expect(check.valid).toBe(true);
    expect(check.lines.join("\n")).toContain(`The signed paper has the fingerprint ${stored.sha256}`);
    const emails = (await emailsFor(app, booking.id)).filter(({ template }) => template === "contract_attested");
    expect(emails).toHaveLength(2);
    for (const email of emails)
      for (const expected of ["attested", "Signed on paper at the venue", "object", stored.sha256])
        expect(email.text).toContain(expected);
  });

  test.each([
    ["a show without a balance", 52],
    ["a show with an unpaid balance", 72],
  ])("of %s that ends in 4 hours can be objected to for %s hours", async (show, hours) => {
    const { booking, contractId: id } = await sentContract(app);
    const now = app.clock.now().getTime();
    const times = { starts_at: new Date(now + hourMs), ends_at: new Date(now + 4 * hourMs) };
    const paid = { deposit_percent: 100, deposit_cents: booking.fee_cents, balance_cents: 0 };
    const values = { ...times, ...(show.includes("without") ? paid : {}) };
    await app.database.db.updateTable("bookings").set(values).where("id", "=", booking.id).execute();
    const { body } = await uploadSignedDocument(app, id, { headers: admin, bytes: paper });
    await mark(id, { paper: body.sha256 });
    const end = new Date((await read(id)).attestation?.objection_end ?? 0);
    expect(Math.floor((end.getTime() - now) / hourMs)).toBe(hours);
    const emails = (await emailsFor(app, booking.id)).filter(({ template }) => template === "contract_attested");
    expect(emails).toHaveLength(2);
    for (const { text } of emails)
      expect(text.replaceAll(/\s+/g, " ")).toContain(`by ${formatInstant(end, booking.time_zone)}.`);
  });

  test("notifies an artist with contract emails off", async () => {
    const sent = await sentContract(app);
    const settings = await app.signIn(sent.performer.user);
    const { version } = (await (await app.request("/api/artist/settings", { headers: settings })).json()) as {
      version: number;
    };
    const saved = await app.request("/api/artist/settings", {
      method: "PATCH",
      headers: settings,
      body: { version, values: { emailContractUpdates: false } },
    });
    expect(saved.status).toBe(200);
    const { contractId: id } = sent;
    const { body } = await uploadSignedDocument(app, id, { headers: admin, bytes: paper });
    await mark(id, { paper: body.sha256 });
    // Queued once, with the attestation and before the sealed copy, which may fail.
    const attestations = () =>
      app.database.db
        .selectFrom("messages")
        .select("recipient")
        .where("template", "=", "contract_attested")
        .where("ref_id", "=", sent.booking.id)
        .execute();
    expect(await attestations()).toHaveLength(2);
    await sealContracts(app.services);
    expect(await attestations()).toHaveLength(2);
    const to = (await emailsFor(app, sent.booking.id)).filter(({ template }) => template === "contract_attested");
    expect(to.map(({ recipient }) => recipient)).toContain(sent.performer.user.email);
  });

  test("offers the signed document as a download to admins and both parties, and returns not found (404) to others", async () => {
    const { id, booking, performer } = await attested();
    const address = `/api/contracts/${id}/document-link?kind=paper`;
    for (const response of [
      await app.request(address, { headers: admin }),
      await app.request(address, { headers: await app.signIn(performer.user) }),
      await guestOf(app, booking.id).call(address),
    ]) {
      expect(response.status).toBe(200);
      const { url } = (await response.json()) as { url: string };
      const file = await app.request(url);
      expect(Buffer.from(await file.arrayBuffer()).equals(paper)).toBe(true);
      expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="contract-SD-\w{6}-paper\.pdf"$/);
      expect(file.headers.get("content-security-policy")).toContain("sandbox");
      expect(file.headers.get("x-content-type-options")).toBe("nosniff");
    }
    const stranger = await app.signIn(await app.make.user({ role: "promoter" }));
    expect((await app.request(address, { headers: stranger })).status).toBe(404);
  });
});
