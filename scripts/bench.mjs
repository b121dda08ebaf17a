/** npm run bench: measures the figures against their targets, on a local PostgreSQL. Arguments choose parts: npm run bench -- api memory */

import { findBrowser } from "./browser.mjs";
import { openPostgres } from "./postgres/postgres.mjs";
import { environmentFor, prepare } from "./setup.mjs";
import { command, root, run, step, StepFailed } from "./steps.mjs";

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

await command(async () => {
  const node = await prepare({ web: true });
  const postgres = await step("Starting PostgreSQL for the bench", openPostgres);
  if (!postgres)
    throw new StepFailed("The bench needs PostgreSQL 15 or later: install it, or set DATABASE_URL_TEST to a server.");
  try {
    const browser = await findBrowser();
    const env = environmentFor(node, {
      DATABASE_URL_TEST: postgres.url,
      NODE_ENV: "production",
      ...(browser ? { CHROMIUM: browser } : {}),
    });
    const { code } = await run(node, ["bench/run.ts", ...process.argv.slice(2)], { cwd: root, env, stdio: "inherit" });
    process.exitCode = code;
  } finally {
    await postgres.stop();
  }
});
