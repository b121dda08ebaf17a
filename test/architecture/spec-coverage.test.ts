/** docs/spec-coverage.md lists the source, the tests and the state of each point of the specification. */

import { expect, test } from "vitest";
import { read, trackedFiles } from "./sources.ts";

const tracked = new Set(trackedFiles());
const document = read("docs/spec-coverage.md");

type Row = Readonly<{ point: string; kept: string; tests: string; state: string }>;

/** Returns the rows of every table of a text, without headers. A row without exactly four cells gets an empty state. */
const rowsOf = (text: string): Row[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\| (specification|-+) /.test(line))
    .map((line) => {
      const [point = "", kept = "", tests = "", state = "", ...more] = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      return { point, kept, tests, state: more.length === 0 ? state : "" };
    });

const filesIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|e2e|seed|scripts|migrations|bench|docs)\/[^`]+)`/g)].map(([, file]) => file ?? "");

const absent = (text: string): string[] => filesIn(text).filter((file) => !tracked.has(file));

const states = /^(yes|not yet(: .+)?|differs, because .+ \((design §\d+(, §\d+)*|decision \d+)\))$/;
const withoutState = (rows: readonly Row[]): string[] =>
  rows.filter(({ state }) => !states.test(state)).map(({ point }) => point);

const isTest = (file: string): boolean => /\.(test|spec)\.(ts|tsx|mts)$/.test(file);

/** Returns rows with state yes that lack a source or a test, or swap them. */
const unproven = (rows: readonly Row[]): string[] =>
  rows
    .filter(({ state }) => state === "yes")
    .filter(({ kept, tests }) => {
      const [sources, proofs] = [filesIn(kept), filesIn(tests)];
      return sources.length === 0 || proofs.length === 0 || sources.some(isTest) || !proofs.every(isTest);
    })
    .map(({ point }) => point);

const emptySections = (text: string): string[] => {
  const sections = new Map(text.split(/^## /m).map((part) => [part.slice(0, 2), rowsOf(part).length] as const));
  return ["2.", "3.", "4.", "5.", "6.", "7.", "8.", "9."].filter((section) => !sections.get(section));
};

const planted = (kept: string, tests: string, state: string) =>
  rowsOf(
    `| specification | source | test | state |\n| --- | --- | --- | --- |\n| planted | ${kept} | ${tests} | ${state} |`,
  );

test("finds every file that the document names", () => {
  expect(absent("`src/bookings/rules.ts`, `src/bookings/no-such-file.ts`")).toEqual(["src/bookings/no-such-file.ts"]);
  expect(filesIn(document).length).toBeGreaterThan(400);
  expect(absent(document)).toEqual([]);
});

test("finds a valid state in every row", () => {
  const source = "`src/bookings/rules.ts`";
  for (const state of [
    "",
    "mostly",
    "yes, nearly",
    "differs",
    "differs, because it is better",
    "not yet: ",
    "yes | yes",
  ])
    expect(withoutState(planted(source, source, state)), state).toEqual(["planted"]);
  for (const state of ["yes", "not yet", "not yet: no button", "differs, because it is stored (design §7, §12)"])
    expect(withoutState(planted(source, source, state)), state).toEqual([]);
  const rows = rowsOf(document);
  expect(rows.length).toBeGreaterThan(200);
  expect(withoutState(rows)).toEqual([]);
});

test("finds a source and a test in every row with state yes", () => {
  const [source, proof] = ["`src/bookings/rules.ts`", "`src/bookings/rules/rules.test.ts`"];
  for (const [kept, tests] of [
    ["-", proof],
    [source, "-"],
    [proof, proof],
    [source, source],
  ] as const)
    expect(unproven(planted(kept, tests, "yes")), `${kept} ${tests}`).toEqual(["planted"]);
  expect(unproven(planted(source, proof, "yes"))).toEqual([]);
  expect(unproven(planted(source, "-", "not yet"))).toEqual([]);
  expect(unproven(rowsOf(document))).toEqual([]);
});

test("finds rows for every section of the specification from 2 to 9", () => {
  expect(emptySections("## 2. Screens\n\n| planted | a | b | yes |\n\n## 3. Entities\n")).toEqual([
    "3.",
    "4.",
    "5.",
    "6.",
    "7.",
    "8.",
    "9.",
  ]);
  expect(emptySections(document)).toEqual([]);
});
