import { traverseContractProcedures } from "@orpc/server";
import type { HTTPMethods } from "fastify";
import type { EndpointMeta } from "#platform/http/api.ts";
import { api } from "./api.ts";

type Endpoint = { method: HTTPMethods; url: string; cacheable: boolean };

export function endpoints(): Endpoint[] {
  const all: Endpoint[] = [];
  traverseContractProcedures({ router: api, path: [] }, ({ contract }) => {
    const { meta, route } = contract["~orpc"] as {
      meta: Partial<EndpointMeta>;
      route: { method: HTTPMethods; path: string };
    };
    all.push({
      method: route.method,
      url: route.path.replace(/\{(\w+)\}/g, ":$1"),
      cacheable: meta.cacheable ?? false,
    });
  });
  return all;
}
