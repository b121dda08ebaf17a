/** The demo's outbox over HTTP: a page for people and a list for programs. Outside demo mode neither exists. */
import type { FastifyPluginAsync } from "fastify";
import { z } from "zod";
import { Problem } from "#platform/errors.ts";
import type { Floor } from "#platform/services.ts";
import { outboxMessages } from "./views.ts";

const apiQuery = z.strictObject({ to: z.string().max(320).optional() });

/** GET /api/dev/outbox and the page /dev/outbox; in demo mode only. */
export const notificationsPlugin =
  (floor: Floor): FastifyPluginAsync =>
  async (app) => {
    if (!floor.config.demo) return;
    app.get("/api/dev/outbox", async (request, reply) => {
      reply.header("cache-control", "no-store");
      const query = apiQuery.safeParse(request.query);
      if (!query.success) throw new Problem("invalid", "Ask with ?to= and one address, or without it.");
      const rows = await outboxMessages(floor.database.db, query.data);
      return rows.map(({ recipient, channel, subject, text, html, created_at }) => ({
        to: recipient,
        channel,
        subject,
        text,
        html,
        at: created_at,
      }));
    });
  };
