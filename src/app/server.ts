import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Fastify, { type FastifyInstance, LogController } from "fastify";
import type { Config } from "#platform/config.ts";
import type { Log } from "#platform/log.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { recordSenderDefaults } from "#settings/index.ts";
import { openCliSocket } from "./admin/socket.ts";
import { checkBackupLocation } from "./backup/backup-location.ts";
import { makeClockCheck } from "./components/own-clock.ts";
import { type Health, serveHealth } from "./http/health.ts";
import { buildApp } from "./http/http.ts";
import { releaseUnusedMemory } from "./memory.ts";
import { portProblem } from "./preflight.ts";
import { warnOfMissingProxySetting } from "./requests/proxy-notice.ts";
import { endConnectionsOnClose, serverTimeouts } from "./requests/timeouts.ts";
import { warnOfTestPayments } from "./sandbox-payments.views.ts";
import { type OpenServices, openServices } from "./services.ts";
import { startTracing } from "./tracing.ts";
import type { Work } from "./worker.ts";

/** In ms. The embedded engine has one connection: an immediate start of the jobs would delay the first visitor. */
const firstPageMs = 250;
const restAfterMs = 5_000;

export type Server = { readonly port: number; readonly log: Log; stop(): Promise<void> };

/** Opens, migrates, seeds, listens. Throws ConfigError if the port was used after the preflight check (preflight.ts). */
export async function startServer(config: Config): Promise<Server> {
  const services = await openServices(config);
  warnOfSettings(config, services.log);
  const stops: (() => Promise<void>)[] = [await startTracing(services), () => services.close()];
  let stopping: Promise<void> | undefined;
  const endAll = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  const stop = () => (stopping ??= endAll());
  try {
    await checkBackupLocation(services);
    await recordSenderDefaults(services);
    await warnOfTestPayments(services);
    if (config.seed === "demo") await (await import("#seed/index.ts")).seedDemo(services);
    const port = await open(config, services, stops);
    return { port, log: services.log, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function open(config: Config, services: OpenServices, stops: (() => Promise<void>)[]): Promise<number> {
  const state = { ready: false };
  const health: Health = { ready: () => state.ready };
  if (!config.databaseUrl) stops.push(await openCliSocket(services));
  let work: Work | undefined;
  stops.push(async () => work?.stop());
  const app = config.process === "worker" ? await healthApp(health, services) : await buildApp(services, { health });
  stops.push(async () => {
    state.ready = false;
    await app.close();
  });
  const port = await listen(app, config);
  state.ready = true;
  await pause(firstPageMs);
  if (config.process !== "web") work = (await import("./worker.ts")).startWork(services);
  if (config.seed === "demo" && config.process !== "web")
    stops.push((await import("#seed/samples.ts")).startDemoSamples(services));
  const checkClock = makeClockCheck(services);
  void checkClock();
  const checking = setInterval(() => void checkClock(), minuteMs).unref();
  stops.push(async () => clearInterval(checking));
  const resting = setTimeout(releaseUnusedMemory, restAfterMs).unref();
  stops.push(async () => clearTimeout(resting));
  return port;
}

async function healthApp(health: Health, services: OpenServices): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: "idle",
    ...serverTimeouts,
  });
  endConnectionsOnClose(app);
  serveHealth(app, health, services);
  return app;
}

async function listen(app: FastifyInstance, config: Config): Promise<number> {
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    throw portProblem(error, config);
  }
  const address = app.server.address();
  return typeof address === "object" && address ? address.port : config.port;
}

function warnOfSettings(config: Config, log: Log): void {
  warnOfMissingProxySetting(config, log);
  if (!config.demo && !config.databaseUrl)
    log.warn(
      { folder: path.join(config.dataDir, "pg") },
      "DATABASE_URL is not set: all data is in the embedded database in DATA_DIR, which is for trials and small sites",
    );
  for (const message of config.misspelled) log.warn(message);
}
