import { expect, test } from "vitest";
import { z } from "zod";
import { validationMessage } from "./validation-messages.ts";

const shape = z.strictObject({
  name: z.string().min(1).max(5),
  long: z.string().min(3),
  count: z.int().min(1).max(9),
  id: z.uuid(),
  mail: z.email(),
  day: z.iso.date(),
  role: z.enum(["artist", "promoter"]),
  choice: z.enum(["", "a", "b"]),
  list: z.array(z.string()).max(1),
  flag: z.boolean(),
  own: z.string().regex(/^x$/, "Our own words."),
});
const good = {
  name: "Ada",
  long: "long",
  count: 3,
  id: "6f1cbd26-2d0e-4d2e-8d5c-0a8c3a1f2b11",
  mail: "ada@example.test",
  day: "2027-02-13",
  role: "artist",
  choice: "",
  list: [],
  flag: true,
  own: "x",
};
const messagesOf = (part: Record<string, unknown>) =>
  shape.safeParse({ ...good, ...part }, { error: validationMessage }).error?.issues.map((issue) => issue.message);

test.each([
  [{ name: undefined }, "This is missing."],
  [{ name: "" }, "This is missing."],
  [{ name: 7 }, "This must be a text."],
  [{ name: "abcdef" }, "At most 5 characters."],
  [{ long: "ab" }, "At least 3 characters."],
  [{ count: 10 }, "At most 9."],
  [{ count: 0 }, "At least 1."],
  [{ count: "many" }, "This must be a number."],
  [{ count: 1.5 }, "This must be a whole number."],
  [{ id: "7" }, "This is not an id."],
  [{ mail: "ada" }, "This is not an email address."],
  [{ mail: "" }, "Enter an email address."],
  [{ day: "2027-02-30" }, "A date is written YYYY-MM-DD and must exist."],
  [{ role: "admin" }, "One of artist, promoter."],
  [{ choice: "c" }, "One of a, b."],
  [{ list: ["a", "b"] }, "At most 1 entry."],
  [{ flag: "yes" }, "This must be true or false."],
  [{ own: "y" }, "Our own words."],
  [{ extra: 1, more: 2 }, "Not known here: extra, more."],
  [{ ["x".repeat(99)]: 1 }, `Not known here: ${"x".repeat(40)}….`],
])("describes %o: %s", (part, words) => {
  expect(messagesOf(part)).toEqual([words]);
});

test("names no bounds of the data type for a number that is far too large", () => {
  expect(messagesOf({ count: 1e308 })).toEqual(["This number is too large.", "At most 9."]);
});
