/** `/calendar/{token}.ics`: a feed for calendar programs. The token in its address is the only protection. */

import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { Problem } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { feedText } from "./feed-file.ts";
import { clientName, feedTokenPattern } from "./rules.ts";
import { feedTokenHash, recordFetch } from "./store.ts";
import { findFeed } from "./views.ts";

export const calendarFeedsPlugin = (services: PlatformServices) => async (app: FastifyInstance) => {
  const recording = new Set<Promise<void>>();
  /** Records the fetch after the response, because a client must not wait for it. */
  const record = (tokenHash: Buffer, userAgent: string | undefined): void => {
    const fetched = { tokenHash, client: clientName(userAgent), at: services.clock.now() };
    const written = services.database
      .transaction((tx) => recordFetch(tx, fetched))
      .catch((error: unknown) => services.log.warn({ err: error }, "the fetch of a calendar feed was not recorded"))
      .finally(() => recording.delete(written));
    recording.add(written);
  };
  app.addHook("onClose", async () => void (await Promise.all(recording)));

  app.get<{ Params: { file: string } }>("/calendar/:file", async (request, reply) => {
    const token = request.params.file.replace(/\.ics$/, "");
    const tokenHash = feedTokenHash(token);
    const now = services.clock.now();
    const feed = feedTokenPattern.test(token) ? await findFeed(services.database.db, tokenHash, now) : undefined;
    if (!feed)
      throw new Problem("not_found", "This calendar address is no longer valid. Copy the new one from your account.");
    const text = await feedText(services.database.db, feed, { publicUrl: services.config.publicUrl, now });
    const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
    reply.raw.once("finish", () => record(tokenHash, request.headers["user-agent"]));
    reply.headers({
      etag,
      "cache-control": "private, no-cache",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
    });
    if (namesTag(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply
      .headers({
        "content-type": "text/calendar; charset=utf-8; method=PUBLISH",
        "content-disposition": 'inline; filename="stagedoor.ics"',
      })
      .send(text);
  });
};

/** Returns true if If-None-Match names the tag, weak or strong (RFC 9110, 13.1.2). A compressing proxy makes tags weak. */
const namesTag = (header: string | undefined, etag: string): boolean =>
  header?.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag) ?? false;
