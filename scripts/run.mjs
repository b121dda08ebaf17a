/** Runs one of our programs under the right Node.js: node scripts/run.mjs FILE ARGUMENTS… */

import { environmentFor, prepare } from "./setup.mjs";
import { command, root, run } from "./steps.mjs";

const [file, ...args] = process.argv.slice(2);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

await command(async () => {
  const node = await prepare();
  const { code } = await run(node, [file, ...args], { cwd: root, env: environmentFor(node), stdio: "inherit" });
  process.exitCode = code;
});
