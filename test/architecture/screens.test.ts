/** Every screen that src/web/routes.ts names is in the one list that is measured and photographed. */
import { expect, test } from "vitest";
import { screens, unpictured } from "../../e2e/support/screens.ts";
import { read } from "./sources.ts";

const listed = new Set<string>([
  ...Object.values(screens).flatMap((rows) => rows.map(([, file]) => file)),
  ...unpictured,
]);
const filesIn = (routes: string) => Array.from(routes.matchAll(/"([a-z][\w/-]+-page\.tsx)"/g), ([, file = ""]) => file);
const missing = (routes: string) => filesIn(routes).filter((file) => !listed.has(file));

test("every route has a row in the list of screens", () => {
  const routes = read("src/web/routes.ts");
  expect(filesIn(routes).length).toBeGreaterThan(15);
  expect(missing(routes)).toEqual([]);
  expect(missing('page(paths.nowhere, "public/nowhere/nowhere-page.tsx")')).toEqual([
    "public/nowhere/nowhere-page.tsx",
  ]);
});

test("every row names a screen that there is", () => {
  const known = new Set(filesIn(read("src/web/routes.ts")));
  expect([...listed].filter((file) => file !== "" && !known.has(file))).toEqual([]);
});
