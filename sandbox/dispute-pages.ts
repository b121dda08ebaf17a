import type { FastifyInstance } from "fastify";
import type { Tx } from "#platform/db/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { decideDispute, disputesOfCharge, isOver, hasWithdrawnFunds, openDispute } from "./disputes/changes.ts";
import { openings, paymentPage } from "./disputes/markup.ts";
import { lostPage } from "./markup.ts";
import { type PageParts, sendAfterButton, sendPage } from "./page-reply.ts";
import { find } from "./store.ts";

async function chargeOf(tx: Tx, intentId: string) {
  const intent = await find(tx, "payment_intent", intentId);
  const charge = typeof intent?.latest_charge === "string" ? await find(tx, "charge", intent.latest_charge) : undefined;
  return charge?.paid ? charge : undefined;
}

const isOpening = (name: string): name is keyof typeof openings => Object.hasOwn(openings, name);

export const disputePages = (parts: PageParts) => async (app: FastifyInstance) => {
  const { database } = parts;
  app.get<{ Params: { id: string } }>("/sandbox/payment/:id", async ({ params: { id } }, reply) => {
    const shown = await database.transaction(async (tx) => {
      const charge = await chargeOf(tx, id);
      return charge && { charge, disputes: await disputesOfCharge(tx, charge.id) };
    });
    if (!shown) return sendPage(reply.code(404), lostPage(), []);
    const { charge, disputes } = shown;
    return sendPage(reply, paymentPage(charge, { intent: id, disputes, back: paths.admin.payments }), []);
  });

  app.post<{ Params: { id: string; opening: string } }>(
    "/sandbox/payment/:id/dispute/:opening",
    async ({ params: { id, opening } }, reply) => {
      const known = await database.transaction(async (tx) => {
        const charge = isOpening(opening) ? await chargeOf(tx, id) : undefined;
        if (!charge || !isOpening(opening)) return false;
        const others = await disputesOfCharge(tx, charge.id);
        if (others.some((dispute) => !isOver(dispute) || hasWithdrawnFunds(dispute))) return true;
        const { reason, inquiry, half } = openings[opening];
        const amount = half ? Math.ceil(charge.amount / 2) : charge.amount;
        await openDispute(tx, charge, { amount, reason, inquiry }, parts.now());
        return true;
      });
      return sendAfterButton(reply, parts, known ? paths.sandboxPayment(id) : undefined);
    },
  );

  app.post<{ Params: { id: string; outcome: string } }>(
    "/sandbox/dispute/:id/:outcome",
    async ({ params: { id, outcome } }, reply) => {
      const intent = await database.transaction(async (tx) => {
        const dispute = outcome === "win" || outcome === "lose" ? await find(tx, "dispute", id) : undefined;
        if (dispute) await decideDispute(tx, dispute, outcome === "win", parts.now());
        return typeof dispute?.payment_intent === "string" ? dispute.payment_intent : undefined;
      });
      return sendAfterButton(reply, parts, intent && paths.sandboxPayment(intent));
    },
  );
};
