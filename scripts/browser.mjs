/** Finds the system's Chromium for the e2e tests: named by CHROMIUM, on the path, or installed if permitted. Works on Node 20. */

import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";
import { run, step } from "./steps.mjs";

// The shell is Chromium without windows: the same pages for two thirds of the processor time.
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const macPlaces = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

function runs(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function present() {
  const given = process.env.CHROMIUM;
  if (given) return runs(given) ? given : undefined;
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  const onPath = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...onPath, ...macPlaces].find((file) => existsSync(file) && runs(file));
}

/** Returns the path of the browser, or undefined if there is none and none can be installed. */
export async function findBrowser() {
  const found = present();
  if (found || process.env.CHROMIUM || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return found;
  await step("Installing Chromium for the browser tests", async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update", "-q"], { quiet: true, env });
    await run("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium", "fonts-liberation"], {
      quiet: true,
      env,
    });
  });
  return present();
}
