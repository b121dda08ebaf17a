/** Project conventions that no linter checks, each with a planted violation. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { embeddedImage } from "#test/database.ts";
import { schemaSource } from "../../scripts/schema-source.ts";

const root = path.resolve(import.meta.dirname, "../..");
const tracked = execFileSync(
  "git",
  [
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "src",
    "sandbox",
    "seed",
    "test",
    "e2e",
    "bench",
    "scripts",
  ],
  { cwd: root, encoding: "utf8" },
)
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file));

type Rule = { name: string; applies(file: string): boolean; violation: RegExp; planted: string };

const rules: Rule[] = [
  {
    name: "only the clock knows the present",
    applies: (file) => file.startsWith("src/") && !/^src\/(web|platform\/time\/clock\.ts)|\.test\.tsx?$/.test(file),
    violation: /\bDate\.now\(\)|new Date\(\)/,
    planted: "const at = new Date();",
  },
  {
    name: "raw HTML is never put into a page",
    applies: (file) => file.startsWith("src/web/") && file !== "src/web/root.tsx",
    violation: /dangerouslySetInnerHTML|\.innerHTML\s*=/,
    planted: "<p dangerouslySetInnerHTML={{ __html: bio }} />",
  },
  {
    name: "files are named for the business",
    applies: (file) => /(^|\/)(utils?|helpers?|misc|manager|common|data)\.tsx?$/.test(file),
    violation: /[\s\S]/,
    planted: "x",
  },
  {
    name: "the environment is read in one file",
    applies: (file) =>
      file.startsWith("src/") && !/^src\/(platform\/config\.ts|app\/(admin\/)?main\.ts)|\.test\.tsx?$/.test(file),
    violation: /process\.env/,
    planted: 'process.env["PORT"]',
  },
  {
    name: "a session ends in one file, which also ends its streams",
    applies: (file) =>
      file.startsWith("src/") && file !== "src/users/sessions/sessions.store.ts" && !/\.test\.tsx?$/.test(file),
    violation: /deleteFrom\("sessions"\)|delete\s+from\s+sessions\b/,
    planted: 'await tx.deleteFrom("sessions").where("id", "=", id).execute();',
  },
  {
    name: "the provider of accounts is chosen in one place",
    applies: (file) =>
      file.startsWith("src/") && !/^src\/(users\/providers\/|platform\/config)|\.test\.tsx?$/.test(file),
    violation: /\.gotrue\b/,
    planted: "if (services.config.gotrue) return hosted(services);",
  },
  {
    name: "no rule is switched off in the sources",
    applies: (file) => !file.startsWith("test/architecture/"),
    violation: /@ts-ignore|@ts-expect-error|@ts-nocheck|\bas any\b|: any\b|\.only\(|\.skip\(/,
    planted: "const x = y as any;",
  },
];

/** Tests a rule outside comments. */
const offends = (rule: Rule, text: string) =>
  rule.violation.test(text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, ""));

test.each(rules)("$name", (rule) => {
  expect(offends(rule, rule.planted)).toBe(true);
  expect(tracked.length).toBeGreaterThan(80);
  expect(
    tracked.filter((file) => rule.applies(file) && offends(rule, readFileSync(path.join(root, file), "utf8"))),
  ).toEqual([]);
});

test("finds no download address in lock files and npm settings", () => {
  const address = /"resolved": *"http|^registry *=/m;
  expect("registry = https://packages.example").toMatch(address);
  for (const file of ["package-lock.json", ".npmrc", "runtime/.npmrc"])
    if (existsSync(path.join(root, file)))
      expect(readFileSync(path.join(root, file), "utf8"), file).not.toMatch(address);
});

test("matches the types of the schema to the migrations", async () => {
  expect(readFileSync(path.join(root, "src/platform/db/schema.ts"), "utf8")).toBe(
    await schemaSource(await embeddedImage()),
  );
});
