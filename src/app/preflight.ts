import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { isCurrency } from "#payments/rules.ts";
import { type Config, ConfigError } from "#platform/config.ts";
import { findLockOwner, refuseLockedFolder } from "#platform/db/data-folder/lock.ts";
import { errorCode } from "#platform/errors.ts";

const stoppingTries = 30;

/** Throws ConfigError, and changes nothing, if payments cannot have a currency of the sandbox, or another process uses the data folder or the port. Waits for one that is stopping: it closes its port before its database. */
export async function preflight(config: Config): Promise<void> {
  const unknown = config.sandboxCurrencies.find((code) => !isCurrency(code));
  if (unknown !== undefined) throw new ConfigError(`SANDBOX_CURRENCIES: payments cannot take "${unknown}".`);
  if (!config.databaseUrl) {
    for (let tries = 0; tries < stoppingTries && findLockOwner(config.dataDir); tries++) await pause(100);
    refuseLockedFolder(config.dataDir);
  }
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once("error", reject).listen({ port: config.port, host: config.host, exclusive: true }, resolve);
    });
  } catch (error) {
    throw portProblem(error, config);
  }
  await new Promise((resolve) => probe.close(resolve));
}

/** Returns the operator's message if the port or the address cannot be used. Returns any other error unchanged. */
export function portProblem(error: unknown, { port, host }: Config): unknown {
  const code = errorCode(error);
  if (code === "EADDRINUSE")
    return new ConfigError(`PORT: ${port} on ${host} is in use by another program. Stop it, or set another PORT.`);
  if (code === "EACCES")
    return new ConfigError(`PORT: this user is not allowed to listen on ${port}. Set a PORT above 1023.`);
  if (code && ["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"].includes(code))
    return new ConfigError(`HOST: ${host} is not an address of this machine. Set HOST=127.0.0.1 or HOST=0.0.0.0.`);
  return error;
}
