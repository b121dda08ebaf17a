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

/** What the log writes for an entry. */
function written(entry: object): Record<string, unknown> {
  let text = "";
  makeLog("info", { write: (part: string) => void (text += part) }).info(entry, "it happened");
  return JSON.parse(text) as Record<string, unknown>;
}

test("secrets are cut out at each depth, in lists and in any case", () => {
  for (let depth = 0; depth <= 12; depth++) {
    const nested = Array.from({ length: depth }).reduce<object>(
      (inner, _, at) => (at % 2 ? { inner } : { list: [inner] }),
      { password: "hunter2", Authorization: "Bearer hunter2", secretKey: { value: "hunter2" }, name: "Ada" },
    );
    expect(JSON.stringify(written(nested)), `depth ${depth}`).not.toContain("hunter2");
  }
  expect(written({ a: { b: { c: { d: { token: "hunter2", name: "Ada" } } } } })).toMatchObject({
    a: { b: { c: { d: { token: "[cut]", name: "Ada" } } } },
  });
});

test("what is too deep is left out, a circle included", () => {
  const circle: Record<string, unknown> = { name: "Ada" };
  circle["self"] = circle;
  expect(JSON.stringify(written(circle))).toMatch(/"self":"\[deeper\]"/);
});

test("other values stay as they are, a nested error is described, and of other objects only the class is named", () => {
  const at = new Date("2026-11-27T03:00:00Z");
  const failure = Object.assign(new Error("inner"), { params: ["hunter2"] });
  class Connection {
    readonly password = "hunter2";
  }
  const entry = { at, count: 3, none: null, ids: ["a", 1], outcome: { failure }, connection: new Connection() };
  expect(written(entry)).toMatchObject({
    at: "2026-11-27T03:00:00.000Z",
    count: 3,
    none: null,
    ids: ["a", 1],
    outcome: { failure: { type: "Error", message: "inner" } },
    connection: "[Connection]",
    msg: "it happened",
  });
  expect(JSON.stringify(written(entry))).not.toContain("hunter2");
});
