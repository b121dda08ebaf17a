/** The web as one function from a request to a page. Bundled with all routes. */
import { createRequestHandler, RouterContextProvider } from "react-router";
import * as build from "virtual:react-router/server-build";
import { apiContext, type ApiClient } from "./lib/api/api-context.ts";
import { outageContext } from "./lib/outage.ts";
import { scriptNonceContext } from "./lib/script-nonce.ts";

/** The API with a visitor's permissions, called in process. */
export type WebServices = { api: ApiClient };
/** `nonce` marks our inline scripts. It is new for each rendering. */
export type Web = { render(request: Request, nonce?: string): Promise<Response> };

/** Creates the renderer. Pages are always a visitor's, because only the request's address reaches them. */
export function createWeb(parts: WebServices): Web {
  const handle = createRequestHandler(build, import.meta.env.MODE);
  return {
    render: async (request, nonce) => {
      const context = new RouterContextProvider();
      context.set(apiContext, parts.api);
      context.set(scriptNonceContext, nonce);
      const response = await handle(request, context);
      // The router returns 500 for every loader failure. An outage becomes 503.
      return context.get(outageContext)
        ? new Response(response.body, { status: 503, headers: response.headers })
        : response;
    },
  };
}
