import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { releaseHeld } from "#payments/index.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { changeArtistSettings } from "#settings/index.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { browser, peopleOf } from "#test/harness/bookings.ts";
import { documentsIn, issueDocuments } from "#test/harness/documents.ts";
import { testApp } from "#test/test-app.ts";
import { documentNames } from "../rules.ts";
import { findDocument } from "../views.ts";
import { drawDocument } from "./document-pdf.ts";

const app = closeAfterFile(await testApp());

const { person, held } = peopleOf(() => app);
type Listed = { id: string; number: string; kind: string; gross: number };

const saveSeller = (artistId: string, values: { legalName: string; taxId: string }, by: string) =>
  app.database.transaction((tx) => changeArtistSettings(tx, artistId, values, by));

/** `isOwned`: false if the profile has no owner when the documents are issued. */
async function played(seller = { legalName: "", taxId: "" }, isOwned = true) {
  const [promoter, artist] = [await person("promoter"), await person("artist")];
  const act = await app.make.artist({ userId: artist.user.id, baseRate: 150_000, name: "Ηλεκτρικά Όνειρα" });
  await saveSeller(act.id, seller, artist.user.id);
  const { booking, visitor } = await held({
    artist: act,
    status: "contract_signed",
    balancePaid: true,
    fee: 150_000,
    promoterUserId: promoter.user.id,
  });
  await app.database.transaction((tx) =>
    releaseHeld(tx, {
      bookingId: booking.id,
      artistId: act.id,
      currency: "usd",
      commissionBps: 1_000,
      at: app.clock.now(),
    }),
  );
  if (!isOwned) await app.database.db.updateTable("artists").set({ user_id: null }).where("id", "=", act.id).execute();
  await issueDocuments(app.services);
  return { promoter: promoter.at, artist: artist.at, owner: artist.user, visitor, booking, act };
}

type Reader = ReturnType<typeof browser>;
async function list(reader: Reader, bookingId: string): Promise<Listed[]> {
  const { status, body } = await reader.json(`/api/bookings/${bookingId}/documents`);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as unknown as { items: Listed[] }).items;
}
const kinds = async (reader: Reader, bookingId: string) =>
  (await list(reader, bookingId)).map(({ kind }) => kind).sort();
