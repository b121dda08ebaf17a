import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ContractTerms } from "../rules.ts";
import { standardTemplate } from "../rules/standard-template.rules.ts";
import {
  type AgreementClause,
  type AgreementEdition,
  clauseConditions,
  fillTemplate,
  unknownVariables,
} from "../rules/template.rules.ts";
import { makeAgreement } from "./agreement.ts";
import { fontFile, hasGlyph } from "./fonts.ts";
import { loadPrintable } from "./pdf-library.ts";
import { makePdf } from "./pdf-page.ts";
import { type AgreementContext, agreementValues } from "./variables.ts";

const terms: ContractTerms = {
  artist: { id: "a", name: "Ηλεκτρικά Όνειρα" },
  promoter: { name: "Žofie Нова", email: "zofie@example.test", phone: "+420 1" },
  event: {
    date: "2027-02-13",
    time: "20:30",
    timeZone: "America/Chicago",
    durationMinutes: 270,
    type: "Concert",
    guestCount: 180,
    venueName: "The Waterworks",
    venueAddress: "210 Barton Springs Rd, Austin",
    specialRequests: "A quiet corner {{fee}}",
  },
  money: {
    feeCents: 150_000,
    depositCents: 37_500,
    balanceCents: 112_500,
    depositPercent: 25,
    commissionBps: 1_000,
    currency: "usd",
  },
  policy: {},
};
const context: AgreementContext = {
  number: "SD-7KQ4MN",
  cancellationTerms: ["The promoter cancels 29 days before the event or earlier: the artist keeps $375.00."],
  policyName: "standard",
  balanceDueDays: 28,
  isBalancePayable: true,
  edition: 9,
};
const draw = (given: ContractTerms = terms) =>
  makeAgreement({ template: standardTemplate, terms: given, termsHash: "ab".repeat(32), context });
const make = async (given: ContractTerms = terms) => (await draw(given)).document;
const textOf = (given: ContractTerms = terms) => {
  const { title, sections } = fillTemplate(standardTemplate, agreementValues(given, context, null));
  const parts = sections.map(({ heading, clauses }, index) =>
    [`${index + 1}. ${heading}`, ...clauses.flatMap(wordsOf)].join(" "),
  );
  return [title, ...parts].join(" ");
};
const wordsOf = (clause: AgreementClause): string[] =>
  typeof clause === "string" ? [clause] : clause.flatMap(({ label, amount }) => [label, amount]);

