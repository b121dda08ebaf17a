import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { documentOf, verifySealedCopy } from "#contracts/index.ts";
import { bookingRow, emailsFor, guestOf, refunds, verifyMailbox } from "#test/harness/bookings.ts";
import { scannedPaper, sentContract, signingCalls, tokensOf, uploadSignedDocument } from "#test/harness/contracts.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import type { BookingPage } from "../api.ts";
import { watchContracts } from "./deadlines.ts";
import type { ContractPage } from "./admin/contract-page.api.ts";
import { sealContracts } from "./document/sealing.ts";

let app: TestApp;
let admin: Record<string, string>;
let paper: Buffer;
beforeAll(async () => {
  app = await testApp();
  admin = await app.signIn(await app.make.user({ role: "admin" }));
  paper = await scannedPaper();
});
afterAll(() => app.close());

const reason = "Signed on paper at the venue; the scan came by email.";

async function read(id: string) {
  return (await (await app.request(`/api/admin/contracts/${id}`, { headers: admin })).json()) as ContractPage;
}
async function mark(id: string, body: { reason?: string; paper?: string }, headers: Record<string, string> = admin) {
  const response = await app.request(`/api/admin/contracts/${id}/mark-signed`, { body: { reason, ...body }, headers });
  return {
    status: response.status,
    body: (await response.json()) as { message: string; data?: { fields?: object[] } },
  };
}
async function attested() {
  const sent = await sentContract(app);
  const { contractId: id } = sent;
  const guest = signingCalls(app);
  await guest.sign(sent.artist_token, (await guest.open(sent.artist_token)).body);
  const { body } = await uploadSignedDocument(app, id, { headers: admin, bytes: paper });
  expect((await mark(id, { paper: body.sha256 })).status).toBe(200);
  await app.settle();
  return { ...sent, id, sha256: body.sha256 };
}

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

