import { expect, test } from "vitest";
import { mailtoOf } from "./mailto.rules.ts";

test("returns a link in which every character belongs to the address", () => {
  expect(mailtoOf("anna+r&d?cc=eve%20@people.test")).toBe("mailto:anna%2Br%26d%3Fcc%3Deve%2520@people.test");
});
