import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reachableFiles } from "../../scripts/web/import-graph.mjs";
import { buildWhenChanged, webSources } from "../../scripts/web/web-build.mjs";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "stagedoor-web-build-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

const builds = () => buildWhenChanged(root, path.join(root, "build/.complete"), async () => undefined);

function writeProject(): void {
  write("package-lock.json", "{}");
  write("src/web/form.tsx", 'import { terms } from "#bookings/rules.ts";\nimport styles from "./form.module.css";');
  write("src/web/form.module.css", "a {}");
  write("src/bookings/rules.ts", 'export * from "./cancellation.rules.ts";');
  write("src/bookings/cancellation.rules.ts", "export const terms = { percent: 25 };");
  write("src/bookings/store.ts", "export const a = 1;");
}

test("builds the web after a changed percentage in a file that a rules.ts re-exports", async () => {
  writeProject();
  expect(await builds()).toBe(true);
  expect(await builds()).toBe(false);
  write("src/bookings/cancellation.rules.ts", "export const terms = { percent: 50 };");
  expect(await builds()).toBe(true);
  expect(await builds()).toBe(false);
});

test("builds nothing for files that the web does not import, or that were only touched", async () => {
  writeProject();
  await builds();
  write("src/bookings/store.ts", "export const a = 2;");
  write("src/web/form.test.tsx", "");
  expect(await builds()).toBe(false);
  utimesSync(path.join(root, "src/web/form.tsx"), new Date(), new Date(2026, 1, 1));
  expect(await builds()).toBe(false);
});

test("builds the web after a new file, a removed file and a new package", async () => {
  writeProject();
  await builds();
  write("src/web/other.tsx", "");
  expect(await builds()).toBe(true);
  rmSync(path.join(root, "src/web/other.tsx"));
  expect(await builds()).toBe(true);
  write("package-lock.json", '{"lockfileVersion":3}');
  expect(await builds()).toBe(true);
});

test("retries a failed build the next time", async () => {
  writeProject();
  const fails = buildWhenChanged(root, path.join(root, "build/.complete"), () => Promise.reject(new Error("no")));
  await expect(fails).rejects.toThrow("no");
  expect(await builds()).toBe(true);
});

test("includes the whole API and every rule that a rules.ts re-exports", () => {
  const project = path.resolve(import.meta.dirname, "../..");
  const sources = webSources(project).map((file) => path.relative(project, file));
  expect(sources).toContain("src/app/routing/api.ts");
  const rules = reachableFiles(project, [path.join(project, "src/bookings/rules.ts")]);
  expect(rules.length).toBeGreaterThan(2);
  expect(sources).toEqual(expect.arrayContaining(rules.map((file) => path.relative(project, file))));
});
