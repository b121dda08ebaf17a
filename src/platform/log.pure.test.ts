import { expect, test } from "vitest";
import { describeError, makeLog } from "./log.ts";

function logged(error: unknown): string {
  let text = "";
  makeLog("info", { write: (part: string) => void (text += part) }).error({ err: error }, "it failed");
  return text;
}

test("shows only kind, message, code, statement, stack and causes of an error", () => {
  const inner = Object.assign(new Error("inner"), { params: ["$argon2id$secret"] });
  const error = Object.assign(new Error("outer", { cause: inner }), {
    code: "23505",
    constraint: "users_email",
    statement: "insert users",
    params: ["$argon2id$secret"],
    detail: "Failing row contains (ada@example.test)",
    query: "insert …",
  });
  const text = logged(error);
  expect(text).not.toMatch(/argon2id|ada@|insert …/);
  expect(JSON.parse(text)).toMatchObject({
    err: {
      type: "Error",
      message: "outer",
      code: "23505",
      constraint: "users_email",
      statement: "insert users",
      stack: expect.stringContaining("log.pure.test.ts"),
      cause: { message: "inner" },
    },
  });
});

test("does not repeat what a statement could not read", () => {
  expect(describeError(new Error('invalid input syntax for type uuid: "hunter2"'))).toMatchObject({
    message: "invalid input syntax for type uuid",
  });
});

test("describes any thrown value", () => {
  expect(describeError("text")).toEqual({ message: "text" });
  expect(describeError(new AggregateError([new Error("a")], "all"))).toMatchObject({ errors: [{ message: "a" }] });
});
