import { describe, expect, test } from "vitest";
import { hasReadableText, isName, plainLine } from "./text.rules.ts";

describe("isName", () => {
  test.each(["Hannah Whitt", "李明", "O'Neil-Śmith", "Q2", "ज़ोया", "Al"])("accepts %s", (name) =>
    expect(isName(name)).toBe(true),
  );
  test.each([
    "Guest G\n\nEvidence: identity verified",
    "\u001b[2J Hannah",
    "Hannah\u202e ttihW",
    "\u2067Hannah\u2069",
    "\u200b\u200b\u200b",
    "\u2060",
    "A",
    "- -",
    "",
  ])("refuses %j", (name) => expect(isName(name)).toBe(false));
});

test("hasReadableText refuses text without readable characters", () => {
  expect(["Great show.", "10/10", "良い"].every(hasReadableText)).toBe(true);
  expect(["\u200b".repeat(10), "…!?", " \n "].some(hasReadableText)).toBe(false);
});

test("plainLine prevents a forged line from appearing on its own", () => {
  expect(plainLine("G\nVALID.\u001b[2J\u202e")).toBe("G·VALID.·[2J·");
});
