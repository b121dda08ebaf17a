/** Renders a whole page before sending, because a whole page can be hashed for the content policy and cached. */

import { AsyncLocalStorage } from "node:async_hooks";
import { Writable } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { ScriptNonce, scriptNonceContext } from "./lib/browser/script-nonce.ts";
import { isOutage, outageContext } from "./lib/outage.ts";
import { type PageTime, readPageTimeFrom } from "./lib/page-time.ts";
import { renderedTimeContext } from "./lib/rendered-time.ts";

const renderedTime = new AsyncLocalStorage<PageTime | null>();
readPageTimeFrom(() => renderedTime.getStore() ?? undefined);

const patienceMs = 6_000;

/** Logs errors except unknown pages and outages, which the API logs. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (isOutage(error)) context.set(outageContext, true);
  else if (!isRouteErrorResponse(error) && !request.signal.aborted) console.error(error);
};

/** Lowers the priority of scripts, because the page renders before they run. */
const scriptsLast = (html: string) =>
  html.replaceAll('<link rel="modulepreload" ', '<link rel="modulepreload" fetchPriority="low" ');

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: Readonly<RouterContextProvider>,
): Promise<Response> {
  const nonce = loadContext.get(scriptNonceContext);
  const marked = nonce === undefined ? {} : { nonce };
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let failed = false;
    const page = new Writable({
      write: (part: Buffer, _encoding, done) => {
        parts.push(part);
        done();
      },
      final: (done) => {
        clearTimeout(timer);
        headers.set("content-type", "text/html; charset=utf-8");
        const html = scriptsLast(Buffer.concat(parts).toString());
        resolve(new Response(html, { status: failed ? 500 : status, headers }));
        done();
      },
    });
    const { pipe, abort } = renderedTime.run(loadContext.get(renderedTimeContext), () =>
      renderToPipeableStream(
        <ScriptNonce value={nonce}>
          <ServerRouter context={context} url={request.url} {...marked} />
        </ScriptNonce>,
        {
          ...marked,
          // Otherwise React moves large parts to the end of the page, and only a script moves them back.
          progressiveChunkSize: Number.MAX_SAFE_INTEGER,
          onAllReady: () => void pipe(page),
          onShellError: reject,
          onError: (error) => {
            failed = true;
            console.error(error);
          },
        },
      ),
    );
    const timer = setTimeout(abort, patienceMs);
  });
}
