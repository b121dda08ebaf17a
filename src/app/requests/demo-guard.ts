/** Restricts the demo to this machine: its mailbox shows links that open accounts, its passwords are public, and anybody may become an admin. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "#platform/config.ts";
import { Problem } from "#platform/errors.ts";
import { isLocalRequest } from "#platform/http/local-request.ts";

const guarded = /^\/(dev|api\/dev|auth\/v1)(\/|$)/;
/** The accounts of the demo market. `.test` is reserved: nobody has a mailbox there. */
const demoAddress = /@demo\.test\s*$/i;

/** In demo mode accounts and mailbox answer direct, local requests only; elsewhere the demo's accounts do not open. */
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
        "Demo mode answers this machine only: its accounts and its mailbox are open to everybody who reaches them. Open it at localhost without a proxy, or set DEMO=0.",
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

/** A data folder that once ran in demo mode holds accounts whose password everybody knows. */
function refuseDemoAccount(request: FastifyRequest): void {
  if (!guarded.test(pathOf(request))) return;
  const { body } = request;
  const email = typeof body === "object" && body !== null && "email" in body ? body.email : undefined;
  if (typeof email === "string" && demoAddress.test(email))
    throw new Problem("forbidden", "The accounts of the demo market do not open outside demo mode.");
}
