import type { FastifyReply } from "fastify";
import type { Currency } from "#payments/rules.ts";
import type { Database } from "#platform/db/index.ts";
import { lostPage } from "./markup.ts";

export type PageParts = Readonly<{
  database: Database;
  received: readonly Currency[];
  now(): number;
  flush(): Promise<void>;
}>;

/** Sends a page that may load only its styles, its countdown, its fonts and the poster, and post only to itself and the return address. */
export function sendPage(reply: FastifyReply, html: string, ways: readonly (string | null)[]): FastifyReply {
  const origins = [...new Set(ways.flatMap((way) => (way === null ? [] : [new URL(way).origin])))].join(" ");
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "font-src 'self'",
    "img-src 'self' http: https: data:",
    `form-action 'self' ${origins}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return reply
    .header("content-security-policy", policy)
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .type("text/html; charset=utf-8")
    .send(html);
}

export async function sendAfterButton(reply: FastifyReply, parts: PageParts, target: string | undefined) {
  if (!target) return sendPage(reply.code(404), lostPage(), []);
  await parts.flush();
  return reply.redirect(target, 303);
}
