import { expect, test } from "vitest";
import { checkChain, entryText, type EvidenceEntry, type Link, linkHash } from "./chain.ts";

const contract = "5b1f5f38-6a4c-4f1f-9a3e-0d4d4b1c2f00";
const kinds = ["sent", "opened", "code_sent", "code_verified", "consented", "signed", "opened", "consented", "signed"];

function chain(): Link[] {
  let before: Buffer = Buffer.alloc(0);
  return kinds.map((kind, index) => {
    const entry = entryText({
      contract,
      number: index + 1,
      kind: kind as EvidenceEntry["kind"],
      side: index === 0 ? null : index < 6 ? "promoter" : "artist",
      at: new Date(Date.UTC(2026, 10, 22, 12, index)).toISOString(),
      address: "203.0.113.7",
      agent: "Browser “Žofie” 1.0",
      document: "ab".repeat(32),
      details: kind === "signed" ? { name: "Žofie Нова", method: "typed", via: "link" } : {},
    });
    before = linkHash(before, entry);
    return { entry, hash: before };
  });
}

const isWhole = (links: readonly Link[]) => "entries" in checkChain(contract, links);

test("finds one flipped bit in the text or the hash of an entry, in all of 1,000 cases", () => {
  const links = chain();
  expect(isWhole(links)).toBe(true);
  let state = 20_261_122;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const unnoticed: string[] = [];
  for (let flip = 0; flip < 1_000; flip++) {
    const at = random(links.length);
    const link = links[at];
    if (!link) throw new Error("there is no such entry");
    const inHash = flip % 3 === 0;
    const bytes = Buffer.from(inHash ? link.hash : Buffer.from(link.entry, "utf8"));
    const place = random(bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << random(8));
    const changed = inHash ? { ...link, hash: bytes } : { ...link, entry: bytes.toString("utf8") };
    if (isWhole(links.with(at, changed))) unnoticed.push(`entry ${at + 1}, byte ${place}, ${inHash ? "hash" : "text"}`);
  }
  expect(unnoticed).toEqual([]);
});

test("finds an entry that was left out, moved, repeated or taken from another contract", () => {
  const links = chain();
  for (let at = 0; at < links.length - 1; at++) {
    expect(isWhole(links.toSpliced(at, 1)), `without ${at + 1}`).toBe(false);
    const [one, two] = [links[at], links[at + 1]];
    if (one && two) expect(isWhole(links.toSpliced(at, 2, two, one)), `${at + 1} moved`).toBe(false);
    if (one) expect(isWhole(links.toSpliced(at, 0, one)), `${at + 1} twice`).toBe(false);
  }
  expect("fault" in checkChain(contract.replace("5b1f", "6c2f"), links)).toBe(true);
});
