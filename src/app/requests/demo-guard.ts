/** Restricts the demo to this machine: its mailbox shows links that open accounts, its passwords are public, and any user may become an admin. */

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "#platform/config.ts";
import { Problem } from "#platform/errors.ts";
import { isLocalRequest } from "#platform/http/request-headers.ts";

const guarded = /^\/(dev|api\/dev|auth\/v1)(\/|$)/;

/** Answers direct, local requests for accounts and the mailbox only, in demo mode. */
export function guardDemo(app: FastifyInstance, config: Pick<Config, "demo">): void {
  if (!config.demo) return;
  app.addHook("onRequest", (request, _reply, done) => {
    const guards = request.headers.authorization !== undefined || guarded.test(pathOf(request));
    if (!guards || isLocalRequest(request.headers)) return done();
    done(
      new Problem(
        "forbidden",
        "Demo mode only accepts requests from this machine, because its accounts and its mailbox are public. Open it at localhost without a proxy, or set DEMO=0.",
      ),
    );
  });
}

function pathOf(request: FastifyRequest): string {
  const path = request.url.split(/[?#;]/, 1)[0] ?? "";
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
