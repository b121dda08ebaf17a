import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { checkIntegrity, verify } from "#app/admin/verify.ts";
import { evidenceOf } from "#contracts/copies-for-bookings.ts";
import { documentOf, verifySealedCopy } from "#contracts/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { bookingRow } from "#test/harness/bookings.ts";
import { sentContract, signingCalls } from "#test/harness/contracts.ts";
import { testApp } from "#test/test-app.ts";
import { sealContract, sealContracts } from "./document/sealing.ts";

const app = closeAfterFile(await testApp());

const flipped = (bytes: Uint8Array, at: number): Buffer => {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
};
const changeAgreement = async (contractId: string, at: number) => {
  const { db } = app.database;
  const file = db.selectFrom("contract_documents").select("bytes").where("contract_id", "=", contractId);
  const { bytes } = await file.where("kind", "=", "agreement").executeTakeFirstOrThrow();
  await db
    .updateTable("contract_documents")
    .set({ bytes: flipped(bytes, at % bytes.length) })
    .where("contract_id", "=", contractId)
    .where("kind", "=", "agreement")
    .execute();
};
const differs = /was changed: its fingerprint differs/;

test("signContract refuses an oversized drawing, and accepts a normal one afterwards", async () => {
  const { booking, promoter } = await sentContract(app);
  const { open, sign } = signingCalls(app);
  const { body } = await open(promoter);
  const line = "L1,1";
  for (const size of [30_000, 1_000_000, 1_200_000]) {
    const refused = await sign(promoter, body, { drawing: `M1,1${line.repeat(size / line.length)}` });
    expect([400, 413]).toContain(refused.status);
    expect(refused.body.message).toMatch(/too large/i);
  }
  expect(await bookingRow(app, booking.id)).toMatchObject({ status: "contract_sent" });
  expect((await sign(promoter, body, { drawing: "M1,1L20.5,30L600,200" })).status).toBe(200);
});

test("an agreement or evidence changed in its row is found by the operator's check", async () => {
  const { contractId: id } = await sentContract(app);
  const { db } = app.database;
  const failing = async () => (await verify(db)).filter(({ count }) => count > 0).map(({ check }) => check);
  expect(await failing()).toEqual([]);
  await changeAgreement(id, 700);
  expect(await failing()).toEqual(["every PDF of a contract, a receipt or an invoice has its fingerprint"]);
  expect((await checkIntegrity(db)).filter(({ count }) => count > 0)).toEqual([]);
  const hashAgain = () =>
    sql`update contract_documents set sha256 = sha256(bytes) where contract_id = ${id}`.execute(db);
  await hashAgain();
  expect(await failing()).toEqual(["every contract has the agreement with its fingerprint"]);
  await changeAgreement(id, 700);
  await hashAgain();
  const changeEvidence = (from: string, to: string) =>
    db.transaction().execute(async (tx) => {
      await sql`alter table contract_events disable trigger user`.execute(tx);
      await sql`update contract_events set entry = replace(entry, ${from}, ${to}) where contract_id = ${id}`.execute(
        tx,
      );
      await sql`alter table contract_events enable trigger user`.execute(tx);
    });
  await changeEvidence('"kind":"sent"', '"kind":"sens"');
  expect(await failing()).toEqual(["every entry of a contract's evidence has its hash"]);
  await changeEvidence('"kind":"sens"', '"kind":"sent"');
  expect(await failing()).toEqual([]);
});

test("an agreement changed in its row is neither displayed nor sealed until it is restored", async () => {
  const { booking, contractId: id, promoter, artist_token } = await sentContract(app);
  const { open, sign, openAndSign } = signingCalls(app);
  const shown = (await open(promoter)).body;
  await changeAgreement(id, 700);
  const again = await open(artist_token);
  expect([again.status, again.body.message]).toEqual([409, expect.stringMatching(differs)]);
  const file = await app.request(shown.document.url);
  expect(file.status).toBe(409);
  expect(await file.json()).toMatchObject({ message: expect.stringMatching(differs) });
  await changeAgreement(id, 700);
  expect((await sign(promoter, shown)).status).toBe(200);
  expect((await openAndSign(artist_token)).status).toBe(200);
  await changeAgreement(id, 41);
  await expect(sealContract(app.services, booking.id)).rejects.toThrow(differs);
  // A failed copy waits for the next run and does not wake the job.
  const wake = vi.spyOn(app.services, "wake");
  await sealContracts(app.services);
  expect(wake).not.toHaveBeenCalled();
  wake.mockRestore();
  await changeAgreement(id, 41);
  await sealContract(app.services, booking.id);
  expect((await documentOf(app.database.db, id))?.kind).toBe("sealed");
});

