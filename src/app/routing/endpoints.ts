import { traverseContractProcedures } from "@orpc/server";
import type { HTTPMethods } from "fastify";
import type { EndpointMeta } from "#platform/http/api.ts";
import { api } from "./api.ts";

type Endpoint = { method: HTTPMethods; path: string; url: string; meta: Partial<EndpointMeta> };

export function endpoints(): Endpoint[] {
  const all: Endpoint[] = [];
  traverseContractProcedures({ router: api, path: [] }, ({ contract }) => {
    const { meta, route } = contract["~orpc"] as {
      meta: Partial<EndpointMeta>;
      route: { method: HTTPMethods; path: string };
    };
    const { method, path } = route;
    all.push({ method, path, url: path.replace(/\{(\w+)\}/g, ":$1"), meta });
  });
  return all;
}
