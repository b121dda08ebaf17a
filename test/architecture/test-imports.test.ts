/**
 * What tests may import. The other import rules leave tests out, because their parser does not know `await using`. A test may import
 * any file of its own module; other modules by their public index, or its lists for bookings, only. Factories and harnesses may enter the modules they make data of.
 */
import path from "node:path";
import { expect, test } from "vitest";
import { read, trackedFiles } from "./sources.ts";

const tests = trackedFiles().filter(
  (file) => /^(src|sandbox|seed)\/.*\.test\.tsx?$/.test(file) || /^(test|e2e)\/.*\.(ts|mts)$/.test(file),
);

/** What a file imports of the sources, as the alias of its path (`#users/store.ts`): by alias or relative path, at once or later. */
const imported = (file: string, text: string): string[] =>
  [...text.matchAll(/^(?:import|export|\}).* from "([#.][^"]+)"|\bimport\("([#.][^"]+)"\)/gm)]
    .map(([, atOnce = "", later = ""]) => atOnce || later)
    .map((name) => (name.startsWith("#") ? name : path.posix.join(path.posix.dirname(file), name)))
    .filter((name) => name.startsWith("#") || name.startsWith("src/"))
    .map((name) => name.replace(/^src\//, "#"));

/** The imports of a test that enter another module by its inside. */
function intrusions(file: string, text: string): string[] {
  // Architecture tests read the sources themselves, and plant offences as text.
  if (/^test\/(factories|harness|architecture)\//.test(file)) return [];
  const own = file.startsWith("src/") ? file.split("/")[1] : undefined;
  return imported(file, text)
    .filter((name) => {
      const module = name.slice(1).split("/")[0] ?? "";
      return (
        ![own, "test", "platform", "gateway", "app"].includes(module) &&
        !/([/.](index|api|rules)|-for-bookings)\.ts$/.test(name)
      );
    })
    .map((name) => `${file}: ${name}`);
}

test("a test enters other modules by their public index, their rules or their api", () => {
  expect(intrusions("src/users/a.test.ts", 'import { x } from "#bookings/store.ts";')).toHaveLength(1);
  expect(intrusions("test/data/a.test.ts", 'import { x } from "#users/store.ts";')).toHaveLength(1);
  expect(intrusions("src/bookings/a.test.ts", 'import { x } from "#bookings/store.ts";')).toEqual([]);
  expect(intrusions("src/users/a.test.ts", 'import { x } from "../bookings/store.ts";')).toHaveLength(1);
  expect(intrusions("test/data/a.test.ts", 'const x = await import("../../src/users/store.ts");')).toHaveLength(1);
  expect(intrusions("src/bookings/page/a.test.ts", 'import { x } from "../store.ts";')).toEqual([]);
  expect(tests.length).toBeGreaterThan(120);
  expect(tests.flatMap((file) => intrusions(file, read(file)))).toEqual([]);
});
