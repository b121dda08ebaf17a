import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createRequestHandler, matchPath, RouterContextProvider } from "react-router";
import * as build from "virtual:react-router/server-build";
import { paths } from "#platform/site-paths.rules.ts";
import { apiContext, type ApiClient } from "./lib/api/api-context.ts";
import { scriptNonceContext } from "./lib/browser/script-nonce.ts";
import { outageContext } from "./lib/outage.ts";

/** `clientFolder` is the built client's. In development there is none. */
export type WebServices = { api: ApiClient; clientFolder?: string };
/** `nonce` marks our inline scripts. It is new for each rendering. */
export type Web = { render(request: Request, nonce?: string): Promise<Response> };

/** `/artist/…` is also the address of public profiles, so the artist's pages are listed. */
const dashboards = [
  paths.account,
  `${paths.admin.overview}/*`,
  "/promoter/*",
  paths.artistArea.overview,
  `${paths.artistArea.bookings}/*`,
  paths.artistArea.profile,
  paths.artistArea.media,
  paths.artistArea.payouts,
  paths.artistArea.settings(),
];

/** Creates the renderer. A public page gets the address of its request only, so it is a visitor's. A private one also gets the cookies. */
export function createWeb({ api, clientFolder }: WebServices): Web {
  const styleSheets = clientFolder === undefined ? new Map<string, string>() : readStyleSheets(clientFolder);
  const handlePublic = createRequestHandler(build, import.meta.env.MODE);
  // A dashboard loads the list of all routes (6 kB). Fetching them later renders the whole page again for every answer.
  const wholeList = { ...build.routeDiscovery, mode: "initial" } as const;
  const handleDashboard = createRequestHandler({ ...build, routeDiscovery: wholeList }, import.meta.env.MODE);
  return {
    render: async (request, nonce) => {
      const context = new RouterContextProvider();
      context.set(apiContext, api);
      context.set(scriptNonceContext, nonce);
      const { pathname } = new URL(request.url);
      const isDashboard = dashboards.some((pattern) => matchPath(pattern, pathname));
      const response = isDashboard
        ? await handleDashboard(request, context)
        : await inlineStyles(await handlePublic(request, context), styleSheets);
      // The router returns 500 for every loader failure. An outage becomes 503.
      return context.get(outageContext)
        ? new Response(response.body, { status: 503, headers: response.headers })
        : response;
    },
  };
}

const readStyleSheets = (clientFolder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(path.join(clientFolder, "assets"))
      .filter((name) => name.endsWith(".css"))
      .map((name) => [`/assets/${name}`, readFileSync(path.join(clientFolder, "assets", name), "utf8").trimEnd()]),
  );

/** Puts the style sheets into the page, because on a phone each file delays the first text. The disabled links prevent the router and the loader of chunks, which does not know addresses with "#", from loading them again. Those with a precedence belong to React. */
async function inlineStyles(page: Response, styleSheets: ReadonlyMap<string, string>): Promise<Response> {
  if (!page.headers.get("content-type")?.startsWith("text/html")) return page;
  const html = (await page.text()).replaceAll(
    /<link(?=[^>]* rel="stylesheet")(?![^>]* data-precedence=)[^>]* href="(\/assets\/[^"#]+)(#?)"/g,
    (link, address: string, mark: string) => {
      const styles = styleSheets.get(address);
      if (styles === undefined) return link;
      const known = mark && `<link rel="stylesheet" href="${address}" disabled=""/>`;
      return `<style>${styles}</style>${known}${link} disabled=""`;
    },
  );
  return new Response(html, page);
}
