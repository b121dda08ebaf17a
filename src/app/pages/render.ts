import { createHash, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { outageRetrySeconds, Problem } from "#platform/errors.ts";
import { siteOf } from "#platform/http/request-headers.ts";
import { contextOf } from "#platform/http/request.ts";
import { hasJustWritten } from "../public-reads.ts";
import type { OpenServices, Services } from "../services.ts";
import { renderedPage, type visitorApi } from "./visitor-api.ts";

/** In ms, the maximum age of a page that another process changed. Changes by this process clear the cache immediately. */
const maxAgeMs = 1_000;

export type Web = { render(request: Request, nonce?: string): Promise<Response> };
export type WebModule = { createWeb(parts: { api: ReturnType<typeof visitorApi>; clientFolder?: string }): Web };

const isForm = /^\/book\//;

/** A secret in the address, or this browser's cookies, open these pages. They are never cached. */
const isPrivate = /^\/((booking|pay|sign)\/|booking-success(?![\w-]))/i;

/** A page as it is sent. Its compressed form is cached, because compression costs more than the rest. */
type Page = { status: number; headers: Record<string, string>; body: string; compressed?: Promise<Buffer> };

const brotli = promisify(brotliCompress);
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
/** Smaller ones fit into one packet uncompressed. */
const compressedFromLength = 1_024;
const acceptsBrotli = (accepted: string | undefined): boolean =>
  /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted ?? "");

export function servePages(app: FastifyInstance, services: Services & Partial<OpenServices>, web: Web): void {
  const cache = new LRUCache<string, Page>({ max: 500, ttl: maxAgeMs });
  let [changes, changedAt] = [0, 0];
  services.onWake?.(() => {
    [changes, changedAt] = [changes + 1, performance.now()];
    cache.clear();
  });
  const seconds = Math.ceil(maxAgeMs / 1_000);
  const renderPrivate = (request: FastifyRequest, reply: FastifyReply): Promise<Page> => {
    const { cookie } = request.headers;
    const visit = contextOf(request, reply, services, null);
    return renderedPage.run({ visit }, () =>
      renderPage(web, request, services, cookie === undefined ? {} : { cookie }),
    );
  };
  const renderShared = async (request: FastifyRequest): Promise<Page> => {
    const key = `${request.headers.host ?? ""} ${request.url}`;
    const justWrote = hasJustWritten(services, request);
    const known = justWrote ? undefined : cache.get(key);
    if (known) return known;
    const before = changes;
    // After a change the replica is used only once it has that change. Otherwise the cache would be older than the change.
    const isPublic = !justWrote && !isForm.test(request.url) && services.replica?.serves(changedAt);
    const visit = { publicDb: isPublic ? services.replica?.db : undefined };
    const page = await renderedPage.run(visit, () => renderPage(web, request, services));
    const isCurrent = changes === before && page.status === 200;
    if (isCurrent && page.headers["cache-control"] !== "no-store") cache.set(key, page);
    return page;
  };
  app.route({
    method: ["GET", "HEAD"],
    url: "/*",
    handler: async (request, reply) => {
      // Two slashes would begin another host name, and a full URL is a proxy request.
      if (!/^\/(?![/\\])/.test(request.url)) throw new Problem("not_found", "There is nothing at this address.");
      // The decoded path, as the router of the pages reads it.
      const path = `/${(request.params as { "*": string })["*"]}`;
      const page = await (isPrivate.test(path) ? renderPrivate(request, reply) : renderShared(request));
      // The route manifest sets its own caching: its address contains the build's version.
      reply.code(page.status).headers({ "cache-control": `public, max-age=0, s-maxage=${seconds}`, ...page.headers });
      if (page.status >= 500) reply.header("cache-control", "no-store");
      if (page.status === 503) reply.header("retry-after", String(outageRetrySeconds));
      // In development, and for clients with gzip only, the plug-in of http.ts decides.
      const compresses = page.body.length >= compressedFromLength && !services.config.dev;
      if (!compresses || !acceptsBrotli(request.headers["accept-encoding"])) return reply.send(page.body);
      page.compressed ??= brotli(page.body, brotliOptions);
      return reply.headers({ "content-encoding": "br", vary: "accept-encoding" }).send(await page.compressed);
    },
  });
  app.setNotFoundHandler(() => Promise.reject(new Problem("not_found", "There is nothing at this address.")));
}

async function renderPage(
  web: Web,
  request: FastifyRequest,
  services: Services,
  headers: Record<string, string> = {},
): Promise<Page> {
  const nonce = services.config.dev ? undefined : randomBytes(18).toString("base64url");
  const address = new URL(request.url, addressOf(request, services));
  const response = await web.render(new Request(address, { method: "GET", headers }), nonce);
  const html = await response.text();
  return {
    status: response.status,
    headers: {
      ...Object.fromEntries(response.headers),
      "content-security-policy": policyFor(html, { nonce, dev: services.config.dev }),
    },
    body: nonce === undefined ? html : html.replaceAll(` nonce="${nonce}"`, ""),
  };
}

function addressOf(request: FastifyRequest, services: Services): string {
  return siteOf(request.headers.host, services.config.publicUrl);
}

const inlineScript = /<script(?![^>]*\bsrc=)([^>]*)>([\s\S]*?)<\/script>/g;

/** Returns the content security policy of a page. Our scripts, found by this rendering's nonce, are allowed by hash, because the page is cached. Without a nonce (development) every inline script and Vite's socket are allowed. */
export function policyFor(html: string, { nonce, dev = false }: { nonce?: string | undefined; dev?: boolean } = {}) {
  const hashes = [...html.matchAll(inlineScript)]
    .filter(([, attributes = ""]) => !attributes.includes("application/ld+json"))
    .filter(([, attributes = ""]) => nonce === undefined || attributes.includes(` nonce="${nonce}"`))
    .map(([, , script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  return [
    "default-src 'self'",
    `script-src 'self' ${[...new Set(hashes)].join(" ")}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com",
    "form-action 'self' https://checkout.stripe.com",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
