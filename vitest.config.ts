import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isThorough } from "./test/tier.ts";

/** Begins each project with the files that drive whole flows, and with the backups: they take longest, and without the times of a former run the largest files come first. */
class FlowsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const place = ({ project, moduleId }: TestSpecification) =>
      projects.indexOf(project) * 2 + (/\/test\/(postgres|data)\/|\/process\/backup\./.test(moduleId) ? 0 : 1);
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

/** A condition is waited for this long, in ms: on a machine with many times the usual load. */
const waits = { expect: { poll: { timeout: 60_000 } } };

/** Tests of minutes that repeat what shorter ones cover: the daily run and the deep tier have them, a commit does not (docs/decisions/0090). */
const daily = isThorough ? [] : ["**/*.daily.test.ts"];

const data = {
  ...waits,
  include: ["{src,sandbox}/**/*.test.ts", "test/data/**/*.test.ts", "seed/**/*.test.ts"],
  exclude: ["**/rules.test.ts", "**/*.rules.test.ts", "**/*.pure.test.ts", "src/web/**", ...daily],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  setupFiles: ["test/setup.ts"],
  // The application is loaded once per worker instead of once per file, which halves the time. A file that mocks a module cannot do so
  // here; it hands in a service instead.
  isolate: false,
};

/**
 * Files whose outcome may depend on the engine (docs/decisions/0090): the engine itself and what is built on its locks, notifications,
 * exclusion constraints and text search, the keys and the seed of a fresh installation, and the main flows.
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
          setupFiles: ["test/setup.ts"],
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
          // A context of its own for each file, but one process per worker: packages are read and compiled once, for a third of the time.
          pool: "vmThreads",
          testTimeout: 120_000,
          setupFiles: ["test/setup-web.ts"],
        },
      },
    ],
  },
});
