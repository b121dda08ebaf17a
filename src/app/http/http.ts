import { randomUUID } from "node:crypto";
import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { artistFilesPlugin, artPlugin } from "#artists/index.ts";
import { bookingsPlugin, contractDocumentPlugin, signedDocumentPlugin } from "#bookings/index.ts";
import { calendarFeedsPlugin } from "#calendar/feeds/index.ts";
import { esignWebhookPlugin } from "#contracts/index.ts";
import { devMailboxPlugin } from "#delivery/index.ts";
import { documentsPlugin } from "#invoicing/index.ts";
import { templateTitle } from "#notifications/index.ts";
import { Problem, invalid } from "#platform/errors.ts";
import { bodyLimitBytes, parseBody } from "#platform/http/body.ts";
import { readAddresses } from "#platform/http/client-address.ts";
import { logFailure, problemOf } from "#platform/http/problems.ts";
import { readHostCookies } from "#platform/http/request.ts";
import { useValidationMessages } from "#platform/http/validation-messages.ts";
import { staticPagesPlugin } from "#platform/pages/static-page.ts";
import { providerPlugin } from "#reconciliation/index.ts";
import { earningsPlugin, exportPlugin } from "#reports/index.ts";
import { authPlugin } from "#users/index.ts";
import { readAttachment } from "../attachments.ts";
import { clockProblems } from "../clock/advance.ts";
import { clockPlugin } from "../clock/plugin.ts";
import { logoPlugin } from "../logo/plugin.ts";
import { pagesPlugin } from "../pages/plugin.ts";
import { siteIconsPlugin } from "../pages/site-icons.plugin.ts";
import { markWrites } from "../public-reads.ts";
import { guardDemo } from "../requests/demo-guard.ts";
import { sendProblem } from "../requests/problem-reply.ts";
import { watchForUnlistedProxy } from "../requests/proxy-notice.ts";
import { logRequests, nameRequests } from "../requests/request-log.ts";
import { traceRequests } from "../requests/request-traces.ts";
import { endConnectionsOnClose, serverTimeouts } from "../requests/timeouts.ts";
import type { Services } from "../services.ts";
import { apiPlugin } from "./api-plugin.ts";
import { docsPlugin } from "./docs.ts";
import { type Health, serveHealth } from "./health.ts";

/** Builds the server. `health` is the source of /readyz. `pages` = false leaves the web out (API tests). */
export async function buildApp(services: Services, options: { health?: Health; pages?: boolean } = {}) {
  useValidationMessages();
  const app = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Every entry names its request itself. A child logger per request would cost more than most requests.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    bodyLimit: bodyLimitBytes,
    ...serverTimeouts,
    trustProxy: services.config.trustedProxies.length ? [...services.config.trustedProxies] : false,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 400 },
    // An address that cannot be decoded reaches no route and no hook.
    frameworkErrors: (error, request, reply) => {
      services.log.debug({ err: error, requestId: request.id }, "an address could not be parsed");
      const problem = invalid("This address is not valid: it contains an invalid % sign.");
      void sendProblem(reply.headers(commonHeaders(services, request)) as FastifyReply, problem, request, true);
    },
  });
  readAddresses(app.server);
  await app.register(cookie);
  if (!services.config.dev)
    await app.register(compress, {
      // Responses only: a small compressed request body could expand to megabytes.
      globalDecompression: false,
      encodings: ["br", "gzip"],
      threshold: 1_024,
      brotliOptions: { params: { 1: 4 } },
    });
  // Synchronous hooks take a callback, because a promise per hook and request costs more than their work.
  app.addHook("onRequest", (request, _reply, done) => {
    readHostCookies(request);
    done();
  });
  logRequests(app, services.log);
  nameRequests(app);
  if (services.config.tracesUrl) traceRequests(app, { behindProxy: services.config.trustedProxies.length > 0 });
  // Streams end first, because the server would wait for them.
  app.addHook("preClose", () => services.streams.drain());
  endConnectionsOnClose(app);
  refuseTwoHosts(app);
  refuseEncodedBodies(app);
  guardDemo(app, services.config);
  watchForUnlistedProxy(app, services);
  readBodiesStrictly(app);
  handleErrors(app, services);
  addCommonHeaders(app, services);
  markWrites(app, services);

  serveHealth(app, options.health ?? { ready: () => true }, services);
  await app.register(authPlugin(services), { prefix: "/auth/v1" });
  if (services.config.demo) await app.register(staticPagesPlugin());
  await app.register(providerPlugin(services));
  await app.register(esignWebhookPlugin(services));
  await app.register(bookingsPlugin(services));
  await app.register(contractDocumentPlugin(services));
  await app.register(signedDocumentPlugin(services));
  await app.register(documentsPlugin(services));
  await app.register(calendarFeedsPlugin(services));
  await app.register(devMailboxPlugin(services, { readAttachment, titleOf: templateTitle, clockProblems }));
  await app.register(clockPlugin(services));
  await app.register(artPlugin(services));
  await app.register(siteIconsPlugin());
  await app.register(exportPlugin(services));
  await app.register(earningsPlugin(services));
  await app.register(artistFilesPlugin(services));
  await app.register(logoPlugin(services));
  await app.register(docsPlugin());
  await app.register(apiPlugin(services), { prefix: "/api" });
  if (options.pages !== false) await app.register(pagesPlugin(services));
  else app.setNotFoundHandler(() => Promise.reject(new Problem("not_found", "There is nothing at this address.")));
  return app;
}

/** Refuses two Host headers, because each server in between may choose another one (RFC 9112, 3.2). */
function refuseTwoHosts(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw: { rawHeaders } }, reply, done) => {
    const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
    if (hosts.length <= 1) return done();
    reply.header("connection", "close");
    done(invalid("The request names two hosts."));
  });
}

/** Refuses a compressed body before it is read. The response closes the connection. */
function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    const encoding = request.headers["content-encoding"];
    if (encoding === undefined || encoding.trim().toLowerCase() === "identity") return done();
    reply.header("connection", "close");
    done(
      new Problem("unsupported", "Compressed request bodies are not accepted. Send the body without Content-Encoding."),
    );
  });
}

function readBodiesStrictly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, bytes, done) => {
    try {
      done(null, parseBody(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

function handleErrors(app: FastifyInstance, services: Services): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error);
    logFailure(services.log, { error, problem, requestId: request.id });
    return sendProblem(reply, problem, request);
  });
}

const commonHeaders = ({ config }: Services, request: Pick<FastifyRequest, "id">) => ({
  "x-request-id": request.id,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  ...(config.publicUrl.startsWith("https:")
    ? { "strict-transport-security": "max-age=31536000; includeSubDomains" }
    : {}),
});

const dotSegment = /^[^?#]*(\\|\/(\.|%2e){1,2}([/?#]|$))/i;

/** Returns what is wrong with an address. The router would serve another path than the one that rules by path have checked. */
function addressProblem(url: string): string | undefined {
  if (!url.startsWith("/")) return "The address is not a path.";
  if (url.includes("%00")) return "The address contains a NUL character, which cannot be stored.";
  return dotSegment.test(url) ? "The address contains a dot segment or a backslash." : undefined;
}

function addCommonHeaders(app: FastifyInstance, services: Services): void {
  app.addHook("onRequest", (request: FastifyRequest, reply: FastifyReply, done) => {
    void reply.headers(commonHeaders(services, request));
    const message = addressProblem(request.url);
    if (message === undefined) return done();
    void sendProblem(reply, invalid(message), request, true);
  });
}
