/** The web as the server sees it: one function from a request to a page. Bundled together with all routes. */
import { createRequestHandler, RouterContextProvider } from "react-router";
import * as build from "virtual:react-router/server-build";
import { apiContext, type ApiClient } from "./lib/api/api-context.ts";
import { outageContext } from "./lib/outage.ts";
import { scriptNonceContext } from "./lib/script-nonce.ts";

/** What the server passes in: the API as a visitor sees it, called in process. */
export type WebServices = { api: ApiClient };
/** `nonce` marks the scripts of ours in the page; it is new for each rendering. */
export type Web = { render(request: Request, nonce?: string): Promise<Response> };

/** Makes the renderer. Pages are always a visitor's: nothing of the request but its address reaches them. */
export function createWeb(parts: WebServices): Web {
  const handle = createRequestHandler(build, import.meta.env.MODE);
  return {
    render: async (request, nonce) => {
      const context = new RouterContextProvider();
      context.set(apiContext, parts.api);
      context.set(scriptNonceContext, nonce);
      const response = await handle(request, context);
      // To the router every failure of a loader is a bug of ours, and a 500.
      return context.get(outageContext)
        ? new Response(response.body, { status: 503, headers: response.headers })
        : response;
    },
  };
}
