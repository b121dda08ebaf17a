import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "../config.ts";
import { hostNameOf } from "./local-request.ts";

export const bearerOf = (headers: Pick<IncomingHttpHeaders, "authorization">): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1];

/** Returns the root of links: the configured address, or on loopback the requested host, because its cookies differ. */
export function siteOf(host: string | null | undefined, publicUrl: string): string {
  const name = hostNameOf(host ?? undefined);
  return name !== undefined && isLoopback(name) && isLoopback(new URL(publicUrl).hostname)
    ? `http://${host}`
    : publicUrl;
}
