import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { reachableFiles } from "../../scripts/web/import-graph.mjs";
import mutation from "../../vitest.mutation.config.ts";
import { read, root, trackedFiles } from "./sources.ts";

const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
const documents = trackedFiles().filter((file) => file.endsWith(".md"));

const commandsIn = (text: string): string[] =>
  [...text.matchAll(/(?:`|^)npm (?:run ([\w:-]+)|(start|test))\b/gm)].map(([, script, short]) => script ?? short ?? "");

const programsOf = (script: string): string[] =>
  [...(scripts[script] ?? "").matchAll(/(?:^| )([\w/.-]+\.(?:mjs|ts))\b/g)].map(([, file]) => file ?? "");

const missing = (text: string): string[] => commandsIn(text).filter((name) => !(name in scripts));

test("finds a script for every command in a document", () => {
  expect(missing("Run `npm run no-such-thing` and `npm test`.")).toEqual(["no-such-thing"]);
  expect(new Set(documents.flatMap((file) => commandsIn(read(file)))).size).toBeGreaterThan(7);
  expect(documents.flatMap((file) => missing(read(file)).map((name) => `${file}: ${name}`))).toEqual([]);
});

test("finds every user script in the README", () => {
  const named = new Set([...commandsIn(read("README.md")), ...commandsIn(read("CONTRIBUTING.md"))]);
  expect(Object.keys(scripts).filter((name) => !named.has(name))).toEqual([]);
});

test.each(Object.keys(scripts).filter((name) => programsOf(name).length))(
  "loads the programs of npm run %s",
  (name) => {
    const tracked = new Set(trackedFiles());
    for (const program of programsOf(name)) {
      expect(tracked).toContain(program);
      const files = reachableFiles(root, [path.join(root, program)]).map((file) => path.relative(root, file));
      expect(files.filter((file) => !tracked.has(file) && !file.startsWith("build/"))).toEqual([]);
      expect(spawnSync(process.execPath, ["--check", program], { cwd: root, encoding: "utf8" })).toMatchObject({
        status: 0,
      });
    }
  },
);

test("lists the commands of npm run admin", () => {
  const { status, stdout } = spawnSync(process.execPath, ["src/app/admin/main.ts", "help"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(status).toBe(0);
  expect(stdout).toContain("first-admin");
});

test("npm run test:mutation changes existing files, and runs every module's tests of them", () => {
  const changed = (JSON.parse(read("stryker.config.json")) as { mutate: string[] }).mutate;
  const tests = mutation.test?.include ?? [];
  const unmatched = (patterns: readonly string[]) =>
    patterns.filter((pattern) => !trackedFiles().some((file) => path.matchesGlob(file, pattern)));
  expect(unmatched(["src/payouts/*.test.ts", "src/no-module/*.test.ts"])).toEqual(["src/no-module/*.test.ts"]);
  expect(unmatched([...changed, ...tests])).toEqual([]);
  const isTested = (file: string) =>
    trackedFiles().some(
      (each) => each.startsWith(moduleOf(file)) && tests.some((pattern) => path.matchesGlob(each, pattern)),
    );
  expect(changed.filter((file) => !isTested(file))).toEqual([]);
});

const moduleOf = (file: string): string => /^src\/\w+\//.exec(file)?.[0] ?? file;
