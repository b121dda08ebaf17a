import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { agreementContext as context, agreementTerms as terms, wordsOf } from "#test/factories/agreements.ts";
import { popplerIsHere } from "#test/harness/poppler.ts";
import type { ContractTerms } from "../rules.ts";
import { standardTemplate } from "../rules/standard-template.rules.ts";
import type { AgreementClause } from "../rules/template.rules.ts";
import { makeAgreement } from "./agreement.ts";

const draw = (given: ContractTerms = terms) =>
  makeAgreement({ template: standardTemplate, terms: given, termsHash: "ab".repeat(32), context });
const make = async (given: ContractTerms = terms) => (await draw(given)).document;

test.skipIf(!popplerIsHere)("never aligns a wrapped line of the special requests with clauses", async () => {
  const specialRequests = `${"filler ".repeat(13)}12.1 The fee is waived. ${"filler ".repeat(30)}`;
  const { bytes } = await make({ ...terms, event: { ...terms.event, specialRequests } });
  const read = execFileSync("pdftotext", ["-layout", "-", "-"], { input: bytes, encoding: "utf8" }).split("\n");
  const clause = read.find((line) => line.includes("The following special requests"));
  const textStart = (clause ?? "").indexOf("The following");
  const wrapped = read.filter((line) => line.includes("filler") && !line.includes(">"));
  expect(wrapped.length).toBeGreaterThan(1);
  for (const line of wrapped) expect(line.search(/\S/)).toBeGreaterThan(textStart);
});

test.skipIf(!popplerIsHere)(
  "writes three scripts, page numbers and the fingerprint of the terms on each page",
  async () => {
    const { bytes, pages } = await make();
    expect(pages).toBeGreaterThan(1);
    const read = execFileSync("pdftotext", ["-layout", "-", "-"], { input: bytes, encoding: "utf8" }).split("\f");
    expect(read.filter((page) => page.trim()).length).toBe(pages);
    for (const [index, page] of read.slice(0, pages).entries()) {
      expect(page).toContain("ab".repeat(32));
      expect(page).toContain(`Page ${index + 1} of ${pages}`);
    }
    for (const name of ["Ηλεκτρικά Όνειρα", "Žofie Нова", "Performance agreement"])
      expect(read.join("")).toContain(name);
  },
);

const wordy = "The dressing room needs a mirror, a table and six chairs, fi ffl. ".repeat(40);

test.skipIf(!popplerIsHere).each([
  ["a usual agreement", terms],
  ["one whose clauses run over a page", { ...terms, event: { ...terms.event, specialRequests: `${wordy}\n${wordy}` } }],
  ["one without a balance", { ...terms, money: { ...terms.money, depositCents: 150_000, balanceCents: 0 } }],
  [
    "one with letters that the typeface lacks",
    { ...terms, promoter: { ...terms.promoter, name: "山田 🎸 Noël", organization: "한국 Ltd\u202e" } },
  ],
])("returns the text of %s as pdftotext reads it, with the page on which each part begins", async (_, given) => {
  const { document, text } = await draw(given);
  const words = (part: string) => part.split(/\s+/).filter(Boolean);
  const read = execFileSync("pdftotext", ["-raw", "-", "-"], { input: document.bytes, encoding: "utf8" })
    .split("\f")
    .slice(0, document.pages)
    .map((page) =>
      words(page.replace(/^Stagedoor\n/, "").replace(/\n.*, booking SD-7KQ4MN\nFingerprint of the terms [^\f]*$/, "")),
    );
  const parts = [
    { page: 1, text: `${text.title} ${text.parties}` },
    ...text.sections.flatMap(({ number, heading, page, clauses }) => [
      { page, text: `${number}. ${heading}` },
      ...clauses.map((clause) => ({ page: clause.page, text: printedClause(clause) })),
    ]),
  ];
  expect(read.flat()).toEqual(parts.flatMap((part) => words(part.text)));
  const wordsUpTo = read.map((_page, at) => read.slice(0, at).flat().length);
  let before = 0;
  for (const { page, text: part } of parts) {
    const begins = wordsUpTo.findLastIndex((first) => first <= before) + 1;
    expect({ part, page }).toEqual({ part, page: begins });
    before += words(part).length;
  }
});

function printedClause({ number, content }: { number: string; content: AgreementClause }): string {
  if (typeof content === "string" && content.startsWith("> "))
    return content
      .split("\n")
      .map((paragraph) => `${number} ${paragraph}`)
      .join(" ");
  return [number, ...wordsOf(content)].join(" ");
}

test("returns the same bytes for the same terms, and others for other terms", async () => {
  const [one, two, other] = await Promise.all([
    make(),
    make(),
    make({ ...terms, money: { ...terms.money, feeCents: 150_001 } }),
  ]);
  expect(one.sha256.equals(two.sha256)).toBe(true);
  expect(one.sha256.equals(other.sha256)).toBe(false);
});

const small: ContractTerms = { ...terms, money: { ...terms.money, balanceCents: 30, feeCents: 37_530 } };

test("states a balance that no card can pay without its due day and consequences", async () => {
  const drawn = await makeAgreement({
    template: standardTemplate,
    terms: small,
    termsHash: "ab".repeat(32),
    context: { ...context, isBalancePayable: false },
  });
  const text = JSON.stringify(drawn.text);
  expect(text).toContain('{"label":"Balance, paid directly to the artist","amount":"$0.30 (USD)"');
  for (const words of ["The balance is due", "Balance, due on", "a balance that is not paid"])
    expect(text).not.toContain(words);
});

const unusual: ContractTerms = {
  ...terms,
  promoter: { ...terms.promoter, name: "𝐉𝐨𝐫𝐝𝐚𝐧 山田" },
  event: {
    ...terms.event,
    venueAddress: "２号 Hall、Austin",
    specialRequests:
      "Limit ≤ 95 dB, ≥ ２００ chairs, not ≠ 3. Nut allergy: no 🥜. Stage → left, E♭.\n🎉\n© ® ™ ½ ① Ⅷ 1️⃣ 👩🏽‍🎤",
  },
};

test.skipIf(!popplerIsHere)(
  "prints symbols that the typeface lacks as signs or words, as the page has them",
  async () => {
    const { document, text } = await draw(unusual);
    const printed = execFileSync("pdftotext", ["-layout", "-", "-"], { input: document.bytes, encoding: "utf8" });
    for (const expected of [
      "Jordan ShanTian",
      "2Hao Hall,Austin",
      "Limit <= 95 dB, >= 200 chairs, not != 3. Nut allergy: no [peanuts]. Stage -> left, Eb.",
      "[tada]",
      "© ® ™ ½ (1) VIII 1 [woman][microphone]",
    ]) {
      expect(JSON.stringify(text)).toContain(expected);
      expect(printed.replaceAll(/\s+/g, " ")).toContain(expected);
    }
  },
);
