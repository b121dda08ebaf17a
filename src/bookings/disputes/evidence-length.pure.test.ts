import fc from "fast-check";
import { expect, test } from "vitest";
import { fitEvidence, isShortened, maxEvidencePages, textPagesOf } from "./evidence-length.rules.ts";

const text = (lines: number, length = 70) =>
  Array.from({ length: lines }, (_, at) => `${at} `.padEnd(length, "x")).join("\n");
const small = { product_description: text(1), service_date: "2027-02-13", customer_name: "Ada" };
const evidence = (log: string, other: string) => ({ ...small, access_activity_log: log, uncategorized_text: other });

test("keeps evidence that fits", () => {
  const given = evidence(text(80), text(80));
  expect(fitEvidence(given, 4)).toEqual(given);
});

test("shortens a list to whole lines, and states how many are missing", () => {
  const { access_activity_log: log, uncategorized_text: other } = fitEvidence(evidence(text(900), text(20)), 5);
  const lines = log.split("\n");
  expect(other).toBe(text(20));
  expect(lines.slice(0, -1).join("\n")).toBe(text(lines.length - 1));
  expect(lines.at(-1)).toBe(
    `(${900 - lines.length + 1} more lines are left out, because card networks limit the pages.)`,
  );
});

test("never has more pages than the smallest limit of a card network, or texts above the provider's limit", () => {
  const length = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 5_000 }));
  const anyText = fc
    .array(length, { maxLength: 900, size: "max" })
    .map((lengths) => lengths.map((one, at) => `${at} words of a line`.repeat(one / 10 + 1).slice(0, one)).join("\n"));
  fc.assert(
    fc.property(anyText, anyText, anyText, fc.integer({ min: 0, max: 15 }), (log, list, words, contract) => {
      const note = words.slice(0, 5_000);
      const given = evidence(log, [note, list].filter(Boolean).join("\n\n"));
      const fitted = fitEvidence(given, contract, note);
      expect(textPagesOf(fitted) + contract).toBeLessThanOrEqual(maxEvidencePages);
      for (const [name, all] of Object.entries(given)) {
        const sent = fitted[name as keyof typeof fitted];
        expect(sent.length).toBeLessThanOrEqual(20_000);
        expect(isShortened(sent)).toBe(sent !== all);
        if (sent !== all) expect(all.startsWith(sent.slice(0, Math.max(0, sent.lastIndexOf("\n"))))).toBe(true);
      }
    }),
  );
});

test("leaves some pages of text beside a contract that is too long", () => {
  const fitted = fitEvidence(evidence(text(900), text(900)), 40);
  expect(textPagesOf(fitted)).toBe(4);
  expect(fitted.uncategorized_text.split("\n").length).toBeGreaterThan(40);
});

const words = "The artist played for two hours. ".repeat(152).trim().slice(0, 5_000);

test("retains the admin's own note as a whole beside a long contract and a long list of steps", () => {
  const { uncategorized_text: other } = fitEvidence(evidence(text(900), `${words}\n\n${text(20)}`), 15, words);
  expect(other.startsWith(`${words}\n`)).toBe(true);
});

test("cuts a note that is too long between words, and states it", () => {
  const long = { ...evidence(text(900), `${words}\n\n${text(20)}`), cancellation_policy_disclosure: text(50) };
  const [start = "", end, ...rest] = fitEvidence(long, 40, words).uncategorized_text.split("\n");
  expect(words.startsWith(`${start} `)).toBe(true);
  expect(start.length).toBeGreaterThan(words.length / 2);
  expect(end).toBe(
    "(The rest of the line above and 21 more lines are left out, because card networks limit the pages.)",
  );
  expect(rest).toEqual([]);
});
