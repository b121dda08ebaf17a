import { X509Certificate } from "node:crypto";
import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { openServices } from "#app/services.ts";
import { readConfig, requireCurrentSeal } from "#platform/config.ts";
import { sealFaultOf } from "#platform/seal-files.ts";
import { movableClock } from "#platform/time/clock.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { popplerIsHere, runPoppler } from "#test/harness/poppler.ts";
import { testPlatform } from "#test/platform.ts";
import { sha256Of } from "../documents/hash.ts";
import { openPdf } from "../documents/pdf-library.ts";
import { makePdf } from "../documents/pdf-page.ts";
import { type EvidenceEntry, entryText, type Link, linkHash } from "../evidence/chain.ts";
import { reencryptContracts, requireSeal } from "./certificate.ts";
import { type SealedContract, sealCopy } from "./sealing.ts";
import { verifySealedCopy } from "./verification.ts";

const platform = closeAfterFile(await testPlatform());
const contractId = crypto.randomUUID();
const at = new Date("2026-11-22T12:00:00Z");
const agent =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

function chainOf(entries: readonly Pick<EvidenceEntry, "kind" | "side" | "document" | "details">[]): Link[] {
  let before = Buffer.alloc(0);
  return entries.map((given, index) => {
    const text = entryText({
      contract: contractId,
      number: index + 1,
      at: at.toISOString(),
      address: "203.0.113.7",
      agent,
      ...given,
    });
    before = Buffer.from(linkHash(before, text));
    return { entry: text, hash: before };
  });
}

const signatures: Readonly<Record<"promoter" | "artist", EvidenceEntry["details"]>> = {
  promoter: { name: "Žofie Нова", method: "typed", via: "link" },
  artist: { name: "Ada Long", method: "drawn", via: "session", drawing: "M1,1L500,150L20,190" },
};

function contractWith(signedHash: string, sides: readonly ("promoter" | "artist")[]): SealedContract {
  const links = chainOf([
    { kind: "sent", side: null, document: signedHash, details: {} },
    ...sides.map((side) => ({
      kind: "signed" as const,
      side,
      document: signedHash,
      details: signatures[side],
    })),
  ]);
  return {
    contractId,
    number: "SD-7KQ4MN",
    termsHash: "ab".repeat(32),
    agreement,
    links,
    entries: links.map(({ entry }) => JSON.parse(entry) as EvidenceEntry),
    parties: { promoter: { name: "Žofie Нова", organization: "Halle 7 GmbH" }, artist: { name: "Electric Dreams" } },
    timeZone: "America/Chicago",
  };
}

const made = await makePdf({ title: "Agreement", foot: ["foot"] }, (page) => {
  page.title("Agreement");
  for (let line = 0; line < 300; line++) page.paragraph(`${line}. The artist performs.`);
});
const agreement = made.bytes;
const copy = (
  await sealCopy(
    contractWith(made.sha256.toString("hex"), ["promoter", "artist"]),
    await requireSeal(platform.services),
    at,
  )
).bytes;

test("verifies an unchanged copy, and reports its content", async () => {
  const { valid, lines } = await verifySealedCopy(copy);
  expect(valid, lines.join("\n")).toBe(true);
  const words = lines.join("\n");
  for (const expected of ["covers the whole file", "intact", "chain of 3 entries", "promoter signed", "artist signed"])
    expect(words).toContain(expected);
});

const drawnIn = (file: Buffer): string =>
  [...file.toString("latin1").matchAll(/\/FlateDecode[^>]*>>\s*stream\r?\n([\s\S]*?)\nendstream/g)]
    .map(([, bytes = ""]) => inflateSync(Buffer.from(bytes, "latin1")).toString("latin1"))
    .join("\n");