const linkOf = async (reader: Reader, id: string) => {
  const { status, body } = await reader.json(`/api/documents/${id}/link`);
  return { status, url: String(body["url"]), message: String(body["message"]) };
};
async function open(reader: Reader, id: string) {
  const { status, url } = await linkOf(reader, id);
  expect(status).toBe(200);
  const response = await app.request(url);
  expect(response.status).toBe(200);
  return { url, response, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe("access to documents", () => {
  test("lists receipts for the promoter, nothing for a former booking key, and all for artist and admin", async () => {
    const { promoter, artist, visitor, booking } = await played();
    const { at: admin } = await person("admin");
    expect(await kinds(promoter, booking.id)).toEqual(["receipt", "receipt"]);
    expect((await visitor.json(`/api/bookings/${booking.id}/documents`)).status).toBe(404);
    for (const reader of [artist, admin])
      expect(await kinds(reader, booking.id)).toEqual(["commission_invoice", "receipt", "receipt"]);
  });

  test("returns the same not found (404) for a foreign and a missing document, and for the artist's invoice to the promoter", async () => {
    const { promoter, artist, visitor, booking } = await played();
    const all = await list(artist, booking.id);
    const receipt = all.find(({ kind }) => kind === "receipt")?.id ?? "";
    const invoice = all.find(({ kind }) => kind === "commission_invoice")?.id ?? "";
    const missing = await linkOf(promoter, "00000000-0000-4000-8000-000000000000");
    expect(missing.status).toBe(404);
    const strangers = [browser(app), (await person("promoter")).at, (await person("artist")).at];
    for (const reader of strangers) {
      expect(await linkOf(reader, receipt)).toEqual(missing);
      expect((await reader.json(`/api/bookings/${booking.id}/documents`)).status).toBe(404);
    }
    for (const reader of [promoter, visitor, ...strangers]) expect(await linkOf(reader, invoice)).toEqual(missing);
    expect((await linkOf(promoter, receipt)).status).toBe(200);
    expect((await linkOf(promoter, "x")).status).toBe(400);
  });
});

test("hides documents of a former owner from the profile's later owner, but not from the former owner and admins", async () => {
  const { promoter, artist, booking, act } = await played();
  const all = await list(artist, booking.id);
  const later = await person("artist");
  await app.database.db.updateTable("artists").set({ user_id: later.user.id }).where("id", "=", act.id).execute();
  expect(await kinds(later.at, booking.id)).toEqual([]);
  const missing = await linkOf(later.at, "00000000-0000-4000-8000-000000000000");
  for (const { id } of all) {
    expect(await linkOf(later.at, id)).toEqual(missing);
    expect((await linkOf(artist, id)).status).toBe(200);
  }
  const { body } = await later.at.json("/api/artist/payouts");
  expect((body as unknown as { items: { documents: unknown[] }[] }).items.flatMap((one) => one.documents)).toEqual([]);
  expect(await kinds(promoter, booking.id)).toEqual(["receipt", "receipt"]);
  const { at: admin } = await person("admin");
  expect(await kinds(admin, booking.id)).toEqual(["commission_invoice", "receipt", "receipt"]);
});

test.each([true, false])(
  "credits a document in the name of its seller and for its owner (%s), after the profile has another owner",
  async (isOwned) => {
    const { booking, act, artist, owner } = await played({ legalName: "First Owner GmbH", taxId: "DE1" }, isOwned);
    const later = await person("artist");
    await app.database.db.updateTable("artists").set({ user_id: later.user.id }).where("id", "=", act.id).execute();
    await saveSeller(act.id, { legalName: "Second Owner Ltd", taxId: "GB2" }, later.user.id);
    const receipt = (await documentsIn(app.database.db, booking.id)).find(({ kind }) => kind === "receipt");
    const { provider_payment: providerPayment } = await app.database.db
      .selectFrom("payments")
      .select("provider_payment")
      .where("id", "=", receipt?.payment_id ?? "")
      .executeTakeFirstOrThrow();
    const refund = {
      refundId: "",
      key: `dashboard ${booking.id}`,
      providerPayment: providerPayment ?? "",
      amount: 10_000,
    };
    await app.services.gateway?.createRefund(refund);
    await app.services.sandbox?.settle();
    await app.settle();
    await issueDocuments(app.services);
    const notes = (await documentsIn(app.database.db, booking.id)).filter(({ kind }) => kind === "credit_note");
    const ofReceipt = notes.find((one) => one.corrects_id === receipt?.id);
    expect(ofReceipt).toMatchObject({ details: { seller: { legalName: "First Owner GmbH", taxId: "DE1" } } });
    expect(notes).toHaveLength(2);
    for (const { artist_owner_id, id } of notes) {
      expect(artist_owner_id).toBe(isOwned ? owner.id : null);
      expect((await linkOf(artist, id)).status).toBe(isOwned ? 200 : 404);
    }
    expect(await kinds(later.at, booking.id)).toEqual([]);
  },
);

test("is part of the promoter's data, also with another email address in the booking, without the artist's invoice", async () => {
  const { promoter, booking } = await played();
  const { body } = await promoter.json("/api/me/export", {});
  const { documents = [] } = body["tables"] as { documents?: { kind: string; booking_id: string }[] };
  expect(documents.map((one) => [one.kind, one.booking_id])).toEqual([
    ["receipt", booking.id],
    ["receipt", booking.id],
  ]);
});

describe("the document file", () => {
  test("is made at the first request, stored with its SHA-256, and unchanged afterwards", async () => {
    const { promoter, booking } = await played();
    const [receipt] = await list(promoter, booking.id);
    const id = receipt?.id ?? "";
    const stored = () =>
      app.database.db.selectFrom("document_files").selectAll().where("document_id", "=", id).executeTakeFirst();
    expect(await stored()).toBeUndefined();
    const [first, second] = await Promise.all([open(promoter, id), open(promoter, id)]);
    expect(first.response.headers.get("content-type")).toBe("application/pdf");
    expect(first.response.headers.get("cache-control")).toBe("private, no-store");
    expect(first.response.headers.get("content-disposition")).toBe(`inline; filename="${receipt?.number}.pdf"`);
    expect(first.bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect(first.bytes.equals(second.bytes)).toBe(true);
    await app.database.db
      .updateTable("artists")
      .set({ name: "Another Name" })
      .where("id", "=", booking.artist_id)
      .execute();
    const later = await open(promoter, id);
    expect(later.bytes.equals(first.bytes)).toBe(true);
    expect(Buffer.from((await stored())?.sha256 ?? "").toString("hex")).toBe(
      createHash("sha256").update(first.bytes).digest("hex"),
    );
  });

  test("is served for ten minutes by a link to this document only", async () => {
    const { promoter, artist, booking } = await played();
    const [receipt] = await list(promoter, booking.id);
    const invoice = (await list(artist, booking.id)).find(({ kind }) => kind === "commission_invoice");
    const { url } = await linkOf(promoter, receipt?.id ?? "");
    expect((await app.request(url.replace(receipt?.id ?? "", invoice?.id ?? ""))).status).toBe(410);
    expect((await app.request(url.replace(/key=.*/, "key=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"))).status).toBe(410);
    expect((await app.request(url.split("?")[0] ?? "")).status).toBe(410);
    app.clock.advance(10 * minuteMs - 2_000);
    expect((await app.request(url)).status).toBe(200);
    app.clock.advance(3_000);
    expect((await app.request(url)).status).toBe(410);
  });
});

const poppler = (() => {
  try {
    execFileSync("pdftotext", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return process.env["CI"] !== undefined;
  }
})();

const textIn = (pdf: Buffer) => execFileSync("pdftotext", ["-layout", "-", "-"], { input: pdf, encoding: "utf8" });

test.runIf(poppler)("prints parties, booking, subject and amounts on a receipt and an invoice", async () => {
  const { artist, booking } = await played();
  const documents = await list(artist, booking.id);
  const textOf = async (kind: string) => {
    const found = documents.find((one) => one.kind === kind);
    const { bytes } = await open(artist, found?.id ?? "");
    const about = execFileSync("pdfinfo", ["-"], { input: bytes, encoding: "utf8" });
    expect(about).toMatch(new RegExp(`^Title: +${documentNames[kind as "receipt"]} ${found?.number}$`, "m"));
    return textIn(bytes);
  };
  const receipt = await textOf("receipt");
  for (const expected of [
    /^ *Stagedoor\n/,
    /^Paid on\s+\w+day \d+ \w+ \d{4} \([\w ]+\)$/m,
    /Receipt A-\d+-00001/,
    /Ηλεκτρικά Όνειρα/,
    /Hannah Whitt/,
    /collected by Stagedoor/,
    new RegExp(`Deposit for .*booking ${booking.number}\\s+\\$375\\.00 USD`),
    /Paid\s+\$375\.00 USD/,
    /Payment reference: pi_/,
    /Page 1 of 1/,
  ])
    expect(receipt).toMatch(expected);
  expect(receipt).not.toContain("included");
  const invoice = await textOf("commission_invoice");
  for (const expected of [
    /Commission invoice PF-\d{5}/,
    /Gross\s+\$1,500\.00/,
    /Commission\s+-\$150\.00/,
    /\$1,350\.00 USD/,
  ])
    expect(invoice).toMatch(expected);
  const stored = await findDocument(app.database.db, documents.find(({ kind }) => kind === "receipt")?.id ?? "");
  if (!stored) throw new Error("the receipt is missing");
  const inKronor = textIn((await drawDocument({ ...stored, currency: "sek" })).bytes);
  expect(inKronor).toMatch(/Paid\s+SEK 375\.00\n/);
  const taxed = await drawDocument({ ...stored, tax: 2_858, tax_label: "Sales tax", tax_bps: 825 });
  expect(textIn(taxed.bytes)).toMatch(/Sales tax 8\.25%, included\s+\$28\.58 USD/);
});
