import { expect, test } from "vitest";
import { read, trackedFiles } from "./sources.ts";

const tracked = trackedFiles();
const folders = new Set(
  tracked.flatMap((file) => file.split("/").map((_part, n, parts) => parts.slice(0, n).join("/"))),
);

/** Returns the files and folders in backticks. A module's file may omit `src/`. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|test|seed|e2e|scripts|docs|migrations|[a-z]+)\/[\w./-]*)`/g)]
    .map(([, name]) => name ?? "")
    .filter((name) => !/^(api|auth|dev|storage|assets|sandbox|adapters)\//.test(name) && !/NNNN/.test(name));

const exists = (name: string): boolean =>
  [name, `src/${name}`, `src/web/${name}`, `src/bookings/${name}`]
    .map((path) => path.replace(/\/$/, ""))
    .some((path) => tracked.includes(path) || folders.has(path));

const absent = (text: string): string[] => namedIn(text).filter((name) => !exists(name));

test.each(["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"])("finds every file that %s names", (document) => {
  expect(absent("see `src/bookings/no-such-file.ts` and `users/sessions/`")).toEqual(["src/bookings/no-such-file.ts"]);
  expect(absent(read(document))).toEqual([]);
});

/** Returns true if a source declares a name. A file without declarations, such as SQL, must contain it. */
const declares = (file: string, text: string, name: string): boolean =>
  (/\.tsx?$/.test(file)
    ? new RegExp(`^(export )?(async )?(const|function\\*?) ${name}\\b`, "m")
    : new RegExp(`\\b${name}\\b`)
  ).test(text);

test("finds the declaration of each deciding name in ARCHITECTURE.md", () => {
  expect(declares("a.ts", "export const decide = 1;\n", "decide")).toBe(true);
  expect(declares("a.ts", "import { decide } from './b.ts';\n", "decide")).toBe(false);
  const table = read("ARCHITECTURE.md").split("## Where is it decided?")[1]?.split("\n## ")[0] ?? "";
  const answers = [...table.matchAll(/^\| .+\? +\| `(src\/[^`]+)` +\| `(\w+)` +\|$/gm)];
  expect(answers.length).toBeGreaterThanOrEqual(30);
  expect(answers.length).toBe(table.match(/^\| .+\?/gm)?.length);
  const wrong = answers.filter(
    ([, file = "", name = ""]) => !tracked.includes(file) || !declares(file, read(file), name),
  );
  expect(wrong.map(([row]) => row)).toEqual([]);
});
