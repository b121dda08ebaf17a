/** POST /pay/{bookingId}/{deposit|balance} opens the checkout and redirects to the provider. GET of that address is a page of the site. */

import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Payments } from "#gateway/gateway.ts";
import { type Payer, paymentKinds } from "#payments/rules.ts";
import { emailPattern, maxEmailLength } from "#platform/email-address.rules.ts";
import { Problem, invalid, invalidField } from "#platform/errors.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import { contextOf } from "#platform/http/request.ts";
import { isName, visibleText } from "#platform/security/plain-name.rules.ts";
import { oneLine } from "#platform/security/text.api.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { isStorable } from "#platform/text.rules.ts";
import { authenticate } from "#users/index.ts";
import { normalizeEmail } from "#users/rules.ts";
import { callerOf, grantReceipt } from "../request/booking-cookie.ts";
import { startCheckout } from "./checkout.ts";
import { holdLimitFingerprints, originOf } from "./http.ts";

const place = z.object({ bookingId: z.uuid(), kind: z.enum(paymentKinds) });
const line = (max: number) =>
  oneLine(max, `At most ${max} characters.`).refine(isStorable, "Enter this in one line.").default("");
const payerFields = z.object({
  payer_name: z
    .string()
    .overwrite(visibleText)
    .trim()
    .max(120)
    .refine((name) => name === "" || (isName(name) && isStorable(name)), "Enter the name for the receipt.")
    .default(""),
  payer_email: z
    .string()
    .trim()
    .max(maxEmailLength)
    .refine((address) => address === "" || emailPattern.test(address), "Enter a valid email address.")
    .transform((address) => normalizeEmail(address) ?? address)
    .default(""),
  company: line(160),
  tax_id: line(40),
});
const secret = z
  .string()
  .regex(/^[\w-]{16,64}$/)
  .optional()
  .catch(undefined);

/** Redirects a posted form to the provider (303), and returns `{url}` to scripts. The booking's cookie, its owner, an admin or the `key` of a payment link may pay. */
export const bookingsPlugin = (services: Payments) => async (app: FastifyInstance) => {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 4_096 },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
  );
  app.post("/pay/:bookingId/:kind", async (request, reply) => {
    reply.headers({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    const wantsJson = request.headers.accept?.includes("application/json") ?? false;
    try {
      const url = await openFor(services, request, reply);
      return wantsJson ? reply.send({ url }) : reply.redirect(url, 303);
    } catch (error) {
      if (wantsJson || !(error instanceof Problem)) throw error;
      return reply
        .code(error.status)
        .headers({ "content-type": "text/html; charset=utf-8", "content-security-policy": noContent })
        .send(wayBack(request.params, error));
    }
  });
};

async function openFor(services: Payments, request: FastifyRequest, reply: Parameters<typeof contextOf>[1]) {
  const at = place.safeParse(request.params).data;
  if (!at || isForeign(request)) throw new Problem("not_found", "Booking not found");
  const context = contextOf(request, reply, services, await authenticate(services, bearerOf(request.headers)));
  const form = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  const link = secret.parse(form["key"]);
  const { url } = await startCheckout(services, {
    ...at,
    caller: callerOf(context),
    heldBy: holdLimitFingerprints(context),
    origin: originOf(context),
    payLink: link
      ? { secret: link, onPayer: (session) => grantReceipt(context, session), payer: payerOf(form) }
      : undefined,
  });
  return url;
}

/** Returns the name and address for the receipt, or null if the form has none. Throws invalid input (400) with the field. */
function payerOf(form: Readonly<Record<string, unknown>>): Payer | null {
  const given = payerFields.safeParse(form);
  if (!given.success) {
    const fields = given.error.issues.map(({ path: [field], message }) => ({ field: String(field), message }));
    throw invalid(fields[0]?.message ?? "Check the details for the receipt.", { data: { fields } });
  }
  const { payer_name: name, payer_email: email, company, tax_id: taxId } = given.data;
  if ([name, email, company, taxId].every((text) => text === "")) return null;
  if (name === "") throw invalidField("payer_name", "Enter the name for the receipt.");
  if (email === "") throw invalidField("payer_email", "Enter the email address for the receipt.");
  return { name, email, company, taxId };
}

const noContent = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Redirects a browser without scripts to the page with the reason. The response has the error's status. */
function wayBack(params: unknown, { kind }: Problem): string {
  const at = place.safeParse(params).data;
  const address = at ? `${paths.pay(at.bookingId, at.kind)}?problem=${kind}` : paths.home;
  return `<!doctype html><meta charset="utf-8"><title>Payment</title><meta http-equiv="refresh" content="0; url=${address}"><p><a href="${address}">Why nothing can be paid now</a></p>`;
}

/** Returns true if another site posted the form. Lax cookies are not sent with it, but a link's key could be. */
const isForeign = (request: FastifyRequest): boolean => request.headers["sec-fetch-site"] === "cross-site";
