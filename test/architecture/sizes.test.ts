/** Files and folders stay small enough to be read at once. */
import { expect, test } from "vitest";
import { read, trackedFiles } from "./sources.ts";

const sources = trackedFiles().filter((file) =>
  /^(src|sandbox|seed|test|e2e|bench|scripts)\/.*\.(ts|tsx|mts|mjs)$/.test(file),
);
const isTest = (file: string) => /\.(test|spec)\.(ts|tsx|mts)$/.test(file);
/** Written by a program, or data in the form of a source. */
const notWritten = new Set(["src/platform/db/schema.ts", "test/architecture/old-terms.mts"]);

const longestFile = 350;
const longestTest = 450;
const mostFiles = 20;

const tooLong = (file: string, lines: number) =>
  !notWritten.has(file) && lines > (isTest(file) ? longestTest : longestFile);

/** The folders with more source files side by side than people can look through; tests are beside their sources and do not count. */
function crowded(files: readonly string[]): string[] {
  const folders = Map.groupBy(
    files.filter((file) => !isTest(file)),
    (file) => file.slice(0, file.lastIndexOf("/")),
  );
  return [...folders]
    .filter(([, inside]) => inside.length > mostFiles)
    .map(([folder, inside]) => `${folder}: ${inside.length}`);
}

test(`no file is longer than ${longestFile} lines, no test than ${longestTest}`, () => {
  expect(tooLong("src/a.ts", longestFile + 1)).toBe(true);
  expect(tooLong("src/a.test.ts", longestTest + 1)).toBe(true);
  expect(sources.length).toBeGreaterThan(400);
  expect(sources.filter((file) => tooLong(file, read(file).split("\n").length))).toEqual([]);
});

test(`no folder holds more than ${mostFiles} source files side by side`, () => {
  const planted = Array.from({ length: mostFiles + 1 }, (_, n) => `src/planted/file-${n}.ts`);
  expect(crowded([...planted, "src/planted/deeper/file.ts"])).toEqual([`src/planted: ${mostFiles + 1}`]);
  expect(crowded(sources)).toEqual([]);
});
