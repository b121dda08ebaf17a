/** The files that the documents name exist. */
import { expect, test } from "vitest";
import { read, trackedFiles } from "./sources.ts";

const tracked = trackedFiles();
const folders = new Set(
  tracked.flatMap((file) => file.split("/").map((_part, n, parts) => parts.slice(0, n).join("/"))),
);

/** The files and folders that a text names in backticks; a module's file may leave out `src/`. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|seed|e2e|scripts|docs|migrations|[a-z]+)\/[\w./-]*)`/g)]
    .map(([, name]) => name ?? "")
    .filter((name) => !/^(api|auth|dev|storage|assets|sandbox|adapters)\//.test(name) && !/NNNN/.test(name));

const exists = (name: string): boolean =>
  [name, `src/${name}`, `src/web/${name}`, `src/bookings/${name}`]
    .map((path) => path.replace(/\/$/, ""))
    .some((path) => tracked.includes(path) || folders.has(path));

const absent = (text: string): string[] => namedIn(text).filter((name) => !exists(name));

test.each(["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"])("every file that %s names exists", (document) => {
  expect(absent("see `src/bookings/no-such-file.ts` and `users/sessions/`")).toEqual(["src/bookings/no-such-file.ts"]);
  expect(absent(read(document))).toEqual([]);
});

test("ARCHITECTURE.md answers where things are decided, each with one file", () => {
  const table = read("ARCHITECTURE.md").split("## Where is it decided?")[1]?.split("\n## ")[0] ?? "";
  const answers = [...table.matchAll(/^\| .+\? +\| `(src\/[^`]+)`/gm)].map(([, file]) => file ?? "");
  expect(answers.length).toBeGreaterThanOrEqual(10);
  expect(answers.filter((file) => !tracked.includes(file))).toEqual([]);
});
