import { expect, test } from "vitest";
import { settingNames } from "#platform/environment.ts";
import { read, trackedFiles } from "./sources.ts";

const quotedIn = (text: string): string[] => [...text.matchAll(/"([A-Z][A-Z0-9_]*)"/g)].map(([, name]) => name ?? "");

/** Returns the variables that a source reads: by the configuration's functions, which take the environment and a name or a list of names, or from the process. */
const namesReadIn = (source: string): string[] => [
  ...[...source.matchAll(/\(env, (\["[^\]]+\]|"[A-Z][A-Z0-9_]*")/g)].flatMap(([, names = ""]) => quotedIn(names)),
  ...[...source.matchAll(/\bprocess\.env(?:\.|\[")([A-Z][A-Z0-9_]*)/g)].map(([, name]) => name ?? ""),
];

const namesDocumentedIn = (document: string): string[] => {
  const rows = document.split("\n").filter((line) => line.startsWith("| `"));
  return rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, name]) => name ?? ""),
  );
};

const missing = (all: readonly string[], among: readonly string[]) =>
  [...new Set(all)].filter((name) => !among.includes(name)).toSorted();

const configuration = "src/platform/config.ts";
const sources = trackedFiles().filter((file) => /^src\/.*\.ts$/.test(file) && !file.endsWith(".test.ts"));
const program = [...sources, "scripts/start.mjs"];

test("lists exactly the variables that the program reads", () => {
  const planted =
    'const url = text(env, "NEW_URL"); const pair = allOrNone(env, ["NEW_ID", "NEW_NAME"]); const key = process.env["NEW_KEY"] ?? process.env.NEW_TOKEN;';
  const table =
    "# A\n\n| name |\n| --- |\n| `NEW_URL`, `OLD_URL` | `DEFAULT` |\n\nWith `NOT_A_SETTING` in a paragraph.\n";
  expect(missing(namesReadIn(planted), namesDocumentedIn(table))).toEqual([
    "NEW_ID",
    "NEW_KEY",
    "NEW_NAME",
    "NEW_TOKEN",
  ]);
  expect(missing(namesDocumentedIn(table), namesReadIn(planted))).toEqual(["OLD_URL"]);

  const names = program.flatMap((file) => namesReadIn(read(file)));
  const documented = namesDocumentedIn(read("docs/operate/configure.md"));
  expect(new Set(names).size).toBeGreaterThan(40);
  expect({ undocumented: missing(names, documented), unread: missing(documented, names) }).toEqual({
    undocumented: [],
    unread: [],
  });
  expect(settingNames).toEqual([...new Set(documented)].toSorted());
});

test("finds only reads by name in the configuration, so every name is found", () => {
  const otherwise = (source: string) =>
    [...source.matchAll(/\benv\[(?!name\])|\bObject\.\w+\(env\)|\benv\.\w/g)].length;
  expect(otherwise('env["A"]; env.B; Object.entries(env); env[name]')).toBe(3);
  expect(otherwise(read(configuration))).toBe(0);
});