test.skipIf(!popplerIsHere)(
  "shows both signatures in the signed copy, and describes them in its certificate",
  async () => {
    const before = (await openPdf(agreement)).getPageCount();
    const read = (pages: readonly string[]) =>
      runPoppler("pdftotext", copy, { before: ["-layout", ...pages], after: ["-"] }).replaceAll(/\s+/g, " ");
    const signaturePage = read(["-f", `${before + 1}`, "-l", `${before + 1}`]);
    // The name above the line is in the script face, the one below it is printed.
    expect(signaturePage.match(/Žofie Нова/g)?.length).toBe(3);
    // The agreement has its own pages; the certificate continues their numbers.
    expect(signaturePage).toMatch(new RegExp(`Page ${before + 1} of \\d+`));
    for (const expected of [
      "Ada Long",
      "Promoter: Halle 7 GmbH",
      "Artist: Electric Dreams",
      "Sunday 22 November 2026",
      "06:00:00 (US Central, UTC-06:00)",
      "Signed electronically by typing the name",
      "Signed electronically by drawing",
    ])
      expect(signaturePage).toContain(expected);
    expect(drawnIn(copy).replaceAll(/\s+/g, " ")).toContain("1 1 m 500 150 l 20 190 l");
    expect(copy.toString("latin1")).toMatch(/\/BaseFont\s*\/[A-Z]{6}\+MrDeHaviland/);

    const certificate = read(["-f", `${before + 2}`]);
    for (const expected of [
      "Signed as “Žofie Нова”, by typing the name",
      "Signed as “Ada Long”, by typing the name and drawing the signature",
      "Sunday 22 November 2026, 06:00:00 (US Central, UTC-06:00)",
      "The one-use link that was sent to the mailbox of this party",
      "203.0.113.7",
      "Chrome on Windows",
      "Sun 22 Nov 2026, 06:00:00 The promoter signed",
      "2026-11-22 12:00:00.000 UTC",
      sha256Of(agreement).toString("hex"),
    ])
      expect(certificate).toContain(expected);
    expect(certificate).not.toContain("Mozilla");
    const { links } = contractWith(sha256Of(agreement).toString("hex"), ["promoter", "artist"]);
    for (const { hash } of links) expect(certificate).toContain(hash.toString("hex"));
  },
);

test("finds 1,000 single changed bytes at any position, and added or cut off bytes", async () => {
  const flips = 1_000;
  // Half of them spread over the file, half within the signature itself, where a change is hardest to notice.
  const [from, to] = sealRange(copy);
  const spread = (index: number) => Math.floor((index * copy.length) / (flips / 2)) + (index % 7);
  const inside = (index: number) => from + Math.floor((index * (to - from)) / (flips / 2));
  const unnoticed: string[] = [];
  for (let index = 0; index < flips; index++) {
    const place = Math.min(index % 2 === 0 ? spread(index / 2) : inside((index - 1) / 2), copy.length - 1);
    const bit = 1 << (index % 8);
    const changed = Buffer.from(copy);
    changed[place] = (changed[place] ?? 0) ^ bit;
    if ((await verifySealedCopy(changed)).valid) unnoticed.push(`byte ${place}, bit ${bit}`);
  }
  expect(unnoticed).toEqual([]);
  expect((await verifySealedCopy(Buffer.concat([copy, Buffer.from("\n% more")]))).valid).toBe(false);
  expect((await verifySealedCopy(copy.subarray(0, copy.length - 40))).valid).toBe(false);
  expect((await verifySealedCopy(agreement)).lines).toEqual(["The file has no seal.", "NOT VALID."]);
});

function sealRange(file: Buffer): [number, number] {
  const [, , length = 0, next = 0] = (
    /\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)/.exec(file.toString("latin1")) ?? []
  ).map(Number);
  return [length, next];
}

test("rejects evidence that lacks a signature, or names another document", async () => {
  const seal = await requireSeal(platform.services);
  const hash = sha256Of(agreement).toString("hex");
  const half = await sealCopy(contractWith(hash, ["promoter"]), seal, at);
  expect((await verifySealedCopy(half.bytes)).lines).toContain("There is no signature of the artist.");
  const other = await sealCopy(contractWith("0".repeat(64), ["promoter", "artist"]), seal, at);
  expect((await verifySealedCopy(other.bytes)).valid).toBe(false);
});

test("makes the certificate once, and retains it through a change of the root key", async () => {
  const seals = await Promise.all([requireSeal(platform.services), requireSeal(platform.services)]);
  expect(new Set(seals.map(({ fingerprint }) => fingerprint)).size).toBe(1);
  const rows = () => platform.database.db.selectFrom("contract_seals").selectAll().execute();
  const [before] = await rows();
  await platform.database.transaction((tx) => reencryptContracts(tx, platform.services.keys));
  const [after, ...more] = await rows();
  expect(more).toEqual([]);
  expect(after?.private_key).not.toBe(before?.private_key);
  expect((await requireSeal(platform.services)).fingerprint).toBe(seals[0]?.fingerprint);
  expect((await verifySealedCopy(copy)).valid).toBe(true);
});

