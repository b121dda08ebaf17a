import { expect, test } from "vitest";
import { hasReadableText } from "./text.rules.ts";

test("hasReadableText refuses text without readable characters", () => {
  expect(["Great show.", "10/10", "良い"].every(hasReadableText)).toBe(true);
  expect(["\u200b".repeat(10), "…!?", " \n "].some(hasReadableText)).toBe(false);
});
