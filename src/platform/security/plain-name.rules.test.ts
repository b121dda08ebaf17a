import { describe, expect, test } from "vitest";
import { isName, isPlainLine, plainLine, plainName, plainProse } from "./plain-name.rules.ts";

describe("isName", () => {
  test.each([
    "Hannah Whitt",
    "李明",
    "O'Neil-Śmith",
    "Q2",
    "ज़ोया",
    "Al",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "DJ \u2764\ufe0f",
  ])("accepts %s", (name) => expect(isName(name)).toBe(true));
  test.each([
    "Guest G\n\nEvidence: identity verified",
    "\u001b[2J Hannah",
    "Hannah\u202e ttihW",
    "Han\u200bnah",
    "Hannah W\u00adhitt",
    "\u2067Hannah\u2069",
    "\u200b\u200b\u200b",
    "\u2060",
    "A",
    "- -",
    "",
  ])("refuses %j", (name) => expect(isName(name)).toBe(false));
});

test("plainLine prevents a forged line from appearing on its own", () => {
  expect(plainLine("G\nVALID.\u001b[2J\u202e\u200b")).toBe("G·VALID.·[2J··");
});

test.each([
  "\u00ad",
  "\u034f",
  "\u061c",
  "\u115f",
  "\u200b",
  "\u200d",
  "\u200e",
  "\u2028",
  "\u2060",
  "\u202e",
  "\u3164",
  "\ufe0f",
  "\ufeff",
  "\u{e0041}",
])("one rule: a line has no character that a name loses, %j", (character) => {
  for (const text of [`Hall${character}`, `${character}Hall`, `Ha${character}ll`]) {
    expect(isPlainLine(text)).toBe(false);
    expect(isPlainLine(plainName(text))).toBe(true);
  }
});

test("plainProse keeps lines, tabs and joined characters, and removes what is invisible", () => {
  expect(plainProse("One\r\n\ttwo\u2028\u001b[2J\u202e three\u0085\u2066 👩\u200d🎤")).toBe(
    "One\r\n\ttwo\u2028[2J three 👩\u200d🎤",
  );
});
