/** Detects a proxy that TRUSTED_PROXIES does not list. All visitors then share one address and its limits, so the operator is notified. */

import type { FastifyInstance } from "fastify";
import type { Config } from "#platform/config.ts";
import { recordNotice } from "#platform/db/platform.store.ts";
import { passedUnlistedProxy } from "#platform/http/request-headers.ts";
import type { Log } from "#platform/log.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";

const advice = "set TRUSTED_PROXIES to its address; until then limits treat all visitors as one caller";
const renewMs = hourMs;

/** Warns about a public https address without TRUSTED_PROXIES, because the server itself has no TLS. */
export function warnOfMissingProxySetting(config: Config, log: Log): void {
  if (config.publicUrl.startsWith("https:") && config.trustedProxies.length === 0 && config.process !== "worker")
    log.warn(`PUBLIC_URL is https, so there is a proxy in front of this server: ${advice}`);
}

/** Watches requests for the headers of such a proxy. Records it immediately, then once an hour. */
export function watchForUnlistedProxy(app: FastifyInstance, services: PlatformServices): void {
  const { config, log, realClock, database } = services;
  if (config.trustedProxies.length > 0) return;
  let loggedAt: number | undefined;
  app.addHook("onResponse", async (request) => {
    if (!passedUnlistedProxy(request.headers, request.raw.socket.remoteAddress, config.trustedProxies)) return;
    const now = realClock.now();
    if (loggedAt !== undefined && now.getTime() - loggedAt < renewMs) return;
    if (loggedAt === undefined) log.warn({ requestId: request.id }, `a request came through a proxy: ${advice}`);
    loggedAt = now.getTime();
    try {
      await database.transaction((tx) => recordNotice(tx, "unnamed_proxy", now));
    } catch (error) {
      log.warn({ err: error }, "a notice for the operator could not be stored");
    }
  });
}
