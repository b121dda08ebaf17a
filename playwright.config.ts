import { accessSync } from "node:fs";
import { defineConfig } from "@playwright/test";
import { daily, isThorough } from "./e2e/support/tier.ts";

/** The system's Chromium: named by CHROMIUM, or found in the usual places. */
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
  // On two cores, because a worker waits for a tenth of its time (docs/decisions/0090).
  workers: 3,
  // A second try on a fresh server tells a flaky test from a broken one. The run prints both; only a broken one fails it.
  retries: 1,
  // Limits of a machine with many times the usual load. No test asserts how long something takes.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [["line"], ["json", { outputFile: "test-results/e2e.json" }]],
  use: {
    trace: "off",
    // An element that never comes fails here, with its name, and not with the whole test's time.
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    // Nothing waits for an animation to end; the tests of the main flow run with motion.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        // One process less for each browser: nothing is drawn by a graphics card.
        "--in-process-gpu",
        // A tab takes the process of the one before: starting one costs a fifth of a page's time.
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
