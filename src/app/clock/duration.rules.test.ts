import { expect, test } from "vitest";
import { dayMs } from "#platform/time/durations.rules.ts";
import { durationMessages, isTooFarAhead, targetOf } from "./duration.rules.ts";

const from = new Date("2027-01-31T12:00:00Z");
const after = (advance: string) => {
  const result = targetOf(advance, from);
  return "target" in result ? result.target.toISOString() : result.message;
};

test.each([
  ["P28D", "2027-02-28T12:00:00.000Z"],
  ["P1W", "2027-02-07T12:00:00.000Z"],
  ["PT36H", "2027-02-02T00:00:00.000Z"],
  ["P1M", "2027-02-28T12:00:00.000Z"],
  ["P1Y", "2028-01-31T12:00:00.000Z"],
  ["+P1DT2H3M4S", "2027-02-01T14:03:04.000Z"],
  ["PT1S", "2027-01-31T12:00:01.000Z"],
  ["P366D", "2028-02-01T12:00:00.000Z"],
])("reads %s as %s", (advance, target) => {
  expect(after(advance)).toBe(target);
});

test.each<readonly [string, string]>([
  ["PT0S", durationMessages.zero],
  ["P0D", durationMessages.zero],
  ["-P1D", durationMessages.negative],
  ["P367D", durationMessages.tooLong],
  ["P2Y", durationMessages.tooLong],
  ["P999999Y", durationMessages.tooLong],
  ["PT999999H", durationMessages.tooLong],
  ...[
    "",
    " ",
    "P",
    "PT",
    "P1DT",
    "28",
    "P28",
    "P-1D",
    "P1.5D",
    "PT0.5S",
    "P1D\n",
    "p1d x",
    "P1H",
    "P9999999D",
    "P1D1W",
  ].map((text) => [text, durationMessages.malformed] as const),
])("refuses %o with its reason", (advance, message) => {
  expect(after(advance)).toBe(message);
});

test("refuses more than ten years ahead of the real clock", () => {
  expect(isTooFarAhead(9 * 366 * dayMs)).toBe(false);
  expect(isTooFarAhead(11 * 365 * dayMs)).toBe(true);
});
