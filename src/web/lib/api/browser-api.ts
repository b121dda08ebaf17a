/** The API over HTTP for the browser. Loads neither schemas nor validator: responses are typed, not validated again. */

import { createORPCClient, ORPCError } from "@orpc/client";
import type { JsonifiedClient } from "@orpc/openapi-client";
import { OpenAPILink } from "@orpc/openapi-client/fetch";
import contract from "virtual:api-contract";
import { accessToken } from "../auth/session.ts";
import { watchSlowActions } from "../browser/slow-actions.ts";
import { fetchWithClock } from "../clock.ts";
import { proxyRejection } from "../response-error.ts";
import type { ApiClient } from "./api-context.ts";

const link = new OpenAPILink(contract, {
  url: () => `${window.location.origin}/api`,
  headers: async () => {
    const token = await accessToken();
    return token ? { authorization: `Bearer ${token}` } : {};
  },
  fetch: fetchWithClock,
  customErrorResponseBodyDecoder: decodeApiError,
});

/** Reads `{code, message, requestId, data}`, the body of every error under /api. Another body is a proxy's. */
function decodeApiError(body: unknown, { status }: { status: number }): ORPCError<string, unknown> {
  const { code, message } = Object(body) as Record<string, unknown>;
  return typeof code === "string" && typeof message === "string"
    ? new ORPCError(code, { status, message, data: body })
    : new ORPCError("rejected", { status, message: proxyRejection(status) });
}

watchSlowActions();

export const browserApi: JsonifiedClient<ApiClient> = createORPCClient(link);
