/** The import judge, and a planted offence for each of its rules: a judge that finds nothing must be able to find something. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { cruise, type ICruiseOptions, type ICruiseResult } from "dependency-cruiser";
import { describe, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const config = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as {
  forbidden: { name: string }[];
  options: ICruiseOptions & { enhancedResolveOptions: object };
};
/** Fewer modules than this means that the judge read nothing and would call anything well. */
const fewestModules = 80;

async function judge(folder: string, entries: string[]): Promise<ICruiseResult> {
  const {
    enhancedResolveOptions,
    tsConfig: _tsConfig,
    ...options
  } = config.options as typeof config.options & { tsConfig: unknown };
  const result = await cruise(
    entries,
    { ...options, baseDir: folder, validate: true, ruleSet: { forbidden: config.forbidden } } as ICruiseOptions,
    enhancedResolveOptions,
  );
  return result.output as ICruiseResult;
}

test("every import follows the arrows", async () => {
  const { summary } = await judge(root, ["src", "seed"]);
  expect(summary.totalCruised).toBeGreaterThan(fewestModules);
  expect(summary.violations.map((v) => `${v.rule.name}: ${v.from} → ${v.to}`)).toEqual([]);
});

const offences: Record<string, Record<string, string>> = {
  "no-cycles": {
    "src/artists/a.ts": 'import { b } from "./b.ts"; export const a = () => b;',
    "src/artists/b.ts": 'import { a } from "./a.ts"; export const b = () => a;',
  },
  "floor-knows-no-room": {
    "src/platform/a.ts": 'export * from "../artists/index.ts";',
    "src/artists/index.ts": "export const a = 1;",
  },
  "rooms-enter-by-the-door": {
    "src/bookings/a.ts": 'export * from "../artists/store.ts";',
    "src/artists/store.ts": "export const a = 1;",
  },
  "rooms-know-no-app-nor-web": {
    "src/bookings/a.ts": 'export * from "../app/http.ts";',
    "src/app/http.ts": "export const a = 1;",
  },
  "payments-and-contracts-know-no-bookings": {
    "src/payments/a.ts": 'export * from "../bookings/index.ts";',
    "src/bookings/index.ts": "export const a = 1;",
  },
  "leaves-know-no-bookings": {
    "src/users/a.ts": 'export * from "../bookings/index.ts";',
    "src/bookings/index.ts": "export const a = 1;",
  },
  "nothing-imports-reports": {
    "src/bookings/a.ts": 'export * from "../reports/index.ts";',
    "src/reports/index.ts": "export const a = 1;",
  },
  "realtime-knows-no-module": {
    "src/realtime/a.ts": 'export * from "../users/index.ts";',
    "src/users/index.ts": "export const a = 1;",
  },
  "rules-are-pure": {
    "src/bookings/rules.ts": 'export * from "./store.ts";',
    "src/bookings/store.ts": "export const a = 1;",
  },
  "rules-need-no-machine": { "src/bookings/rules.ts": 'export { readFileSync } from "node:fs";' },
  "api-is-portable": {
    "src/bookings/api.ts": 'export * from "./store.ts";',
    "src/bookings/store.ts": "export const a = 1;",
  },
  "web-sees-only-api-and-rules": {
    "src/web/a.tsx": 'export * from "../bookings/store.ts";',
    "src/bookings/store.ts": "export const a = 1;",
  },
  "web-runs-in-a-browser": { "src/web/a.tsx": 'export { readFileSync } from "node:fs";' },
  "vendors-only-in-adapters": { "src/payments/a.ts": 'export { default } from "stripe";' },
  "engines-only-in-the-floor": { "src/bookings/a.ts": 'export { default } from "pg";' },
  "kit-only-in-areas": { "src/web/public/a.tsx": 'export { Button } from "@mantine/core";' },
  "nothing-imports-the-seed": {
    "src/bookings/a.ts": 'export * from "../../seed/index.ts";',
    "seed/index.ts": "export const a = 1;",
  },
};

describe("a planted offence is found", () => {
  test("there is one for each rule", () => {
    expect(Object.keys(offences).sort()).toEqual(config.forbidden.map((rule) => rule.name).sort());
  });

  test.each(Object.entries(offences))("%s", async (rule, files) => {
    const folder = mkdtempSync(path.join(tmpdir(), "stagedoor-offence-"));
    try {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        writeFileSync(path.join(folder, file), text);
      }
      symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
      const { summary } = await judge(folder, [...new Set(Object.keys(files).map((file) => file.split("/")[0] ?? ""))]);
      expect(summary.violations.map((violation) => violation.rule.name)).toContain(rule);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
