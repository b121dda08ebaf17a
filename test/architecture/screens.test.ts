import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { screens, unpictured } from "../../e2e/support/screens.ts";
import { read, root, trackedFiles } from "./sources.ts";

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

/** Returns the components of Mantine in these sources whose styles none of them imports. They would be shown without style. */
function unstyled(sources: string): string[] {
  const used = Array.from(sources.matchAll(/import \{([^}]*)\} from "@mantine\/core"/g), ([, names = ""]) =>
    names.split(","),
  );
  const styles = (name: string) => `@mantine/core/styles/${name}.layer.css`;
  return [...new Set(used.flat().map((name) => name.trim()))].filter(
    (name) =>
      existsSync(path.join(root, "node_modules", styles(name))) && !sources.includes(`import "${styles(name)}"`),
  );
}

test("imports the styles of every Mantine component that a screen uses", () => {
  const sources = trackedFiles().filter((file) => file.startsWith("src/web/") && file.endsWith(".tsx"));
  expect(unstyled(sources.map(read).join("\n"))).toEqual([]);
  expect(unstyled('import { Radio } from "@mantine/core";')).toEqual(["Radio"]);
});
