/** The tests that `npm run test:mutation` runs against every change of the money rules: the pure ones of these rules, nothing else. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "src/payments/**/*rules.test.ts",
      "src/bookings/rules.test.ts",
      "src/bookings/balance/*.pure.test.ts",
      "src/bookings/{cancellation,lifecycle}/*.{pure,rules}.test.ts",
    ],
    setupFiles: ["test/setup.ts"],
    testTimeout: 60_000,
  },
});
