import type { Context } from "#platform/http/context.ts";

const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

/** The address to come back to: on loopback the host of the request, elsewhere the configured one. */
export function originOf(context: {
  request: Pick<Context["request"], "headers">;
  services: { config: { publicUrl: string } };
}): string {
  const { publicUrl } = context.services.config;
  const host = context.request.headers.get("host") ?? "";
  return loopbackHost.test(host) && loopbackHost.test(new URL(publicUrl).host) ? `http://${host}` : publicUrl;
}
