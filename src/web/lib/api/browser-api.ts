/** The API over HTTP for the browser. Loads neither schemas nor validator: responses are typed, not validated again. */

import { createORPCClient, ORPCError } from "@orpc/client";
import type { JsonifiedClient } from "@orpc/openapi-client";
import { OpenAPILink } from "@orpc/openapi-client/fetch";
import contract from "virtual:api-contract";
import { accessToken } from "../auth/session.ts";
import { watchSlowActions } from "../browser/slow-actions.ts";
import { fetchWithClock } from "../clock.ts";
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

/** Reads `{code, message, requestId, data}`, the body of every error under /api. */
function decodeApiError(body: unknown, response: { status: number }): ORPCError<string, unknown> | null {
  if (!body || typeof body !== "object" || !("code" in body) || !("message" in body)) return null;
  const { code, message } = body;
  if (typeof code !== "string" || typeof message !== "string") return null;
  return new ORPCError(code, { status: response.status, message, data: body });
}

watchSlowActions();

export const browserApi: JsonifiedClient<ApiClient> = createORPCClient(link);
