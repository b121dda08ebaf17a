import { accessSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { daily, isThorough } from "./e2e/support/tier.ts";

// The tests, their servers and the browser have the same days.
process.env["TZ"] = "UTC";

/** Returns the path of Chromium: CHROMIUM, or one of the usual locations. */
function chromium(): string | undefined {
  const places = [
    process.env["CHROMIUM"],
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ];
  return places.find((place) => {
    try {
      if (place) accessSync(place);
      return Boolean(place);
    } catch {
      return false;
    }
  });
}

const executablePath = chromium();

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/support/prepared-market.ts",
  outputDir: "test-results",
  fullyParallel: false,
  ...(isThorough ? {} : { grepInvert: new RegExp(daily) }),
  // For two cores, because a worker waits for a tenth of its time (docs/decisions/0090).
  workers: 3,
  // A retry on a fresh server distinguishes a flaky test from a broken one. The run prints both. Only a broken one fails it.
  retries: 1,
  // Limits for tests on a machine with many times the usual load. No test asserts a duration.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [["line"], ["json", { outputFile: "test-results/e2e.json" }]],
  use: {
    trace: "off",
    // A missing element fails here with its name, not with the timeout of the whole test.
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    // No test waits for the end of an animation, except the tests of the main flow.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        // One process less per browser, because no graphics card is used.
        "--in-process-gpu",
        // A tab reuses the previous process, because starting one takes a fifth of a page's time.
        "--renderer-process-limit=1",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
