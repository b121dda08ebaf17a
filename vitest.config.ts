import { defineConfig } from "vitest/config";

const data = {
  include: ["src/**/*.test.ts", "test/data/**/*.test.ts", "seed/**/*.test.ts"],
  exclude: ["**/*rules.test.ts", "**/*.pure.test.ts", "src/web/**"],
  testTimeout: 60_000,
  hookTimeout: 120_000,
  setupFiles: ["test/setup.ts"],
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "pure",
          testTimeout: 20_000,
          include: ["src/**/*rules.test.ts", "src/**/*.pure.test.ts", "test/pure/**/*.test.ts"],
          exclude: ["src/web/**"],
          setupFiles: ["test/setup.ts"],
          isolate: false,
        },
      },
      { test: { name: "architecture", include: ["test/architecture/**/*.test.{ts,mts}"], testTimeout: 60_000 } },
      { test: { ...data, name: "embedded", globalSetup: ["test/global-setup.ts"] } },
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
          name: "process",
          include: ["test/process/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "web",
          include: ["src/web/**/*.test.{ts,tsx}"],
          environment: "jsdom",
          testTimeout: 20_000,
          setupFiles: ["test/setup-web.ts"],
        },
      },
    ],
  },
});