test("the signing page displays a text only if it matches the evidence", async () => {
  const { contractId: id, promoter } = await sentContract(app);
  const { open } = signingCalls(app);
  const { db } = app.database;
  const shown = (await open(promoter)).body.document.text;
  expect(shown?.sections.at(2)).toMatchObject({
    number: "3",
    heading: "The fee",
    page: 1,
    clauses: [
      {
        number: "3.1",
        content: [
          { label: expect.stringContaining("Deposit"), isSum: false },
          { label: expect.stringContaining("Balance"), isSum: false },
          { label: "Fee", isSum: true },
        ],
      },
      { number: "3.2" },
      { number: "3.3" },
      { number: "3.4" },
    ],
  });
  for (const text of [null, { ...shown, title: "Another agreement" }]) {
    await sql`update contract_documents set text = ${JSON.stringify(text)}::jsonb where contract_id = ${id}`.execute(
      db,
    );
    const without = await open(promoter);
    expect([without.status, without.body.document.text]).toEqual([200, null]);
    expect(without.body.document.url).toContain(`/api/contracts/${id}/file/agreement`);
  }
});

test("sealContracts mails both parties their copy in the transaction that stores the seal", async () => {
  const { booking, contractId, promoter, artist_token } = await sentContract(app);
  const { openAndSign } = signingCalls(app);
  await openAndSign(promoter);
  await openAndSign(artist_token);
  const mailed = () =>
    app.database.db
      .selectFrom("messages")
      .select(["recipient", "attachment_name", "attachment_kind", "attachment_id"])
      .where("ref_id", "=", booking.id)
      .where("template", "=", "contract_signed")
      .execute();
  expect(await mailed()).toEqual([]);
  await sealContracts(app.services);
  expect(new Set((await mailed()).map(({ recipient }) => recipient)).size).toBe(2);
  const attached = {
    attachment_name: `contract-${booking.number}-signed.pdf`,
    attachment_kind: "signed_contract",
    attachment_id: contractId,
  };
  for (const row of await mailed()) expect(row).toMatchObject(attached);
  const copy = await documentOf(app.database.db, contractId);
  expect(copy?.kind).toBe("sealed");
  expect((await verifySealedCopy(copy?.bytes ?? Buffer.alloc(0))).valid).toBe(true);
});

test("one changed byte in any evidence row is detected, and blocks the sealed copy", async () => {
  const { booking, contractId: id, promoter, artist_token } = await sentContract(app);
  const { openAndSign } = signingCalls(app);
  await openAndSign(promoter);
  await openAndSign(artist_token);
  const { db } = app.database;
  const rows = await db
    .selectFrom("contract_events")
    .selectAll()
    .where("contract_id", "=", id)
    .orderBy("number")
    .execute();
  expect(rows.length).toBeGreaterThan(5);
  const set = (number: number, fields: { entry?: string; hash?: Buffer }) =>
    db.updateTable("contract_events").set(fields).where("contract_id", "=", id).where("number", "=", number).execute();
  await expect(set(1, { entry: "{}" })).rejects.toThrow("append-only");
  // The database owner can disable the triggers, but the hash chain still detects the change.
  await sql`alter table contract_events disable trigger user`.execute(db);
  try {
    for (const { number, entry, hash } of rows) {
      const byte = 30 + number * 7;
      for (const change of [
        { entry: flipped(Buffer.from(entry), byte).toString() },
        { hash: flipped(hash, number % hash.length) },
      ]) {
        await set(number, change);
        expect(await evidenceOf(db, id)).toMatchObject({ fault: expect.stringContaining("of the evidence") });
        await expect(sealContract(app.services, booking.id)).rejects.toThrow("does not hold");
        await set(number, { entry, hash: Buffer.from(hash) });
      }
    }
  } finally {
    await sql`alter table contract_events enable trigger user`.execute(db);
  }
  expect(await evidenceOf(db, id)).not.toHaveProperty("fault");
  await sealContract(app.services, booking.id);
});
