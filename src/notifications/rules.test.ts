import { expect, test } from "vitest";
import { contactInput } from "./rules.ts";

test("requires a name, an address and a text within their limits", () => {
  const good = { name: "Ada", email: "Ada@Example.org", message: "Hello\nthere" };
  expect(contactInput.parse(good)).toEqual({
    name: "Ada",
    email: "ada@example.org",
    subject: "",
    message: "Hello\nthere",
  });
  const wrong = [
    { name: " " },
    { name: "A\r\nBcc: x" },
    { email: "ada" },
    { message: "" },
    { message: "\u200b\u202e" },
    { message: "x".repeat(5001) },
    { subject: "a\nb" },
    { role: "admin" },
  ];
  for (const part of wrong)
    expect(contactInput.safeParse({ ...good, ...part }).success, JSON.stringify(part).slice(0, 40)).toBe(false);
});
