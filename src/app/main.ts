import closeWithGrace from "close-with-grace";
import { type Config, ConfigError, readConfig } from "#platform/config.ts";
import { printAddresses } from "./banner.ts";
import { preflight } from "./preflight.ts";
import type { Server } from "./server.ts";

/** In ms. A longer stop is cut off. No request or job needs longer. */
const graceMs = 20_000;

/** Prints in one line why the process cannot start, and ends it. Notifies the start script, which then does not retry. */
function exitWithError(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`Stagedoor cannot start. ${error.message}\n`);
  if (process.connected) process.send?.({ refused: true });
  process.exit(1);
}

// All files of this process are for its owner only.
process.umask(0o077);

function settings(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    return exitWithError(error);
  }
}

const config = settings();

/** Loads the application after the preflight check: a wrong setting or a used port is reported immediately. */
async function start(): Promise<Server> {
  await preflight(config);
  if (process.argv.includes("--preflight")) process.exit();
  const { startServer } = await import("./server.ts");
  return startServer(config);
}

const starting = start();

const grace = closeWithGrace({ delay: graceMs }, async ({ err, signal }) => {
  // systemd signals the server and the start script, which forwards its signal.
  for (const repeated of ["SIGTERM", "SIGINT"]) process.removeAllListeners(repeated).on(repeated, () => undefined);
  const server = await starting.catch(() => undefined);
  if (err && !server) process.stderr.write(`${err.stack ?? err.message}\n`);
  if (err) server?.log.fatal({ err }, "the process ends because of an uncaught error");
  else server?.log.info({ reason: signal ?? "the start script has ended" }, "the process stops");
  await server?.stop();
});
process.stdout.on("error", () => undefined);
// The start script has the other end of this channel. If it closes, the start script has ended and this process ends too.
process.once("disconnect", () => grace.close());

try {
  const server = await starting;
  printAddresses(config, server.port, server.log);
  if (process.connected) process.send?.({ ready: true, port: server.port });
} catch (error) {
  exitWithError(error);
}
