import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { isClockMoving } from "#platform/db/platform.store.ts";
import { Problem, invalid } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { platformSettings } from "#settings/index.ts";
import { attachmentOf, type ReadAttachment } from "../attachments.ts";
import { clockScript } from "./clock-form.ts";
import { attachmentAddress, mailboxPage, views } from "./page.ts";
import { mailboxStyles } from "./styles.ts";
import { findMessage, mailboxMessages } from "./views.ts";

const apiQuery = z.object({ to: z.string().max(320).optional() });
const pageQuery = z.object({
  q: z.string().max(200).catch(""),
  channel: z.enum(["", "email", "sms"]).catch(""),
  id: z.string().max(36).catch(""),
  view: z.enum(views).catch("email"),
  clock: z.string().max(20).catch(""),
});

export type MailboxOptions = Readonly<{
  readAttachment: ReadAttachment;
  titleOf: (template: string) => string;
  /** The messages of a refused move of the clock, by the value of `clock` in the page's address. */
  clockProblems: Readonly<Record<string, string>>;
}>;

export const devMailboxPlugin =
  (services: PlatformServices, { readAttachment, titleOf, clockProblems }: MailboxOptions) =>
  async (app: FastifyInstance) => {
    if (!services.config.demo) return;
    const { db } = services.database;

    app.get("/api/dev/outbox", async (request, reply) => {
      const query = apiQuery.safeParse(request.query);
      if (!query.success) throw invalid("Use ?to= with one address, or omit it.");
      reply.header("cache-control", "no-store");
      const rows = await mailboxMessages(db, query.data);
      return rows.map(({ id, recipient, created_at, channel, subject, text, html, attachment_name: name }) => ({
        to: recipient,
        channel,
        subject,
        text,
        html,
        at: created_at,
        attachments: name === null ? [] : [{ name, url: attachmentAddress(id) }],
      }));
    });

    app.get("/dev/outbox", async (request, reply) => {
      const query = pageQuery.parse(request.query);
      const settings = await platformSettings(db);
      const messages = await mailboxMessages(db, { search: query.q || undefined, channel: query.channel || undefined });
      const chosen = query.id ? await found(query.id) : messages[0];
      const view = chosen && !chosen.html ? "text" : query.view;
      const file = chosen && (await attachmentOf(services, chosen, readAttachment));
      const attached = file ? file.bytes.length : null;
      const page = {
        messages,
        chosen,
        attached,
        view,
        query,
        settings,
        titleOf,
        clock: {
          now: services.clock.now(),
          timeZone: settings.timeZone,
          isMoving: await isClockMoving(db),
          problem: new Map(Object.entries(clockProblems)).get(query.clock),
        },
        badge: badgeOf(services),
      };
      pageHeaders(reply);
      return reply.code(query.id && !chosen ? 404 : 200).send(mailboxPage(page));
    });

    app.get<{ Params: { id: string } }>("/dev/outbox/:id/email", async (request, reply) => {
      const message = await found(request.params.id);
      if (!message?.html) throw new Problem("not_found", "There is no such email.");
      emailHeaders(reply, await pictureSources());
      return reply.send(message.html.replace("<head>", '<head><base target="_blank">'));
    });

    app.get<{ Params: { id: string } }>("/dev/outbox/:id/attachment", async (request, reply) => {
      const message = await found(request.params.id);
      const file = message && (await attachmentOf(services, message, readAttachment));
      if (!file) throw new Problem("not_found", "There is no such attachment.");
      return reply
        .header("content-type", file.contentType)
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="${file.name}"`)
        .send(Buffer.from(file.bytes));
    });

    app.get("/dev/outbox/styles.css", (_request, reply) => sendStyles(reply, mailboxStyles));
    app.get("/dev/outbox/clock.js", (_request, reply) =>
      reply.type("text/javascript").header("cache-control", "no-cache").send(clockScript),
    );
    app.get("/dev/outbox/brand.css", async (_request, reply) => {
      const { primaryColor } = await platformSettings(db);
      return sendStyles(reply, `:root { --brand: ${primaryColor}; }`);
    });

    const pictureSources = async () => {
      const { logoUrl } = await platformSettings(db);
      const addresses = [services.config.publicUrl, ...(logoUrl.startsWith("https://") ? [logoUrl] : [])];
      return [...new Set(addresses.map((address) => new URL(address).origin))].join(" ");
    };
    const found = async (id: string) => (z.uuid().safeParse(id).success ? findMessage(db, id) : undefined);
  };

const badgeOf = ({ config }: PlatformServices): string => {
  const sent = [config.smtpUrl ? "mail" : "", config.twilio ? "SMS" : ""].filter(Boolean);
  return sent.length ? `Demo, but ${sent.join(" and ")} is sent` : "Demo, nothing is sent";
};

const sendStyles = (reply: FastifyReply, styles: string): FastifyReply =>
  reply.type("text/css; charset=utf-8").header("cache-control", "no-cache").send(styles);

function pageHeaders(reply: FastifyReply): void {
  reply.type("text/html; charset=utf-8").headers({
    "cache-control": "no-store",
    "content-security-policy":
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; frame-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  });
}

/** Sets the headers that isolate an email: no scripts, its own origin, and links that open in a new window. */
function emailHeaders(reply: FastifyReply, pictures: string): void {
  reply.type("text/html; charset=utf-8").headers({
    "cache-control": "no-store",
    "x-frame-options": "SAMEORIGIN",
    "cross-origin-opener-policy": "unsafe-none",
    "referrer-policy": "no-referrer",
    "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; img-src ${pictures}; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox`,
  });
}
