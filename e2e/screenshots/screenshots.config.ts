/** `npm run screenshots`: screenshots of every screen for review, not part of `npm test`. One part: `npm run screenshots -- -g "promoter empty"`. */

import base from "../../playwright.config.ts";

export default {
  ...base,
  testDir: ".",
  testMatch: "*.pictures.ts",
  // The pictures make their own market. The base path would be resolved from this folder.
  globalSetup: undefined,
  workers: 1,
  retries: 0,
  timeout: 900_000,
  reporter: "line",
};
