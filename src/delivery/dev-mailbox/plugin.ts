import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { isClockMoving } from "#platform/db/platform.store.ts";
import { Problem, invalid } from "#platform/errors.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { platformSettings } from "#settings/index.ts";
import { attachmentOf, type ReadAttachment } from "../attachments.ts";
import { clockScript } from "./clock-form.ts";
import { attachmentAddress, mailboxPage, views } from "./page.ts";
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

export const mailboxStyles = `
body { display: flex; flex-direction: column; }
main { flex: 1; padding-bottom: 4.5rem; }
.mast .wrap { flex-wrap: wrap; justify-content: space-between; }
.title { padding-block: 2.25rem 1.5rem; } .title p { margin-top: 0.6rem; color: var(--ink-2); font-size: 1.1875rem; }
.clock { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: center; margin-bottom: 1.25rem; padding-block: 0.75rem; border-block: 1px solid var(--rule); } .clock p { flex: 1 1 20rem; } .clock strong { font-weight: 600; } .moves { display: flex; flex-wrap: wrap; gap: 0.6rem; } .clock .note, .moving { flex: 1 0 100%; } .moving { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: center; } .moving p { flex: 0 1 auto; } .moving progress { flex: 1 1 12rem; accent-color: var(--accent); } .moves [aria-disabled] { opacity: 0.55; }
.filt { display: flex; flex-wrap: wrap; gap: 0.6rem; margin-bottom: 1.25rem; }
.filt .in { width: auto; } .filt input { flex: 0 1 22rem; min-width: 0; }
.box { display: grid; grid-template-columns: 24rem minmax(0, 1fr); gap: 1.5rem; align-items: start; }
.list { border: 1px solid var(--rule); border-radius: var(--r-2); background: var(--sheet); overflow: auto; max-height: 62rem; }
.list a { display: grid; gap: 0.1rem; padding: 0.75rem 1rem; border-bottom: 1px solid var(--rule); color: inherit; text-decoration: none; font-size: 0.9375rem; line-height: 1.4; } .list li:last-child a { border: 0; }
.list a:hover { background: var(--wash); } .list a:focus-visible { outline-offset: -3px; } .list [aria-current] { background: var(--wash); box-shadow: inset 3px 0 var(--accent); }
.list strong { font-weight: 600; overflow-wrap: anywhere; text-wrap: pretty; } .top { display: flex; justify-content: space-between; gap: 0.75rem; font-size: 0.8125rem; color: var(--ink-2); } .top span:first-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .top span + span { flex: none; } .quiet { color: var(--ink-2); font-size: 0.875rem; }
.bar { display: flex; flex-wrap: wrap; gap: 0.75rem; justify-content: space-between; align-items: end; margin-bottom: 1rem; }
.head { display: grid; gap: 0.1rem; font-size: 0.875rem; min-width: 0; } .head div { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); } .head dt { color: var(--ink-2); } .head dd { overflow-wrap: anywhere; }
.seg { display: inline-flex; border: 1px solid var(--rule-2); border-radius: var(--r-2); overflow: hidden; } .seg a { display: grid; place-items: center; padding: 0.3rem 0.8rem; min-height: 2.25rem; font: 600 0.875rem/1.2 var(--text); color: var(--ink); text-decoration: none; } .seg a + a { border-inline-start: 1px solid var(--rule-2); } .seg a:hover { background: var(--well); } .seg [aria-current] { background: var(--ink); color: var(--stock); } .seg a:focus-visible { outline-offset: -3px; }
.email { display: block; width: 100%; height: 54rem; border: 1px solid var(--rule); background: var(--stock); box-shadow: var(--lift); }
pre { background: var(--sheet); border: 1px solid var(--rule); padding: 1.5rem; max-height: 46rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 0.9375rem/1.55 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
.none { padding: 2rem; background: var(--sheet); border: 1px solid var(--rule); border-radius: var(--r-2); } .none h2 { font: 400 2.125rem/1 var(--display); margin-bottom: 0.5rem; }
.foot { margin-top: 0; }
@media (max-width: 1000px) { .box { grid-template-columns: 18rem minmax(0, 1fr); } }
@media (max-width: 767.98px) { .box { grid-template-columns: minmax(0, 1fr); } .list { max-height: 24rem; } .filt .in { flex: 1 1 8rem; } .filt input.in { flex-basis: 100%; } pre { padding: 1.25rem; } }
`;
