import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isThorough } from "./test/tier.ts";

// Screens show times in the zone of the machine.
process.env["TZ"] = "UTC";

/** Runs the flow and backup tests of each project first, because they take longest. Without durations of an earlier run, the largest files come first. */
class FlowsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const place = ({ project, moduleId }: TestSpecification) =>
      projects.indexOf(project) * 2 + (/\/test\/(postgres|data)\/|\/process\/backup\./.test(moduleId) ? 0 : 1);
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

/** Wait limit in ms for a condition, on a machine with many times the usual load. */
const waits = { expect: { poll: { timeout: 60_000 } } };

/** Tests of minutes that repeat shorter ones run daily and in the deep tier, not per commit (docs/decisions/0090). */
const daily = isThorough ? [] : ["**/*.daily.test.ts"];

const data = {
  ...waits,
  include: ["{src,sandbox}/**/*.test.ts", "test/data/**/*.test.ts", "seed/**/*.test.ts"],
  exclude: ["**/rules.test.ts", "**/*.rules.test.ts", "**/*.pure.test.ts", "src/web/**", ...daily],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  setupFiles: ["test/setup.ts", "test/setup-generated-cases.ts"],
  // The application is loaded once per worker, not per file, which halves the time. A file must inject a service instead of mocking a module.
  isolate: false,
};

/**
 * Files whose result may depend on the engine (docs/decisions/0090): the engine itself and code built on its locks,
 * notifications, exclusion constraints and text search, the keys and the seed of a fresh installation, and the main flows.
 */
const engineFiles = [
  "src/platform/**/*.test.ts",
  "src/realtime/streams.test.ts",
  "src/artists/**/search*.test.ts",
  "src/bookings/{checkout,request}/**/*.test.ts",
  "src/bookings/lifecycle/booking-flow.test.ts",
  "src/payments/checkout/**/*.test.ts",
  "src/app/clock/clock*.test.ts",
  "src/users/full-app.test.ts",
  "src/users/reencrypt.test.ts",
  "seed/**/*.test.ts",
];
const everyEngine = process.env["TEST_DEEP"] === "1" || process.env["TEST_EMBEDDED"] === "all";

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: FlowsFirst },
    projects: [
      {
        test: {
          ...waits,
          name: "pure",
          testTimeout: 120_000,
          include: [
            "src/**/rules.test.ts",
            "src/**/*.rules.test.ts",
            "src/**/*.pure.test.ts",
            "test/pure/**/*.test.ts",
          ],
          exclude: ["src/web/**"],
          setupFiles: ["test/setup.ts", "test/setup-generated-cases.ts"],
          isolate: false,
        },
      },
      { test: { name: "architecture", include: ["test/architecture/**/*.test.{ts,mts}"], testTimeout: 300_000 } },
      {
        test: {
          ...data,
          name: "embedded",
          include: everyEngine ? data.include : engineFiles,
          globalSetup: ["test/global-setup.ts"],
        },
      },
      {
        test: {
          ...data,
          name: "postgres",
          include: [...data.include, "test/postgres/**/*.test.ts"],
          env: { TEST_ENGINE: "postgres" },
        },
      },
      {
        test: {
          ...waits,
          name: "process",
          include: ["test/process/**/*.test.ts"],
          exclude: daily,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          globalSetup: ["test/process/empty-market.ts"],
        },
      },
      {
        test: {
          ...waits,
          name: "web",
          include: ["src/web/**/*.test.{ts,tsx}"],
          environment: "jsdom",
          // A separate context per file, but one process per worker: packages are compiled once, for a third of the time.
          pool: "vmThreads",
          testTimeout: 120_000,
          setupFiles: ["src/web/lib/test-toasts.ts", "test/setup-web.ts"],
        },
      },
    ],
  },
});
