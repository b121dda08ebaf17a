/** Restricts the demo to this machine: its mailbox shows links that open accounts, its passwords are public, and any user may become an admin. */

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "#platform/config.ts";
import { Problem } from "#platform/errors.ts";
import { isLocalRequest } from "#platform/http/request-headers.ts";

const guarded = /^\/(dev|api\/dev|auth\/v1)(\/|$)/;
/** The accounts of the demo market. `.test` is reserved: no mailbox exists there. */
const demoAddress = /@demo\.test\s*$/i;

/** Answers direct, local requests for accounts and the mailbox only, in demo mode. Otherwise refuses the demo's accounts. */
export function guardDemo(app: FastifyInstance, config: Pick<Config, "demo">): void {
  if (!config.demo) {
    app.addHook("preHandler", (request, _reply, done) => {
      refuseDemoAccount(request);
      done();
    });
    return;
  }
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

/** Refuses a demo account: a data folder that once ran in demo mode has accounts with public passwords. */
function refuseDemoAccount(request: FastifyRequest): void {
  if (!guarded.test(pathOf(request))) return;
  const { body } = request;
  const email = typeof body === "object" && body !== null && "email" in body ? body.email : undefined;
  if (typeof email === "string" && demoAddress.test(email))
    throw new Problem("forbidden", "The accounts of the demo market cannot sign in outside demo mode.");
}
