import { expect, test } from "vitest";
import { read, trackedFiles } from "./sources.ts";

const sources = trackedFiles().filter((file) =>
  /^(src|sandbox|seed|test|e2e|bench|scripts)\/.*\.(ts|tsx|mts|mjs)$/.test(file),
);
const isTest = (file: string) => /\.(test|spec)\.(ts|tsx|mts)$/.test(file);
/** Generated sources, and data in a source file. */
const notWritten = new Set(["src/platform/db/schema.ts", "test/architecture/old-terms.mts"]);

const maxFileLines = 350;
const maxTestLines = 450;
const maxFiles = 20;

const tooLong = (file: string, lines: number) =>
  !notWritten.has(file) && lines > (isTest(file) ? maxTestLines : maxFileLines);

function crowded(files: readonly string[]): string[] {
  const folders = Map.groupBy(
    files.filter((file) => !isTest(file)),
    (file) => file.slice(0, file.lastIndexOf("/")),
  );
  return [...folders]
    .filter(([, inside]) => inside.length > maxFiles)
    .map(([folder, inside]) => `${folder}: ${inside.length}`);
}

test(`finds no file longer than ${maxFileLines} lines, and no test longer than ${maxTestLines}`, () => {
  expect(tooLong("src/a.ts", maxFileLines + 1)).toBe(true);
  expect(tooLong("src/a.test.ts", maxTestLines + 1)).toBe(true);
  expect(sources.length).toBeGreaterThan(400);
  expect(sources.filter((file) => tooLong(file, read(file).split("\n").length))).toEqual([]);
});

test(`finds no folder with more than ${maxFiles} source files side by side`, () => {
  const planted = Array.from({ length: maxFiles + 1 }, (_, n) => `src/planted/file-${n}.ts`);
  expect(crowded([...planted, "src/planted/deeper/file.ts"])).toEqual([`src/planted: ${maxFiles + 1}`]);
  expect(crowded(sources)).toEqual([]);
});
