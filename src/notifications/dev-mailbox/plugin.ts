/** The demo's outbox over HTTP: a page for people and a list for programs. Outside demo mode neither exists. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { FastifyPluginAsync, FastifyReply } from "fastify";
import { z } from "zod";
import { Problem } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services.ts";
import { platformSettings } from "#settings/index.ts";
import { mailboxPage, views } from "./page.ts";
import { mailboxStyles } from "./styles.ts";
import { findMessage, mailboxMessages } from "./views.ts";

const apiQuery = z.object({ to: z.string().max(320).optional() });
/** What the page's address may say; anything else counts as not said. */
const pageQuery = z.object({
  q: z.string().max(200).catch(""),
  channel: z.enum(["", "email", "sms"]).catch(""),
  id: z.string().max(36).catch(""),
  view: z.enum(views).catch("email"),
});

const resolve = createRequire(import.meta.url).resolve;
const fonts = {
  display: "@fontsource-variable/league-gothic/files/league-gothic-latin-wdth-normal.woff2",
  text: "@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2",
};

/** GET /api/dev/outbox, the page /dev/outbox and its emails; in demo mode only. */
export const notificationsPlugin =
  (floor: PlatformServices): FastifyPluginAsync =>
  async (app) => {
    if (!floor.config.demo) return;
    const { db } = floor.database;

    app.get("/api/dev/outbox", async (request, reply) => {
      const query = apiQuery.safeParse(request.query);
      if (!query.success) throw new Problem("invalid", "Ask with ?to= and one address, or without it.");
      reply.header("cache-control", "no-store");
      const rows = await mailboxMessages(db, query.data);
      return rows.map(({ recipient, created_at, channel, subject, text, html }) => ({
        to: recipient,
        channel,
        subject,
        text,
        html,
        at: created_at,
      }));
    });

    app.get("/dev/outbox", async (request, reply) => {
      const query = pageQuery.parse(request.query);
      const settings = await platformSettings(db);
      const messages = await mailboxMessages(db, { search: query.q || undefined, channel: query.channel || undefined });
      const chosen = query.id ? await found(query.id) : messages[0];
      const view = chosen && !chosen.html ? "text" : query.view;
      const page = { messages, chosen, view, query, settings, now: floor.clock.now(), slip: slip(floor) };
      pageHeaders(reply, mailboxStyles(settings.primaryColor));
      return reply.code(query.id && !chosen ? 404 : 200).send(mailboxPage(page));
    });

    app.get<{ Params: { id: string } }>("/dev/outbox/:id/email", async (request, reply) => {
      const message = await found(request.params.id);
      if (!message?.html) throw new Problem("not_found", "There is no such email.");
      emailHeaders(reply);
      return reply.send(message.html.replace("<head>", '<head><base target="_blank">'));
    });

    app.get<{ Params: { face: string } }>("/dev/outbox/fonts/:face", async (request, reply) => {
      const face = Object.entries(fonts).find(([name]) => request.params.face === `${name}.woff2`);
      if (!face) throw new Problem("not_found", "There is no such typeface.");
      return reply
        .type("font/woff2")
        .header("cache-control", "max-age=86400")
        .send(await readFile(resolve(face[1])));
    });

    const found = async (id: string) => (z.uuid().safeParse(id).success ? findMessage(db, id) : undefined);
  };

const slip = ({ config }: PlatformServices): string => {
  const sent = [config.smtpUrl ? "mail" : "", config.twilio ? "SMS" : ""].filter(Boolean);
  return sent.length ? `Demo, but ${sent.join(" and ")} is sent` : "Demo, nothing is sent";
};

function pageHeaders(reply: FastifyReply, style: string): void {
  const hash = createHash("sha256").update(style).digest("base64");
  reply.type("text/html; charset=utf-8").headers({
    "cache-control": "no-store",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  });
}

/** An email is shown as a mail program would: no scripts, an origin of its own, links open beside it. */
function emailHeaders(reply: FastifyReply): void {
  reply.type("text/html; charset=utf-8").headers({
    "cache-control": "no-store",
    "x-frame-options": "SAMEORIGIN",
    "cross-origin-opener-policy": "unsafe-none",
    "referrer-policy": "no-referrer",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
  });
}
