/** /pay/{bookingId}/{deposit|balance}: a real link that opens in a new tab, posts, and goes on to the provider. */
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { z } from "zod";
import { findActor } from "#users/index.ts";
import type { Payments } from "#payments/index.ts";
import { paymentKinds } from "#payments/rules.ts";
import { Problem } from "#platform/errors.ts";
import { contextOf } from "#platform/http/request.ts";
import { startCheckout } from "./checkout.ts";

const place = z.object({ bookingId: z.uuid(), kind: z.enum(paymentKinds) });
const secret = z
  .string()
  .regex(/^[\w-]{16,64}$/)
  .optional()
  .catch(undefined);

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (letter) => escapes[letter] ?? "");

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self' https://checkout.stripe.com; base-uri 'none'; frame-ancestors 'none'";

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escape(title)} · Stagedoor</title><link rel="stylesheet" href="/pay/page.css"></head>
<body><main>${body}</main></body>
</html>`;
}

const words = { deposit: "Pay Deposit", balance: "Pay Balance" } as const;

const askPage = (at: z.infer<typeof place>, key: string | undefined): string =>
  page(
    words[at.kind],
    `<h1>${words[at.kind]}</h1>
<p id="say" role="status">The payment page of our card provider opens next. Nothing is charged before you confirm it there.</p>
<form id="pay" method="post" action="/pay/${at.bookingId}/${at.kind}" data-booking="${at.bookingId}" data-kind="${at.kind}">
${key ? `<input type="hidden" name="key" value="${escape(key)}">` : ""}<button type="submit">${words[at.kind]}</button></form>
<script src="/pay/page.js" defer></script>`,
  );

const refusalPage = (problem: Problem): string =>
  page(
    "Payment",
    `<h1>${problem.kind === "not_found" ? "This payment link does not work here" : "Not now"}</h1>
<p>${escape(problem.kind === "not_found" ? "Open it in the browser you sent the request with, sign in, or use the newest link from your mail." : problem.message)}</p>
<p><a href="/auth">Sign In</a> <a href="/">Return to Home</a></p>`,
  );

/** Pages keep the access token in memory only, so a fresh tab asks for its session before it posts as the account's owner. */
const script = `const form = document.getElementById("pay"), say = document.getElementById("say"), button = form.querySelector("button");
const fail = (text) => {
  say.textContent = text;
  button.disabled = false;
  new BroadcastChannel("stagedoor-pay").postMessage({ failed: form.dataset.booking });
};
async function asOwner() {
  const answer = await fetch("/auth/v1/token?grant_type=refresh_token", { method: "POST", headers: { "content-type": "application/json", "x-token-mode": "cookie" }, body: JSON.stringify({ refresh_token: "cookie" }) });
  if (!answer.ok) return null;
  const { access_token: token } = await answer.json();
  return fetch("/api/functions/create-checkout", { method: "POST", headers: { "content-type": "application/json", authorization: "Bearer " + token }, body: JSON.stringify({ bookingId: form.dataset.booking, isDeposit: form.dataset.kind === "deposit" }) });
}
async function go() {
  button.disabled = true;
  const signedIn = /(^|; )signed_in=1/.test(document.cookie);
  if (form.elements.namedItem("key") || !signedIn) return form.submit();
  const answer = await asOwner();
  if (!answer || answer.status === 404) return form.submit();
  const body = await answer.json();
  if (answer.ok) location.replace(body.url);
  else fail(body.message);
}
form.addEventListener("submit", (event) => { event.preventDefault(); go().catch(() => fail("The payment page could not be opened. You have not been charged; please try again.")); });
if (!form.elements.namedItem("key")) form.requestSubmit();
`;

const style = `:root { color-scheme: light dark; font: 1rem/1.5 "Public Sans Variable", system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f1e7, #16130f); color: light-dark(#1d1a16, #f3ecdf); }
main { max-width: 30rem; padding: 2rem; }
h1 { font-size: 1.75rem; line-height: 1.15; }
a { color: inherit; margin-right: 1rem; }
button { font: inherit; font-weight: 700; padding: .75rem 1.5rem; border: 0; border-radius: .25rem; cursor: pointer; background: light-dark(#1d1a16, #f3ecdf); color: light-dark(#f6f1e7, #16130f); }
button:disabled { opacity: .6; cursor: progress; }
`;

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
    app.get("/pay/page.css", (_request, reply) =>
      reply.type("text/css; charset=utf-8").header("cache-control", "max-age=300").send(style),
    );

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
        const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
        const context = contextOf(request, reply, services, await findActor(services, bearer));
        const link = secret.parse((request.body as { key?: unknown } | undefined)?.key);
        const { url } = await startCheckout(context, { ...at, link });
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
