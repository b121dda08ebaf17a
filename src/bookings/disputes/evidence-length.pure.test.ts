import fc from "fast-check";
import { expect, test } from "vitest";
import { fitEvidence, maxEvidencePages, textPagesOf } from "./evidence-length.rules.ts";

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
  const anyText = fc
    .array(fc.string({ maxLength: 300 }), { maxLength: 900 })
    .map((lines) => lines.join("\n").replaceAll("\r", ""));
  fc.assert(
    fc.property(anyText, anyText, fc.integer({ min: 0, max: 15 }), (log, other, contract) => {
      const fitted = fitEvidence(evidence(log, other), contract);
      expect(textPagesOf(fitted) + contract).toBeLessThanOrEqual(maxEvidencePages);
      for (const [name, given] of Object.entries(evidence(log, other))) {
        const sent = fitted[name as keyof typeof fitted];
        expect(sent.length).toBeLessThanOrEqual(20_000);
        if (sent !== given) expect(given.startsWith(sent.slice(0, Math.max(0, sent.lastIndexOf("\n"))))).toBe(true);
      }
    }),
  );
});

test("leaves some pages of text beside a contract that is too long", () => {
  const fitted = fitEvidence(evidence(text(900), text(900)), 40);
  expect(textPagesOf(fitted)).toBe(4);
  expect(fitted.uncategorized_text.split("\n").length).toBeGreaterThan(40);
});
