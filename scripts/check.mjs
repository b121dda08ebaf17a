/** npm run check: format, types, lint, pure rules and architecture tests, in under a minute. */

import { quickParts, runParts } from "./parts.mjs";
import { prepare } from "./setup.mjs";
import { command } from "./steps.mjs";

await command(async () => {
  const { ok, line } = await runParts(await prepare(), quickParts);
  process.stdout.write(`\n${line}\n`);
  process.exitCode = ok ? 0 : 1;
});
