import { expect, test } from "vitest";
import { makeLog } from "../log.ts";
import { makeOutageLog } from "./outage.ts";

function scene() {
  let at = Date.parse("2027-01-01T00:00:00Z");
  const lines: Record<string, unknown>[] = [];
  const outages = makeOutageLog(() => at);
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const log = makeLog("info", { write }, { logMethod: outages.logMethod });
  let fail: (error: unknown) => void = () => {};
  let succeed: (statement: { ms: number; text: string }) => void = () => {};
  outages.watch({ onFailure: (listen) => void (fail = listen), onStatement: (listen) => void (succeed = listen) }, log);
  return {
    lines,
    log,
    pass: (seconds: number) => (at += seconds * 1_000),
    fail: (error: Error) => fail(error),
    succeed: () => succeed({ ms: 1, text: "select 1" }),
  };
}

const unreachable = () =>
  Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED", syscall: "connect" });

test("logs an outage of 130 seconds in four lines, without the failures that it causes", () => {
  const { lines, log, fail, succeed, pass } = scene();
  for (let second = 0; second < 130; second++) {
    const error = unreachable();
    fail(error);
    log.error({ err: error }, "the event outbox could not be read; it is tried again");
    log.child({}).warn({ err: new Error("no answer", { cause: error }) }, "a job failed; it runs again");
    pass(1);
  }
  succeed();
  pass(2);
  log.info("a request");
  succeed();
  succeed();
  expect(lines.map(({ msg, level }) => [msg, level])).toEqual([
    ["the database does not answer", 50],
    ["the database still does not answer", 50],
    ["the database still does not answer", 50],
    ["a request", 30],
    ["the database answers again", 40],
  ]);
  expect(lines[0]).toMatchObject({ err: { code: "ECONNREFUSED" } });
  expect(lines.at(-1)).toMatchObject({ since: "2027-01-01T00:00:00.000Z", seconds: 132, failures: 260 });
});

test("logs a PostgreSQL server that opens no connection on its full disk as an outage", () => {
  const { lines, log, fail } = scene();
  const refused = Object.assign(new Error("could not write init file"), { code: "XX000" });
  fail(refused);
  log.error({ err: refused }, "a request failed");
  expect(lines.map(({ msg }) => msg)).toEqual(["the database does not answer"]);
});

test("logs failures of other services and of a full disk as they are", () => {
  const { lines, log, fail, succeed } = scene();
  const full = Object.assign(new Error("could not extend file: No space left on device"), { code: "53100" });
  fail(full);
  log.error({ err: full }, "a job failed");
  log.error({ err: unreachable() }, "a calendar could not be read");
  succeed();
  expect(lines.map(({ msg }) => msg)).toEqual(["a job failed", "a calendar could not be read"]);
});
