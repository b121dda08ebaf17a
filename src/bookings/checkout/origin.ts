import type { Context } from "#platform/http/context.ts";
import { siteOf } from "#platform/http/request-headers.ts";

/** The address to come back to: on loopback the host of the request, elsewhere the configured one. */
export function originOf(context: {
  request: Pick<Context["request"], "headers">;
  services: { config: { publicUrl: string } };
}): string {
  return siteOf(context.request.headers.get("host"), context.services.config.publicUrl);
}
