/** Modules have few public names, and folders that depend on each other in one direction only. */

import path from "node:path";
import { expect, test } from "vitest";
import { read, trackedFiles } from "./sources.ts";

const sources = trackedFiles().filter(
  (file) => /^src\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$|\/test-[^/]*$/.test(file),
);
const moduleOf = (file: string) => file.split("/").slice(0, 2).join("/");

/** Returns the files of its own module that a file imports, as paths from the project's root. */
function importsWithin(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import\()\s*["']([^"']+)["']/g)]
    .map(([, specifier = ""]) =>
      specifier.startsWith("#") ? `src/${specifier.slice(1)}` : path.posix.join(path.posix.dirname(file), specifier),
    )
    .filter((imported) => moduleOf(imported) === moduleOf(file));
}

/**
 * Returns pairs of folders of one module that import each other. Files that no sub-folder imports only combine folders
 * (`index.ts`, `api.ts`, `routes.ts`). Their imports do not count.
 */
function circlesOf(files: ReadonlyMap<string, string>): string[] {
  const imports = new Map([...files].map(([file, text]) => [file, importsWithin(file, text)]));
  const below = (folder: string, file: string) => path.posix.dirname(file).startsWith(`${folder}/`);
  const needed = new Set<string>();
  const need = (file: string) => {
    if (needed.has(file)) return;
    needed.add(file);
    const folder = path.posix.dirname(file);
    for (const imported of imports.get(file) ?? []) if (path.posix.dirname(imported) === folder) need(imported);
  };
  for (const [file, imported] of imports)
    for (const one of imported) if (below(path.posix.dirname(one), file)) need(one);
  const edges = new Map<string, string>();
  for (const [file, imported] of imports) {
    const from = path.posix.dirname(file);
    for (const one of imported) {
      const to = path.posix.dirname(one);
      if (from !== to && (needed.has(file) || !below(from, one))) edges.set(`${from} → ${to}`, `${file} → ${one}`);
    }
  }
  return [...edges.keys()]
    .map((edge) => edge.split(" → "))
    .filter(([from = "", to = ""]) => from < to && edges.has(`${to} → ${from}`))
    .map(([from, to]) => `${edges.get(`${from} → ${to}`)}; ${edges.get(`${to} → ${from}`)}`);
}

test("finds no folders of a module that import each other", () => {
  const planted = new Map([
    ["src/planted/a/one.ts", 'import { two } from "../b/two.ts"; import { store } from "../store.ts";'],
    ["src/planted/b/two.ts", 'import { three } from "#planted/a/three.ts";'],
    ["src/planted/store.ts", ""],
    ["src/planted/index.ts", 'export { one } from "./a/one.ts";'],
  ]);
  expect(circlesOf(planted)).toHaveLength(1);
  expect(circlesOf(new Map(sources.map((file) => [file, read(file)])))).toEqual([]);
});

const maxNames = 20;
/** Returns the names that an index exports. Throws for `export *`. */
function exportedNames(text: string): string[] {
  if (/^export \*/m.test(text.replaceAll(/^export \* as \w+ from "[^"]+";$/gm, ""))) throw new Error("export *");
  const named = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)].flatMap(([, names = ""]) =>
    names.split(","),
  );
  const whole = [...text.matchAll(/^export \* as (\w+)/gm)].map(([, name = ""]) => name);
  return [...named, ...whole].map((name) => name.trim()).filter((name) => name !== "");
}

test(`exports at most ${maxNames} names from an index`, () => {
  const planted = `export { ${Array.from({ length: 21 }, (_, n) => `name${n}`).join(", ")} } from "./a.ts";`;
  expect(exportedNames(planted)).toHaveLength(21);
  const indexes = sources.filter((file) =>
    /^src\/(?!platform|web|app)[^/]+\/(index|[^/]+-for-bookings)\.ts$/.test(file),
  );
  expect(indexes.length).toBeGreaterThan(10);
  const wide = indexes
    .map((file) => ({ file, names: exportedNames(read(file)).length }))
    .filter(({ names }) => names > maxNames);
  expect(wide).toEqual([]);
});
