/** What the headers of a request say: its bearer token, and the address it was sent to. */
import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "../config.ts";
import { hostNameOf } from "./local-request.ts";

/** The token of an Authorization header, or undefined when there is none. */
export const bearerOf = (headers: Pick<IncomingHttpHeaders, "authorization">): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1];

/**
 * The root of the links that answer a request: the configured address, or on a loopback installation the host that was asked,
 * so that a person who opened 127.0.0.1 is not sent to localhost, where the cookies are others.
 */
export function siteOf(host: string | null | undefined, publicUrl: string): string {
  const name = hostNameOf(host ?? undefined);
  return name !== undefined && isLoopback(name) && isLoopback(new URL(publicUrl).hostname)
    ? `http://${host}`
    : publicUrl;
}
