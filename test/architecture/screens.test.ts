import { expect, test } from "vitest";
import { screens, unpictured } from "../../e2e/support/screens.ts";
import { read } from "./sources.ts";

const listed = new Set<string>([
  ...Object.values(screens).flatMap((rows) => rows.map(([, file]) => file)),
  ...unpictured,
]);
const filesIn = (routes: string) => Array.from(routes.matchAll(/"([a-z][\w/-]+-page\.tsx)"/g), ([, file = ""]) => file);
const missing = (routes: string) => filesIn(routes).filter((file) => !listed.has(file));

test("finds every route in the list of screens", () => {
  const routes = read("src/web/routes.ts");
  expect(filesIn(routes).length).toBeGreaterThan(15);
  expect(missing(routes)).toEqual([]);
  expect(missing('page(paths.nowhere, "public/nowhere/nowhere-page.tsx")')).toEqual([
    "public/nowhere/nowhere-page.tsx",
  ]);
});

test("finds the screen of every row", () => {
  const known = new Set(filesIn(read("src/web/routes.ts")));
  expect([...listed].filter((file) => file !== "" && !known.has(file))).toEqual([]);
});
