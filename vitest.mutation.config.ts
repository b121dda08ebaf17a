/** The tests that `npm run test:mutation` runs against changes of the money rules. */

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "src/payments/**/*rules.test.ts",
      "src/payments/refunds/*.test.ts",
      "src/payouts/{,reversals/}*.test.ts",
      "src/disputes/*.test.ts",
      "src/bookings/page/{disputed-money,disputed-refunds,regained-money,returned-parts}.test.ts",
      "src/platform/money.rules.test.ts",
      "src/bookings/rules/**/*.test.ts",
      "src/bookings/cancellation/*.test.ts",
      "src/calendar/*.rules.test.ts",
      "src/invoicing/rules.test.ts",
    ],
    setupFiles: ["test/setup.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