/** Debian's poppler-utils, an independent PDF reader. CI installs it. Without it the test is skipped by name. */
const poppler = (() => {
  try {
    execFileSync("pdftotext", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return process.env["CI"] !== undefined;
  }
})();

test("states parties, date, venue and amounts", () => {
  const text = textOf();
  for (const expected of [
    "Ηλεκτρικά Όνειρα",
    "Žofie Нова",
    "Saturday 13 February 2027",
    "20:30 to 01:00 the next day",
    "America/Chicago, UTC-06:00",
    "4 hours 30 minutes",
    "210 Barton Springs Rd, Austin",
    "$1,500.00 (USD)",
    "$375.00 (USD)",
    "$1,125.00 (USD)",
    "Saturday 16 January 2027",
    "the artist keeps $375.00",
    "Force majeure",
    "Taxes",
    "the law of the place where the venue is located",
    "SD-7KQ4MN",
  ])
    expect(text).toContain(expected);
});

test("names both offsets if the clocks change during the show, but not in earlier editions", () => {
  const event = { ...terms.event, date: "2027-03-27", time: "23:30", timeZone: "Europe/Berlin", durationMinutes: 150 };
  const night = { ...terms, event };
  expect(textOf(night)).toContain(
    "from 23:30 to 03:00 the next day, local time at the venue (Europe/Berlin, UTC+01:00 at the start and UTC+02:00 at the end, because the clocks change in between).",
  );
  const former = agreementValues(night, { ...context, edition: 5 }, null);
  expect(former.variables.time_zone).toBe("Europe/Berlin, UTC+01:00");
});

test("names both parties with their known details", () => {
  const named = textOf({
    ...terms,
    artist: {
      id: "a",
      name: "Electric Dreams",
      legalName: "Ada Long",
      address: "1 Main St\nAustin",
      email: "ada@x.test",
    },
    promoter: { ...terms.promoter, organization: "Halle 7 GmbH" },
  });
  expect(named).toContain("The artist is Ada Long, performing as Electric Dreams, 1 Main St, Austin (ada@x.test).");
  expect(named).toContain("The promoter is Halle 7 GmbH, represented by Žofie Нова (zofie@example.test, +420 1).");
  expect(textOf()).toContain("The artist is Ηλεκτρικά Όνειρα. This agreement");
});

test.each(["\r\n", "\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"])(
  "marks each paragraph of the special requests, and writes an address on one line: %j",
  (end) => {
    const specialRequests = `A quiet corner${end}12. Cancellation${end}The artist pays everything.`;
    const artist = { ...terms.artist, address: `1 Main St${end}12. Cancellation` };
    const text = textOf({ ...terms, artist, event: { ...terms.event, specialRequests } });
    expect(text).toContain("> A quiet corner\n> 12. Cancellation\n> The artist pays everything.");
    expect(text).toContain("1 Main St, 12. Cancellation.");
  },
);

test.skipIf(!poppler)("never aligns a wrapped line of the special requests with clauses", async () => {
  const specialRequests = `${"filler ".repeat(13)}12.1 The fee is waived. ${"filler ".repeat(30)}`;
  const { bytes } = await make({ ...terms, event: { ...terms.event, specialRequests } });
  const read = execFileSync("pdftotext", ["-layout", "-", "-"], { input: bytes, encoding: "utf8" }).split("\n");
  const clause = read.find((line) => line.includes("The following special requests"));
  const textStart = (clause ?? "").indexOf("The following");
  const wrapped = read.filter((line) => line.includes("filler") && !line.includes(">"));
  expect(wrapped.length).toBeGreaterThan(1);
  for (const line of wrapped) expect(line.search(/\S/)).toBeGreaterThan(textStart);
});

test.skipIf(!poppler)("writes three scripts, page numbers and the fingerprint of the terms on each page", async () => {
  const { bytes, pages } = await make();
  expect(pages).toBeGreaterThan(1);
  const read = execFileSync("pdftotext", ["-layout", "-", "-"], { input: bytes, encoding: "utf8" }).split("\f");
  expect(read.filter((page) => page.trim()).length).toBe(pages);
  for (const [index, page] of read.slice(0, pages).entries()) {
    expect(page).toContain("ab".repeat(32));
    expect(page).toContain(`Page ${index + 1} of ${pages}`);
  }
  for (const name of ["Ηλεκτρικά Όνειρα", "Žofie Нова", "Performance agreement"]) expect(read.join("")).toContain(name);
});

const wordy = "The dressing room needs a mirror, a table and six chairs, fi ffl. ".repeat(40);

test.skipIf(!poppler).each([
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
    { page: text.pages, text: text.signatures.join(" ") },
  ];
  expect(read.flat()).toEqual(parts.flatMap((part) => words(part.text)));
  const wordsUpTo = read.map((_page, at) => read.slice(0, at).flat().length);
  let before = 0;
  for (const { page, text: part } of parts.slice(0, -1)) {
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

test("retains the bytes of an earlier edition, because the mark in the margin changes no text", async () => {
  const agreement = (edition: AgreementEdition) =>
    makeAgreement({ template: standardTemplate, terms, termsHash: "ab".repeat(32), context: { ...context, edition } });
  const [current, paid, marked, bare] = await Promise.all([agreement(4), agreement(3), agreement(2), agreement(1)]);
  expect(new Set([current, paid, marked, bare].map(({ document }) => document.sha256.toString("hex"))).size).toBe(4);
  expect(marked.text).toEqual(bare.text);
  expect(JSON.stringify(marked.text)).toContain("Deposit, 25 % of the fee, paid");
  expect(JSON.stringify(paid.text)).toContain("Deposit, 25% of the fee, paid");
  expect(JSON.stringify(current.text)).toContain("Deposit, 25% of the fee, due at booking");
});

const small: ContractTerms = { ...terms, money: { ...terms.money, balanceCents: 30, feeCents: 37_530 } };

test("states a balance that no card can pay without its due day and consequences, but not in earlier editions", async () => {
  const drawn = (edition: AgreementEdition) =>
    makeAgreement({
      template: standardTemplate,
      terms: small,
      termsHash: "ab".repeat(32),
      context: { ...context, edition, isBalancePayable: false },
    });
  const text = JSON.stringify((await drawn(9)).text);
  expect(text).toContain('{"label":"Balance, paid directly to the artist","amount":"$0.30 (USD)"');
  for (const words of ["The balance is due", "Balance, due on", "a balance that is not paid"])
    expect(text).not.toContain(words);
  const { document } = await drawn(8);
  expect(document.sha256.toString("hex")).toBe("b8e763df8fc3fa481d8af0467501de0ab1aa83369f4630f3f10d7e9982ccc298");
});

test.each([
  [
    "The balance of {{balance}} is paid in cash on the night.",
    ["The balance of $0.30 (USD) is paid in cash on the night."],
  ],
  [
    "{{amounts}}",
    [
      "Deposit, 25% of the fee, due at booking",
      "$375.00 (USD)",
      "Balance, paid directly to the artist",
      "$0.30 (USD)",
      "Fee",
      "$375.30 (USD)",
    ],
  ],
])("states a balance that no card can pay also if a template has it only in %j with a balance", (clause, stated) => {
  const sections = [{ heading: "The fee", clauses: [{ text: clause, when: "has_balance" as const }] }];
  const values = agreementValues(small, { ...context, isBalancePayable: false }, null);
  const filled = fillTemplate({ ...standardTemplate, sections }, values);
  expect(filled.sections.flatMap(({ clauses }) => clauses.flatMap(wordsOf))).toEqual(stated);
});

test.each([
  ["The Waterworks", "210 Barton Springs Rd, Austin", "The Waterworks, 210 Barton Springs Rd, Austin"],
  ["The Waterworks, Austin", "The Waterworks, Austin", "The Waterworks, Austin"],
  ["The Waterworks", "the waterworks, 210 Barton Springs Rd", "the waterworks, 210 Barton Springs Rd"],
  ["The Waterworks, Austin", "Austin", "The Waterworks, Austin"],
  ["The Waterworks", "", "The Waterworks"],
])("names the venue %j with the address %j once", (venueName, venueAddress, printed) => {
  expect(textOf({ ...terms, event: { ...terms.event, venueName, venueAddress } })).toContain(
    `The venue is ${printed}.`,
  );
});

test("returns the same bytes with a shared typeface as with its file, regardless of earlier documents", async () => {
  const files = { regular: fontFile("regular"), bold: fontFile("bold") };
  const write = (text: string, fonts?: typeof files) =>
    makePdf(
      { title: "Fonts", foot: ["AVA To. fi"] },
      (page) => {
        page.title(text);
        page.paragraph(`${text} `.repeat(40), { indent: 30, label: "1.1" });
      },
      fonts,
    );
  for (const text of ["AVA To. fi ffl", "Ελλάδα, Άρης", "Нова Љубав ѝ", "Žofie e\u0301 Ǆ", "AVA To. fi ffl"]) {
    const [shared, own] = await Promise.all([write(text), write(text, files)]);
    expect(shared.bytes.equals(own.bytes), text).toBe(true);
  }
});

test("prints user input unchanged and never reads it as a template", () => {
  expect(textOf()).toContain("A quiet corner {{fee}}");
});

test("leaves out a section without its value and renumbers the rest", () => {
  const text = textOf({ ...terms, event: { ...terms.event, specialRequests: null } });
  expect(text).not.toContain("Special requests");
  expect(text).toContain("4. Cancellation");
});

test("finds an unknown variable in a template, and refuses to fill it", () => {
  expect(unknownVariables("{{fee}} {{ secret.key }} {{constructor}} {{cancellation_terms}}")).toEqual([
    "secret.key",
    "constructor",
  ]);
  const sections = [{ heading: "x", clauses: [{ text: "{{constructor}}" }] }];
  expect(() =>
    fillTemplate(
      { id: "x", version: 1, title: "x", sections, firstSigner: null },
      { variables: {} as never, conditions: new Set(clauseConditions), cancellationTerms: [] },
    ),
  ).toThrow('unknown variable "constructor"');
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

test.skipIf(!poppler)("prints symbols that the typeface lacks as signs or words, as the page has them", async () => {
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
});

test("retains the characters of an earlier edition", async () => {
  const former = {
    template: standardTemplate,
    terms: unusual,
    termsHash: "",
    context: { ...context, edition: 7 as const },
  };
  expect(JSON.stringify((await makeAgreement(former)).text)).toContain("Limit ≤ 95 dB, ≥ ２００ chairs");
});

test("writes any text in characters that both typefaces have, and drops only invisible and silent ones", async () => {
  const printable = await loadPrintable();
  expect(["كاظم الساهر", "\ufe8d\ufefb", "محمـد\u110b", "\u{20002}"].map((name) => printable(name))).toEqual([
    "kadhm alsahr",
    "ala",
    "mhmd",
    "[U+20002]",
  ]);
  expect(printable("山田\u0007 🎸\tNoël\u202e \u{e000}\u0301")).toBe("ShanTian [guitar] Noël [U+E000]\u0301");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const written = printable(text);
      const missing = Array.from(written.replaceAll("\n", "")).filter(
        (character) => !hasGlyph("regular", character) || !hasGlyph("bold", character),
      );
      expect(missing, text).toEqual([]);
      expect(printable(written)).toBe(written);
    }),
  );
});