describe("an objection", () => {
  beforeEach(async () => {
    // An earlier test may have advanced the clock beyond the session.
    admin = await app.signIn(await app.make.user({ role: "admin" }));
  });
  type Page = { contract: { attestation: { can_object: boolean; objections: { side: string; reason: string }[] } } };
  const attestationOf = async (response: Response) => ((await response.json()) as Page).contract.attestation;
  const why = "I never signed this.";
  const objectAsPromoter = (bookingId: string) =>
    guestOf(app, bookingId).call(`/api/bookings/${bookingId}/object-to-attestation`, { reason: why });

  test("is accepted once from a party, recorded in the evidence, and every admin is notified", async () => {
    const { id, booking, performer } = await attested();
    const guest = guestOf(app, booking.id);
    const address = `/api/bookings/${booking.id}/object-to-attestation`;
    expect(await attestationOf(await guest.call(`/api/bookings/${booking.id}`))).toMatchObject({ can_object: true });
    expect((await guest.call(address, { reason: "No" })).status).toBe(400);
    expect((await guest.call(address, { reason: why })).status).toBe(200);
    expect((await guest.call(address, { reason: why })).status).toBe(409);
    expect(await attestationOf(await guest.call(`/api/bookings/${booking.id}`))).toMatchObject({
      can_object: false,
      objections: [{ side: "promoter", reason: why }],
    });
    const body = await read(id);
    expect(body.attestation?.objections).toMatchObject([{ side: "promoter", reason: why }]);
    expect(body.evidence.events.at(-1)).toMatchObject({ kind: "objected", side: "promoter" });
    expect(body.evidence.fault).toBeNull();
    expect((await bookingRow(app, booking.id)).status).toBe("contract_signed");
    const alarms = (await emailsFor(app, booking.id)).filter(({ template }) => template === "money_alarm");
    expect(alarms.map(({ text }) => text).join()).toContain(why);
    const mine = await app.request(`/api/bookings/${booking.id}`, { headers: await app.signIn(performer.user) });
    expect(await attestationOf(mine)).toMatchObject({ can_object: true });
  });

  test("is refused for other users (404), an admin (403), after 72 hours or the show and without an attestation (409)", async () => {
    const { booking, performer } = await attested();
    const address = `/api/bookings/${booking.id}/object-to-attestation`;
    const body = { reason: why };
    const stranger = await app.signIn(await app.make.user({ role: "promoter" }));
    expect((await app.request(address, { headers: stranger, body })).status).toBe(404);
    expect((await app.request(address, { headers: admin, body })).status).toBe(403);
    const { booking: played } = await attested();
    await app.database.db.updateTable("bookings").set({ status: "completed" }).where("id", "=", played.id).execute();
    expect((await objectAsPromoter(played.id)).status).toBe(409);
    app.clock.advance(72 * hourMs);
    const late = await app.request(address, { headers: await app.signIn(performer.user), body });
    expect(late.status).toBe(409);
    const { booking: open } = await sentContract(app);
    expect((await objectAsPromoter(open.id)).status).toBe(409);
  });

  type Decision = { decision: "upheld" | "annulled"; reason: string; release_cents?: number };
  const decide = async (bookingId: string, decision: Decision["decision"], headers = admin, release?: number) =>
    (
      await app.request(`/api/admin/bookings/${bookingId}/decide-objection`, {
        headers,
        body: {
          decision,
          reason: "The paper names another event.",
          ...(release === undefined ? {} : { release_cents: release }),
        } satisfies Decision,
      })
    ).status;
  const startIn = (bookingId: string, ms: number) =>
    app.database.db
      .updateTable("bookings")
      .set({ starts_at: new Date(app.clock.now().getTime() + ms) })
      .where("id", "=", bookingId)
      .execute();
  const withdrawalOf = async (bookingId: string) => {
    const page = await app.request(`/api/bookings/${bookingId}`, { headers: admin });
    const { contract } = (await page.json()) as { contract: { attestation: { withdrawal: string } } };
    return contract.attestation.withdrawal;
  };
  const blockOf = async (bookingId: string) => {
    const page = await app.request(`/api/bookings/${bookingId}`, { headers: admin });
    return ((await page.json()) as { completion_block: string | null }).completion_block;
  };
  const objectionsToDecide = async () => {
    const response = await app.request("/api/admin/attention", { headers: admin });
    const { items } = (await response.json()) as { items: { kind: string; count: number }[] };
    return items.find(({ kind }) => kind === "objection")?.count ?? 0;
  };
  const emailed = async (bookingId: string, name: string) =>
    (await emailsFor(app, bookingId)).filter(({ template }) => template === name).map(({ recipient }) => recipient);

  test("blocks the booking until an admin upholds the signature, and both parties are notified", async () => {
    const { id, booking, performer } = await attested();
    const before = await objectionsToDecide();
    await objectAsPromoter(booking.id);
    expect(await blockOf(booking.id)).toBe("objection");
    expect(await objectionsToDecide()).toBe(before + 1);
    expect(await emailed(booking.id, "objection_made")).toEqual([performer.user.email]);
    const own = guestOf(app, booking.id);
    await verifyMailbox(app, own, booking.id);
    const cancel = { code: "plans_changed", note: "", expected_refund_cents: 0 };
    expect((await own.json(`/api/bookings/${booking.id}/cancel`, cancel)).status).toBe(409);
    expect((await own.json(`/api/bookings/${booking.id}`)).body).toMatchObject({
      can: { cancel: false },
      money: { if_canceled: null },
    });
    expect(await decide(booking.id, "upheld", await app.signIn(performer.user))).toBe(403);
    expect(await decide(booking.id, "upheld", admin, 100)).toBe(409);
    expect(await decide(booking.id, "upheld")).toBe(200);
    expect(await decide(booking.id, "annulled")).toBe(409);
    expect(await blockOf(booking.id)).not.toBe("objection");
    expect(await objectionsToDecide()).toBe(before);
    expect(await emailed(booking.id, "objection_decided")).toHaveLength(2);
    const log = await app.database.db.selectFrom("activity").select("message").where("ref_id", "=", id).execute();
    expect(log.map(({ message }) => message).join()).toContain("upheld the attested signature");
    expect((await bookingRow(app, booking.id)).status).toBe("contract_signed");
  });

  test("of the artist does not stop the promoter from canceling, which ends it without a decision", async () => {
    const { booking, performer } = await attested();
    const artist = await app.signIn(performer.user);
    const object = { headers: artist, body: { reason: why } };
    expect((await app.request(`/api/bookings/${booking.id}/object-to-attestation`, object)).status).toBe(200);
    const own = guestOf(app, booking.id);
    await verifyMailbox(app, own, booking.id);
    const { can, money } = (await own.json(`/api/bookings/${booking.id}`)).body as unknown as BookingPage;
    expect(can.cancel).toBe(true);
    const expected = money.if_canceled?.refund_cents ?? -1;
    const cancel = { code: "plans_changed", note: "", expected_refund_cents: expected };
    expect((await own.json(`/api/bookings/${booking.id}/cancel`, cancel)).status).toBe(200);
    await app.settle();
    expect((await refunds(app, booking.id)).reduce((sum, { amount }) => sum + amount, 0)).toBe(expected);
    expect(await decide(booking.id, "annulled")).toBe(409);
    const after = await app.request(`/api/bookings/${booking.id}`, { headers: artist });
    expect(await attestationOf(after)).toMatchObject({
      can_object: false,
      objections: [{ side: "artist", decision: "booking_ended" }],
    });
  });

  test("that is annulled opens the contract for signatures again and retains the files as evidence", async () => {
    const { id, booking } = await attested();
    await sealContracts(app.services);
    await objectAsPromoter(booking.id);
    expect(await decide(booking.id, "annulled")).toBe(200);
    await app.settle();
    expect((await bookingRow(app, booking.id)).status).toBe("contract_sent");
    const body = await read(id);
    expect(body).toMatchObject({ status: "sent", attestation: null, evidence: { fault: null } });
    expect(body.files.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["annulled_scan_1", "annulled_sealed_1", "agreement"]),
    );
    expect(body.parties.find(({ side }) => side === "artist")?.signed_at).not.toBeNull();
    const seen = await guestOf(app, booking.id).call(`/api/bookings/${booking.id}`);
    const { timeline } = (await seen.json()) as { timeline: { kind: string; text: string; detail: string | null }[] };
    expect(
      timeline.filter(({ kind }) => kind === "contract_attestation").map(({ text, detail }) => [text, detail]),
    ).toEqual([
      ["Marked as signed on paper", expect.any(String)],
      ["Objection to the signature on paper", why],
      ["The signature on paper was withdrawn", "The paper names another event."],
    ]);
    const upload = await uploadSignedDocument(app, id, { headers: admin, bytes: paper });
    expect((await mark(id, { paper: upload.body.sha256 })).status).toBe(200);
    const again = await objectAsPromoter(booking.id);
    expect(again.status).toBe(200);
    expect(await decide(booking.id, "annulled")).toBe(200);
    await app.settle();
    const guest = signingCalls(app);
    const { promoter } = await tokensOf(app, booking.id);
    await guest.openAndSign(promoter);
    await sealContracts(app.services);
    await app.settle();
    expect((await bookingRow(app, booking.id)).status).toBe("contract_signed");
    expect((await read(id)).seal.state).toBe("sealed");
  });

  test("that is annulled less than 24 hours before the show cancels the booking with a full refund", async () => {
    const { booking } = await attested();
    await objectAsPromoter(booking.id);
    await startIn(booking.id, hourMs);
    expect(await withdrawalOf(booking.id)).toBe("refunded");
    expect(await decide(booking.id, "annulled", admin, 100)).toBe(409);
    expect(await decide(booking.id, "annulled")).toBe(200);
    await app.settle();
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled", cancel_code: "signature_withdrawn" });
    expect((await refunds(app, booking.id)).map(({ amount }) => amount)).toEqual([booking.deposit_cents]);
  });

  test("that is not decided after the show is reported to the admins once a day", async () => {
    const { booking } = await attested();
    await objectAsPromoter(booking.id);
    const ends_at = new Date(app.clock.now().getTime() - hourMs);
    const starts_at = new Date(ends_at.getTime() - hourMs);
    await app.database.db.updateTable("bookings").set({ starts_at, ends_at }).where("id", "=", booking.id).execute();
    const reminders = async () => {
      await watchContracts(app.services);
      await watchContracts(app.services);
      const sent = (await emailsFor(app, booking.id)).filter(({ text }) => text.includes("is not decided"));
      return sent.length / new Set(sent.map(({ recipient }) => recipient)).size;
    };
    expect(await reminders()).toBe(1);
    app.clock.advance(24 * hourMs);
    expect(await reminders()).toBe(2);
  });

  test("that is annulled after the show began divides the money, and the emails name the decision and both parts", async () => {
    const { booking, performer } = await attested();
    await objectAsPromoter(booking.id);
    await startIn(booking.id, -hourMs);
    expect(await withdrawalOf(booking.id)).toBe("divided");
    // A no-show is decided only after the objection.
    const own = guestOf(app, booking.id);
    await verifyMailbox(app, own, booking.id);
    const note = "The artist did not appear at the venue.";
    expect((await own.json(`/api/bookings/${booking.id}/no-show`, { note })).status).toBe(200);
    const body = { release_cents: 0, decision: "The artist states nothing about it." };
    const noShow = await app.request(`/api/admin/bookings/${booking.id}/no-show`, { headers: admin, body });
    expect(noShow.status).toBe(409);
    expect(await decide(booking.id, "annulled")).toBe(409);
    expect(await decide(booking.id, "annulled", admin, booking.deposit_cents + 1)).toBe(409);
    expect(await decide(booking.id, "annulled", admin, 20_000)).toBe(200);
    await app.settle();
    expect(await bookingRow(app, booking.id)).toMatchObject({ status: "canceled", cancel_code: "signature_withdrawn" });
    expect((await refunds(app, booking.id)).map(({ amount }) => amount)).toEqual([booking.deposit_cents - 20_000]);
    const texts = (await emailsFor(app, booking.id))
      .filter(({ template }) => template === "booking_canceled")
      .map(({ recipient, text }) => [recipient, text.replaceAll(/\s+/g, " ")] as const);
    expect(await emailed(booking.id, "objection_decided")).toEqual([]);
    expect(texts).toHaveLength(2);
    for (const [recipient, text] of texts) {
      expect(text).toContain("An administrator canceled");
      expect(text).toContain("After an objection, the attested signature of the contract was withdrawn.");
      expect(text).toContain("The paper names another event.");
      expect(text).not.toMatch(/sign again|cancellation terms/);
      expect(text).toContain(
        recipient === performer.user.email ? "By this decision you keep $" : "By this decision $200 is not refunded.",
      );
    }
    const again = await own.json(`/api/bookings/${booking.id}/object-to-attestation`, { reason: why });
    expect(again.status).toBe(409);
  });
});