test("replaces the made certificate by a configured one, and still verifies earlier copies", async () => {
  await using elsewhere = await testPlatform();
  const own = await requireSeal(elsewhere.services);
  const row = await elsewhere.database.db.selectFrom("contract_seals").selectAll().executeTakeFirstOrThrow();
  const privateKey = elsewhere.services.keys.decrypt("contract seal", row.private_key);
  const pem = (label: string, base64: string) => `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
  const given = {
    SEAL_CERTIFICATE: pem("CERTIFICATE", Buffer.from(row.certificate).toString("base64")),
    SEAL_PRIVATE_KEY: Buffer.from(pem("PRIVATE KEY", privateKey)).toString("base64"),
  };
  const { seal } = readConfig(given);
  const before = await requireSeal(platform.services);
  const services = { ...platform.services, config: { ...platform.services.config, seal } };
  const seals = await Promise.all([requireSeal(services), requireSeal(services)]);
  expect(new Set(seals.map(({ fingerprint }) => fingerprint))).toEqual(new Set([own.fingerprint]));
  expect(before.fingerprint).not.toBe(own.fingerprint);
  const rows = await platform.database.db.selectFrom("contract_seals").selectAll().execute();
  expect([rows.length, rows.filter(({ retired_at: at }) => at === null).length]).toEqual([2, 1]);
  const hash = sha256Of(agreement).toString("hex");
  const fresh = await sealCopy(contractWith(hash, ["promoter", "artist"]), await requireSeal(services), at);
  const { valid, lines } = await verifySealedCopy(fresh.bytes);
  expect([valid, lines.some((line) => line.includes(own.fingerprint))], lines.join("\n")).toEqual([true, true]);
  expect((await verifySealedCopy(copy)).valid).toBe(true);
  // Without the configuration the installation continues with its stored certificate.
  expect((await requireSeal(platform.services)).fingerprint).toBe(own.fingerprint);
  for (const wrong of [{ ...given, SEAL_PRIVATE_KEY: "x" }, { SEAL_CERTIFICATE: given.SEAL_CERTIFICATE }])
    expect(() => readConfig(wrong)).toThrow(/SEAL_CERTIFICATE/);
});

test("ends the start with a message for an expired or future certificate, and warns the operator of a near expiry", async () => {
  await using elsewhere = await testPlatform();
  await requireSeal(elsewhere.services);
  const { certificate } = await elsewhere.database.db
    .selectFrom("contract_seals")
    .select("certificate")
    .executeTakeFirstOrThrow();
  const { validFromDate: from, validToDate: to } = new X509Certificate(certificate);
  // A certificate made here is valid for thirty years, and is replaced after its expiry.
  expect(to.getUTCFullYear() - from.getUTCFullYear()).toBe(30);
  const seal = { certificate: Buffer.from(certificate), privateKey: Buffer.alloc(0) };
  const [early, late] = [new Date(from.getTime() - dayMs), new Date(to.getTime() + dayMs)];
  const dayOf = (at: Date) => at.toISOString().slice(0, 10);
  requireCurrentSeal({ seal: undefined }, late);
  requireCurrentSeal({ seal }, new Date(to.getTime() - dayMs));
  expect(() => requireCurrentSeal({ seal }, late)).toThrow(`SEAL_CERTIFICATE expired on ${dayOf(to)}.`);
  expect(() => requireCurrentSeal({ seal }, early)).toThrow(`SEAL_CERTIFICATE is not valid before ${dayOf(from)}.`);
  const fault = (at: Date) => sealFaultOf(seal, at);
  expect(fault(new Date(to.getTime() - 31 * dayMs))).toBeNull();
  expect(fault(new Date(to.getTime() - 29 * dayMs))).toBe(`it ends on ${dayOf(to)}`);
  expect(fault(late)).toBe(`it ended on ${dayOf(to)}`);
  const first = (await requireSeal(elsewhere.services)).fingerprint;
  elsewhere.clock.advance(31 * 366 * dayMs);
  expect((await requireSeal(elsewhere.services)).fingerprint).not.toBe(first);
  const config = { ...readConfig({ DATA_DIR: "unused", LOG_LEVEL: "silent" }), seal };
  // A process that was started before the expiry stops signing, too.
  const given = { ...elsewhere.services, config: { seal } };
  await expect(requireSeal(given)).rejects.toThrow(`SEAL_CERTIFICATE expired on ${dayOf(to)}.`);
  await expect(openServices(config, { clock: movableClock(late) })).rejects.toThrow("SEAL_CERTIFICATE expired on");
});

test.skipIf(!popplerIsHere)("passes the independent check of pdfsig, for the whole file", () => {
  const report = runPoppler("pdfsig", copy, { before: ["-nocert"] });
  expect(report).toContain("Signature Validation: Signature is Valid.");
  expect(report).toContain("Total document signed");
  expect(report).toContain("ETSI.CAdES.detached");
});
