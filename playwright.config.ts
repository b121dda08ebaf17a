import { accessSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineConfig } from "@playwright/test";

/** The system's Chromium: named by CHROMIUM, or found in the usual places. */
function chromium(): string | undefined {
  const places = [
    process.env["CHROMIUM"],
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

const port = Number(process.env["E2E_PORT"] ?? 3290);
const executablePath = chromium();

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  fullyParallel: false,
  workers: process.env["CI"] ? 2 : 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["line"], ["json", { outputFile: "test-results/e2e.json" }]],
  // Counting open streams needs a server that nobody else watches: that file runs after all others.
  projects: [
    { name: "all", testIgnore: "live.spec.ts" },
    { name: "live", testMatch: "live.spec.ts", dependencies: ["all"] },
  ],
  use: {
    baseURL: `http://localhost:${port}`,
    trace: "off",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: "node src/app/main.ts",
    url: `http://localhost:${port}/readyz`,
    timeout: 180_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
    stdout: "ignore",
    stderr: "pipe",
    env: {
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: path.join(tmpdir(), `stagedoor-e2e-${process.pid}`),
      LOG_LEVEL: "error",
      RATE_LIMITS: "off",
    },
  },
});
