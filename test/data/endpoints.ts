import { getEventIteratorSchemaDetails, isContractProcedure } from "@orpc/contract";
import { api } from "#app/routing/api.ts";
import type { Access } from "#platform/http/api.ts";

export type Endpoint = { operationId: string; method: string; path: string; access: Access; streams: boolean };

type Walked = {
  "~orpc": {
    route: { method?: string; path?: string; operationId?: string };
    meta: { access: Access };
    outputSchema?: Parameters<typeof getEventIteratorSchemaDetails>[0];
  };
};

export function endpoints(part: unknown = api): Endpoint[] {
  if (isContractProcedure(part)) {
    const { route, meta, outputSchema } = (part as Walked)["~orpc"];
    const { operationId = "", method = "POST", path = "" } = route;
    const streams = getEventIteratorSchemaDetails(outputSchema) !== undefined;
    return [{ operationId, method, path, access: meta.access, streams }];
  }
  return part && typeof part === "object" ? Object.values(part).flatMap(endpoints) : [];
}

/** Returns the URL of an endpoint with one value for all path parameters. */
export const addressOf = (endpoint: Endpoint, value = "00000000-0000-4000-8000-000000000000"): string =>
  `/api${endpoint.path.replaceAll(/\{\w+\}/g, encodeURIComponent(value))}`;
