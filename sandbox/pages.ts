/** The checkout pages of the local provider: plain HTML, four buttons, a countdown and no field for a card number. */

import type { FastifyInstance } from "fastify";
import type Stripe from "stripe";
import type { Tx } from "#platform/db/index.ts";
import { accountPages } from "./account-pages.ts";
import { approve, decline } from "./cards/attempts.ts";
import { cardOf, customerOf, type LaterBehaviour, laterBehaviourOf, laterField } from "./cards/card-objects.ts";
import { disputePages } from "./dispute-pages.ts";
import { checkoutPage, closedPage, lostPage } from "./markup.ts";
import { intentOf, newId, type StoredSession } from "./objects.ts";
import { type PageParts as Parts, sendPage as send } from "./page-reply.ts";
import { enqueueEvent, find, saveObject } from "./store.ts";
import { checkoutStyles, countdownScript } from "./styles.ts";

/** In ms, the longest wait for the shop to receive the events of a payment before the payer is redirected. */
const patienceMs = 10_000;

export const sandboxPages = (parts: Parts) => async (app: FastifyInstance) => {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 1_024 },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  await app.register(accountPages(parts));
  await app.register(disputePages(parts));

  app.get<{ Params: { id: string }; Querystring: { declined?: string } }>(
    "/sandbox/checkout/:id",
    async (request, reply) => {
      const stored = await inTx(parts, request.params.id);
      if (!stored) return send(reply.code(404), lostPage(), []);
      const page = isOpen(stored, parts.now())
        ? checkoutPage(stored, parts.now(), request.query.declined === "1")
        : closedPage(stored);
      return send(reply, page, [stored.wanted.successUrl, stored.wanted.cancelUrl]);
    },
  );
  app.post<{ Params: { id: string; button: string } }>("/sandbox/checkout/:id/:button", async (request, reply) => {
    const { id, button } = request.params;
    const act = buttons.get(button);
    const form = request.body instanceof URLSearchParams ? request.body : undefined;
    const pressed: Pressed = { ...parts, later: laterBehaviourOf(form?.get(laterField)) };
    const target = act ? await parts.database.transaction((tx) => press(tx, pressed, id, act)) : undefined;
    if (!target) return send(reply.code(404), lostPage(), []);
    await Promise.race([parts.flush(), new Promise((resolve) => setTimeout(resolve, patienceMs).unref())]);
    return reply.redirect(target, 303);
  });
  const serve = (address: string, type: string, text: string) =>
    app.get(address, (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).header("cache-control", "public, max-age=3600").send(text),
    );
  serve("/sandbox/checkout.css", "text/css", checkoutStyles);
  serve("/sandbox/countdown.js", "text/javascript", countdownScript);
};

const inTx = (parts: Parts, id: string) => parts.database.transaction((tx) => find(tx, "checkout.session", id));

const isOpen = (stored: StoredSession, now: number) =>
  stored.session.status === "open" && stored.session.expires_at > now;

type Pressed = Parts & Readonly<{ later: LaterBehaviour }>;
type Button = (tx: Tx, parts: Pressed, stored: StoredSession) => Promise<string>;

const pagePath = (id: string) => `/sandbox/checkout/${id}`;

async function press(tx: Tx, parts: Pressed, id: string, button: Button): Promise<string | undefined> {
  const stored = await find(tx, "checkout.session", id);
  if (!stored) return undefined;
  return isOpen(stored, parts.now()) ? button(tx, parts, stored) : pagePath(id);
}

const attemptOf = async (tx: Tx, { session, wanted }: StoredSession, now: number): Promise<Stripe.PaymentIntent> =>
  (typeof session.payment_intent === "string" ? await find(tx, "payment_intent", session.payment_intent) : undefined) ??
  intentOf(wanted, newId("pi"), now);

async function saveCard(tx: Tx, { wanted }: StoredSession, later: LaterBehaviour, now: number) {
  if (!wanted.saveCard) return {};
  const { email, metadata } = wanted;
  const customer = customerOf({ created: now, email, name: metadata["payer_name"] ?? null });
  const card = cardOf({ created: now, customer: customer.id, later });
  await saveObject(tx, "customer", customer);
  await saveObject(tx, "payment_method", card);
  return { customer: customer.id, payment_method: card.id };
}

const pay: Button = async (tx, { now, later, received }, stored) => {
  const at = now();
  const savedCard = await saveCard(tx, stored, later, at);
  const attempt = { ...(await attemptOf(tx, stored, at)), ...savedCard };
  const intent = await approve(tx, attempt, { now: at, received });
  const session: Stripe.Checkout.Session = {
    ...stored.session,
    customer: savedCard.customer ?? null,
    status: "complete",
    payment_status: "paid",
    payment_intent: intent.id,
    url: null,
  };
  await saveObject(tx, "checkout.session", { ...stored, session });
  await enqueueEvent(tx, "checkout.session.completed", session, at);
  return stored.wanted.successUrl.replaceAll("{CHECKOUT_SESSION_ID}", session.id);
};

/** The bank requires the payer's confirmation first, and the payer confirms. */
const authenticate: Button = async (tx, parts, stored) => {
  const at = parts.now();
  const pending: Stripe.PaymentIntent = { ...(await attemptOf(tx, stored, at)), status: "requires_action" };
  await saveObject(tx, "payment_intent", pending);
  await enqueueEvent(tx, "payment_intent.requires_action", pending, at);
  return pay(tx, parts, { ...stored, session: { ...stored.session, payment_intent: pending.id } });
};

const refuse: Button = async (tx, { now }, stored) => {
  const at = now();
  const intent = await decline(tx, await attemptOf(tx, stored, at), { now: at, code: "card_declined" });
  const session: Stripe.Checkout.Session = { ...stored.session, payment_intent: intent.id };
  await saveObject(tx, "checkout.session", { ...stored, session }, session.expires_at);
  return `${pagePath(session.id)}?declined=1`;
};

/** Redirects back and leaves the checkout open, as the provider does: the shop may show it again or end it. */
const cancel: Button = async (_tx, _parts, { wanted }) => wanted.cancelUrl ?? pagePath(wanted.id);

const buttons: ReadonlyMap<string, Button> = new Map(
  Object.entries<Button>({ pay, authenticate, decline: refuse, cancel }),
);
