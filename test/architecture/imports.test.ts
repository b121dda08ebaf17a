/** The import rules, with a planted violation of each, because a check that finds nothing must be proven. */

import { mkdirSync, rmSync, symlinkSync, writeFileSync, mkdtempSync } from "node:fs";
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
/** Fewer modules mean that nothing was read, and the check would always pass. */
const minModules = 80;

async function checkImports(folder: string, entries: string[]): Promise<ICruiseResult> {
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

test("finds no violation in the sources", async () => {
  const { summary } = await checkImports(root, ["src", "sandbox", "seed"]);
  expect(summary.totalCruised).toBeGreaterThan(minModules);
  expect(summary.violations.map((v) => `${v.rule.name}: ${v.from} → ${v.to}`)).toEqual([]);
});

const violations: Record<string, Record<string, string>> = {
  "no-cycles": {
    "src/artists/a.ts": 'import { b } from "./b.ts"; export const a = () => b;',
    "src/artists/b.ts": 'import { a } from "./a.ts"; export const b = () => a;',
  },
  "platform-knows-no-module": {
    "src/platform/a.ts": 'export * from "../artists/index.ts";',
    "src/artists/index.ts": "export const a = 1;",
  },
  "modules-enter-by-the-public-index": {
    "src/bookings/a.ts": 'export * from "../artists/store.ts";',
    "src/artists/store.ts": "export const a = 1;",
  },
  "modules-know-no-app-nor-web": {
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
  "nothing-imports-reviews": {
    "src/artists/a.ts": 'export * from "../reviews/index.ts";',
    "src/reviews/index.ts": "export const a = 1;",
  },
  "realtime-knows-no-module": {
    "src/realtime/a.ts": 'export * from "../users/index.ts";',
    "src/users/index.ts": "export const a = 1;",
  },
  "the-calendar-knows-no-bookings": {
    "src/calendar/a.ts": 'export * from "../bookings/index.ts";',
    "src/bookings/index.ts": "export const a = 1;",
  },
  "the-ledger-knows-no-module": {
    "src/ledger/a.ts": 'export * from "../payments/index.ts";',
    "src/payments/index.ts": "export const a = 1;",
  },
  "nothing-imports-the-gotrue-protocol": {
    "src/users/account/a.ts": 'export * from "../gotrue/call.ts";',
    "src/users/gotrue/call.ts": "export const a = 1;",
  },
  "providers-are-chosen-in-one-place": {
    "src/users/account/a.ts": 'export * from "../providers/gotrue-hosted/client.ts";',
    "src/users/providers/gotrue-hosted/client.ts": "export const a = 1;",
  },
  "use-cases-know-no-http": {
    "src/users/local-accounts/a.ts": 'import type { FastifyRequest } from "fastify";\nexport type A = FastifyRequest;',
  },
  "sessions-and-codes-know-nothing-above-them": {
    "src/users/sessions/a.ts": 'export * from "../account/views.ts";',
    "src/users/account/views.ts": "export const a = 1;",
  },
  "providers-know-no-authentication": {
    "src/users/providers/local/a.ts": 'export * from "../../authentication/authenticate.ts";',
    "src/users/authentication/authenticate.ts": "export const a = 1;",
  },
  "rules-are-pure": {
    "src/bookings/rules.ts": 'export * from "./store.ts";',
    "src/bookings/store.ts": "export const a = 1;",
  },
  "rules-need-no-node": {
    "src/bookings/rules.ts": 'export * from "./terms.ts";',
    "src/bookings/terms.ts": 'export { readFileSync } from "node:fs";',
  },
  "api-is-portable": {
    "src/bookings/api.ts": 'export * from "./store.ts";',
    "src/bookings/store.ts": "export const a = 1;",
  },
  "web-sees-only-api-and-rules": {
    "src/web/a.tsx": 'export * from "../bookings/store.ts";',
    "src/bookings/store.ts": "export const a = 1;",
  },
  "web-runs-in-a-browser": { "src/web/a.tsx": 'export { readFileSync } from "node:fs";' },
  "the-gateway-knows-no-module": {
    "src/gateway/a.ts": 'export * from "../payments/index.ts";',
    "src/payments/index.ts": "export const a = 1;",
  },
  "delivery-knows-no-template": {
    "src/delivery/a.ts": 'export * from "../notifications/index.ts";',
    "src/notifications/index.ts": "export const a = 1;",
  },
  "payments-know-no-disputes": {
    "src/payments/a.ts": 'export * from "../disputes/index.ts";',
    "src/disputes/index.ts": "export const a = 1;",
  },
  "disputes-know-no-reconciliation": {
    "src/disputes/a.ts": 'export * from "../reconciliation/index.ts";',
    "src/reconciliation/index.ts": "export const a = 1;",
  },
  "payments-apply-provider-state-for-two-modules": {
    "src/bookings/a.ts": 'export * from "../payments/provider-sync.ts";',
    "src/payments/provider-sync.ts": "export const a = 1;",
  },
  "contracts-are-signed-in-bookings": {
    "src/invoicing/a.ts": 'export * from "../contracts/signing-for-bookings.ts";',
    "src/contracts/signing-for-bookings.ts": "export const a = 1;",
  },
  "payouts-know-no-payments": {
    "src/payouts/a.ts": 'export * from "../payments/index.ts";',
    "src/payments/index.ts": "export const a = 1;",
  },
  "vendors-only-in-adapters": { "src/payments/a.ts": 'export { default } from "stripe";' },
  "engines-only-in-the-platform": { "src/bookings/a.ts": 'export { default } from "pg";' },
  "mantine-only-in-dashboards": { "src/web/public/a.tsx": 'export { Button } from "@mantine/core";' },
  "production-imports-no-tests": {
    "seed/a.ts": 'export * from "../test/factories/users.ts";',
    "test/factories/users.ts": "export const a = 1;",
  },
  "the-product-runs-without-the-sandbox": {
    "src/payments/a.ts": 'export * from "../../sandbox/index.ts";',
    "sandbox/index.ts": "export const a = 1;",
  },
  "the-sandbox-knows-only-the-payment-gateway": {
    "sandbox/a.ts": 'export * from "../src/payments/store.ts";',
    "src/payments/store.ts": "export const a = 1;",
  },
  "nothing-imports-the-seed": {
    "src/bookings/a.ts": 'export * from "../../seed/index.ts";',
    "seed/index.ts": "export const a = 1;",
  },
};

describe("import rules", () => {
  test("has a planted violation for each rule", () => {
    expect(Object.keys(violations).sort()).toEqual(config.forbidden.map((rule) => rule.name).sort());
  });

  test.each(Object.entries(violations))("finds the planted violation of %s", async (rule, files) => {
    const folder = mkdtempSync(path.join(tmpdir(), "stagedoor-offence-"));
    try {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        writeFileSync(path.join(folder, file), text);
      }
      symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
      const { summary } = await checkImports(folder, [
        ...new Set(Object.keys(files).map((file) => file.split("/")[0] ?? "")),
      ]);
      expect(summary.violations.map((violation) => violation.rule.name)).toContain(rule);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
