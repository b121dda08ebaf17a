/**
 * What tests may import. The other import rules leave tests out, because their parser does not know `await using`. A test knows the inside of
 * its own module; other modules it enters like everybody else. Factories and harnesses stand for the modules they make data of.
 */
import { expect, test } from "vitest";
import { read, trackedFiles } from "./sources.ts";

const tests = trackedFiles().filter(
  (file) => /^(src|seed)\/.*\.test\.tsx?$/.test(file) || /^(test|e2e)\/.*\.(ts|mts)$/.test(file),
);

const imported = (text: string): string[] =>
  [...text.matchAll(/^(?:import|export|\}).* from "(#[^"]+)"/gm)].map(([, name]) => name ?? "");

/** The imports of a test that enter another module by its inside. */
function intrusions(file: string, text: string): string[] {
  if (/^test\/(factories|harness)\//.test(file)) return [];
  const own = file.startsWith("src/") ? file.split("/")[1] : undefined;
  return imported(text)
    .filter((name) => {
      const module = name.slice(1).split("/")[0] ?? "";
      return ![own, "test", "platform", "app"].includes(module) && !/[/.](index|api|rules)\.ts$/.test(name);
    })
    .map((name) => `${file}: ${name}`);
}

test("a test enters other modules by their public index, their rules or their api", () => {
  expect(intrusions("src/users/a.test.ts", 'import { x } from "#bookings/store.ts";')).toHaveLength(1);
  expect(intrusions("test/data/a.test.ts", 'import { x } from "#users/store.ts";')).toHaveLength(1);
  expect(intrusions("src/bookings/a.test.ts", 'import { x } from "#bookings/store.ts";')).toEqual([]);
  expect(tests.length).toBeGreaterThan(120);
  expect(tests.flatMap((file) => intrusions(file, read(file)))).toEqual([]);
});
