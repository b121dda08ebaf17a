/** /pay/{bookingId}/{deposit|balance}: a real link that opens in a new tab, posts, and goes on to the provider. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { z } from "zod";
import { authenticate } from "#users/index.ts";
import type { Payments } from "#payments/index.ts";
import { paymentKinds } from "#payments/rules.ts";
import { platformSettings } from "#settings/index.ts";
import { Problem } from "#platform/errors.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import { contextOf } from "#platform/http/request.ts";
import { bookingKey } from "../request/access.ts";
import { callerOf, grantKey } from "../request/booking-cookie.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { startCheckout } from "./checkout.ts";
import { heldByOf, originOf } from "./http.ts";
import { escape, fonts, mark, page, style } from "./pay-styles.ts";
import { script } from "./pay-script.ts";

const place = z.object({ bookingId: z.uuid(), kind: z.enum(paymentKinds) });
const secret = z
  .string()
  .regex(/^[\w-]{16,64}$/)
  .optional()
  .catch(undefined);

const policy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self' https://checkout.stripe.com; base-uri 'none'; frame-ancestors 'none'";

const words = { deposit: "Pay Deposit", balance: "Pay Balance" } as const;

const askPage = (at: z.infer<typeof place>, key: string | undefined): string =>
  page(
    words[at.kind],
    `<h1>${words[at.kind]}</h1>
<p id="say" role="status">The payment page of our card provider opens next. Nothing is charged before you confirm it there.</p>
<form id="pay" method="post" action="${paths.pay(at.bookingId, at.kind)}" data-booking="${at.bookingId}" data-kind="${at.kind}">
${key ? `<input type="hidden" name="key" value="${escape(key)}">` : ""}<button class="btn" type="submit">${words[at.kind]}</button></form>
<script src="/pay/page.js" defer></script>`,
  );

const refusalPage = (problem: Problem): string =>
  page(
    "Payment",
    `<h1>${problem.kind === "not_found" ? "This payment link does not work here" : "Not now"}</h1>
<p>${escape(problem.kind === "not_found" ? "Open it in the browser you sent the request with, sign in, or use the newest link from your mail." : problem.message)}</p>
<p class="acts"><a class="btn" href="${paths.signIn}">Sign In</a><a class="btn line" href="${paths.home}">Return to Home</a></p>`,
  );

/** The link and its page. The form works without scripts for whoever holds the booking's cookie or a link from a mail. */
export const bookingsPlugin =
  (services: Payments): FastifyPluginAsync =>
  async (app) => {
    app.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: 4_096 },
      (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
    );
    app.get("/pay/page.js", (_request, reply) =>
      reply.type("text/javascript; charset=utf-8").header("cache-control", "max-age=300").send(script),
    );
    app.get("/pay/page.css", async (_request, reply) => {
      const { primaryColor } = await platformSettings(services.database.db);
      return reply.type("text/css; charset=utf-8").header("cache-control", "max-age=300").send(style(primaryColor));
    });
    app.get("/pay/mark.svg", (_request, reply) =>
      reply.type("image/svg+xml").header("cache-control", "public, max-age=604800").send(mark),
    );
    app.get<{ Params: { font: string } }>("/pay/fonts/:font", async (request, reply) => {
      const { font } = request.params;
      if (!Object.hasOwn(fonts, font)) throw new Problem("not_found", "There is nothing at this address.");
      const file = createRequire(import.meta.url).resolve(fonts[font as keyof typeof fonts]);
      return reply
        .type("font/woff2")
        .header("cache-control", "public, max-age=604800")
        .send(await readFile(file));
    });

    const html = {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
    };
    app.get("/pay/:bookingId/:kind", (request, reply) => {
      const at = place.safeParse(request.params).data;
      if (!at) return reply.code(404).headers(html).send(refusalPage(missing));
      const key = secret.parse((request.query as { key?: unknown }).key);
      return reply.headers(html).send(askPage(at, key));
    });
    app.post("/pay/:bookingId/:kind", async (request, reply) => {
      try {
        const at = place.safeParse(request.params).data;
        if (!at || isForeign(request)) throw missing;
        const bearer = bearerOf(request.headers);
        const context = contextOf(request, reply, services, await authenticate(services, bearer));
        const link = secret.parse((request.body as { key?: unknown } | undefined)?.key);
        const { url } = await startCheckout(services, {
          ...at,
          caller: callerOf(context),
          heldBy: heldByOf(context),
          origin: originOf(context),
          payLink: link
            ? { secret: link, onUsed: () => grantKey(context, bookingKey(services.keys, at.bookingId)) }
            : undefined,
        });
        return reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer").redirect(url, 303);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return reply.code(error.status).headers(html).send(refusalPage(error));
      }
    });
  };

const missing = new Problem("not_found", "Booking not found");

/** Another site posted the form. Lax cookies do not travel with it, but a link's key could. */
const isForeign = (request: FastifyRequest): boolean => request.headers["sec-fetch-site"] === "cross-site";
