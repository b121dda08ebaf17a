import { expect, test } from "vitest";
import { documentOf, verifySealedCopy } from "#contracts/index.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { savePlatformSettings, savePromoterSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow, peopleOf, emailsFor } from "#test/harness/bookings.ts";
import { contractRow, evidenceEntries, sentContract, signingCalls } from "#test/harness/contracts.ts";
import { popplerIsHere, runPoppler } from "#test/harness/poppler.ts";
import { testApp } from "#test/test-app.ts";
import { sealContract } from "../document/sealing.ts";

const app = closeAfterFile(await testApp());

async function sent() {
  const { user } = await peopleOf(() => app).person("promoter");
  const made = await sentContract(app, { promoterUserId: user.id, promoterName: "Hannah Whitt" });
  const require = async (requireContractSigning: boolean) => {
    const saved = await app.database.db
      .selectFrom("settings")
      .select("version")
      .where("scope", "=", "promoter")
      .where("owner_id", "=", user.id)
      .executeTakeFirst();
    const version = saved?.version ?? 0;
    await app.database.transaction((tx) =>
      savePromoterSettings(tx, user.id, { values: { requireContractSigning }, version, by: user.id }),
    );
  };
  const calls = signingCalls(app);
  const accept = async (key: string, documentHash: string, more: object = {}) => {
    const response = await app.request("/api/contracts/signing/accept", {
      body: { key, consent: true, documentHash, ...more },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { ...made, require, ...calls, accept };
}

test("acceptByClick is recorded as the promoter's acceptance in the evidence, the certificate and the emails", async () => {
  const { booking, promoter, artist_token, require, open, openAndSign, accept } = await sent();
  expect((await open(promoter)).body).toMatchObject({ accept_by_click: false });
  await require(false);
  const page = (await open(promoter)).body;
  expect(page).toMatchObject({ accept_by_click: true, can_sign: true });
  expect((await open(artist_token)).body).toMatchObject({ accept_by_click: false });
  expect((await accept(promoter, page.document.sha256)).body).toMatchObject({ can_sign: false });
  expect((await openAndSign(artist_token)).status).toBe(200);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_signed" });

  const contract = await contractRow(app, booking.id);
  const mine = (await evidenceEntries(app, booking.id)).filter(({ side }) => side === "promoter");
  expect(mine.map(({ kind }) => kind)).toEqual(["opened", "consented", "signed"]);
  expect(mine.at(-1)).toMatchObject({
    document: contract.document_hash,
    details: { name: "Hannah Whitt", method: "clicked", via: "link", words: "I accept" },
  });

  await sealContract(app.services, booking.id);
  const copy = (await documentOf(app.database.db, contract.id, ["sealed"]))?.bytes ?? Buffer.alloc(0);
  const { valid, lines } = await verifySealedCopy(copy);
  expect(valid, lines.join("\n")).toBe(true);
  expect(lines.join("\n")).toContain("The promoter accepted by click, as “Hannah Whitt”");
  await app.settle();
  const emails = (await emailsFor(app, booking.id)).filter(({ template }) => template === "contract_signed");
  expect(emails.length).toBeGreaterThan(0);
  for (const { text } of emails) expect(text.replaceAll(/\s+/g, " ")).toContain("accepted by click");
  for (const { text } of emails) expect(text).not.toContain("Both sides have signed");
});

test.skipIf(!popplerIsHere)("the printed certificate states accepted by click instead of signed", async () => {
  const { booking, contractId, promoter, artist_token, require, open, openAndSign, accept } = await sent();
  await require(false);
  await accept(promoter, (await open(promoter)).body.document.sha256);
  await openAndSign(artist_token, { name: "The Artist" });
  await sealContract(app.services, booking.id);
  const copy = (await documentOf(app.database.db, contractId, ["sealed"]))?.bytes ?? Buffer.alloc(0);
  const printed = runPoppler("pdftotext", copy, { after: ["-"] }).replaceAll(/\s+/g, " ");
  expect(printed).toContain("Accepted by click as “Hannah Whitt” on");
  expect(printed).toContain("with “I accept” under this document; this party's settings ask for no signature.");
  expect(printed).not.toContain("Signed as “Hannah Whitt”");
});

test("acceptByClick refuses a promoter who must sign, a guest and the artist (409)", async () => {
  const { promoter, artist_token, booking, require, open, accept } = await sent();
  const hash = (await open(promoter)).body.document.sha256;
  expect((await accept(promoter, hash)).status).toBe(409);
  await require(false);
  expect((await accept(artist_token, hash)).status).toBe(409);
  await require(true);
  expect((await accept(promoter, hash)).status).toBe(409);
  const guest = await sentContract(app);
  const shown = (await open(guest.promoter)).body;
  expect(shown).toMatchObject({ accept_by_click: false });
  expect((await accept(guest.promoter, shown.document.sha256)).status).toBe(409);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_sent" });
});

test("acceptByClick refuses a request without consent, over another document, twice or after the deadline", async () => {
  const { booking, promoter, require, open, accept } = await sent();
  await require(false);
  const hash = (await open(promoter)).body.document.sha256;
  expect((await accept(promoter, hash, { consent: false })).status).toBe(400);
  expect((await accept(promoter, "ab".repeat(32))).status).toBe(409);
  expect((await accept("A".repeat(32), hash)).status).toBe(404);
  expect((await accept(promoter, hash)).status).toBe(200);
  expect((await accept(promoter, hash)).status).toBe(410);
  const other = await sent();
  await other.require(false);
  const shown = (await other.open(other.promoter)).body;
  app.clock.advance(8 * dayMs);
  expect((await accept(other.promoter, shown.document.sha256)).status).toBe(409);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_sent" });
});

test("acceptByClick refuses (409) when the platform requires a signing code", async () => {
  const { booking, promoter, require, open, accept } = await sent();
  await require(false);
  const hash = (await open(promoter)).body.document.sha256;
  await app.database.transaction((tx) =>
    savePlatformSettings(tx, { values: { requireSigningCode: true }, version: 0, by: null }),
  );
  expect((await open(promoter)).body).toMatchObject({ accept_by_click: false, code: { sent: null } });
  expect((await accept(promoter, hash)).status).toBe(409);
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_sent" });
});
