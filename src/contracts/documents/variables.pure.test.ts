import { expect, test } from "vitest";
import { agreementContext as context, agreementTerms as terms, wordsOf } from "#test/factories/agreements.ts";
import type { ContractTerms } from "../rules.ts";
import { standardTemplate } from "../rules/standard-template.rules.ts";
import { clauseConditions, fillTemplate, unknownVariables } from "../rules/template.rules.ts";
import { agreementValues } from "./variables.ts";

const textOf = (given: ContractTerms = terms) => {
  const { title, sections } = fillTemplate(standardTemplate, agreementValues(given, context, null));
  const parts = sections.map(({ heading, clauses }, index) =>
    [`${index + 1}. ${heading}`, ...clauses.flatMap(wordsOf)].join(" "),
  );
  return [title, ...parts].join(" ");
};

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

test("names both offsets if the clocks change during the show", () => {
  const event = { ...terms.event, date: "2027-03-27", time: "23:30", timeZone: "Europe/Berlin", durationMinutes: 150 };
  const night = { ...terms, event };
  expect(textOf(night)).toContain(
    "from 23:30 to 03:00 the next day, local time at the venue (Europe/Berlin, UTC+01:00 at the start and UTC+02:00 at the end, because the clocks change in between).",
  );
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
  const small = { ...terms, money: { ...terms.money, balanceCents: 30, feeCents: 37_530 } };
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
