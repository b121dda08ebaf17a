/**
 * Imports of tests. The other import rules exclude tests, because their parser does not support `await using`. A test may
 * import any file of its own module, but other modules only by their public index or their lists for bookings. Factories
 * and harnesses may import the modules of their data.
 */

import path from "node:path";
import { expect, test } from "vitest";
import { read, trackedFiles } from "./sources.ts";

const tests = trackedFiles().filter(
  (file) => /^(src|sandbox|seed)\/.*\.test\.tsx?$/.test(file) || /^(test|e2e)\/.*\.(ts|mts)$/.test(file),
);

/** Returns a file's static and dynamic imports of sources, as aliases (`#users/store.ts`). */
const imported = (file: string, text: string): string[] =>
  [...text.matchAll(/^(?:import|export|\}).* from "([#.][^"]+)"|\bimport\("([#.][^"]+)"\)/gm)]
    .map(([, atOnce = "", later = ""]) => atOnce || later)
    .map((name) => (name.startsWith("#") ? name : path.posix.join(path.posix.dirname(file), name)))
    .filter((name) => name.startsWith("#") || name.startsWith("src/"))
    .map((name) => name.replace(/^src\//, "#"));

function intrusions(file: string, text: string): string[] {
  // Architecture tests read the sources themselves, and contain violations as text.
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

test("imports other modules in tests only by their public index, rules or api", () => {
  expect(intrusions("src/users/a.test.ts", 'import { x } from "#bookings/store.ts";')).toHaveLength(1);
  expect(intrusions("test/data/a.test.ts", 'import { x } from "#users/store.ts";')).toHaveLength(1);
  expect(intrusions("src/bookings/a.test.ts", 'import { x } from "#bookings/store.ts";')).toEqual([]);
  expect(intrusions("src/users/a.test.ts", 'import { x } from "../bookings/store.ts";')).toHaveLength(1);
  expect(intrusions("test/data/a.test.ts", 'const x = await import("../../src/users/store.ts");')).toHaveLength(1);
  expect(intrusions("src/bookings/page/a.test.ts", 'import { x } from "../store.ts";')).toEqual([]);
  expect(tests.length).toBeGreaterThan(120);
  expect(tests.flatMap((file) => intrusions(file, read(file)))).toEqual([]);
});
