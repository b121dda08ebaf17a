/** A card provider in memory, for histories that the sandbox's page cannot produce. */

import { randomUUID } from "node:crypto";
import {
  type ProviderCheckout,
  type CheckoutRequest,
  type Money,
  type PaymentGateway,
  ProviderFailure,
  type ProviderRefund,
} from "#gateway/gateway.ts";
import { memoryDisputes } from "./memory-disputes.ts";
import { memoryAccounts, memoryTransfers } from "./memory-payouts.ts";

export type Session = {
  ref: string;
  request: CheckoutRequest;
  state: "open" | "paid" | "ended";
  money: Money | null;
  declined: boolean;
};
export type ProviderNotice = { type: string; objectId: string | null; paymentRef: string | null };

/** A provider without saved cards. */
const noCards = {
  chargeCard: () => Promise.reject(new ProviderFailure("missing", "no such customer")),
  findCharges: async () => [],
  async *listCharges() {},
  cancelCharge: () => Promise.reject(new ProviderFailure("missing", "no such charge")),
  hasSavedCard: async () => false,
  removeCard: async () => undefined,
};

/** A provider in memory. Its state counts, and its webhooks arrive as set by the test. */
export function memoryProvider() {
  const sessions = new Map<string, Session>();
  const refunds = new Map<string, ProviderRefund>();
  const keys = new Map<string, string>();
  const disputes = memoryDisputes();
  const payouts = { accounts: memoryAccounts(), transfers: memoryTransfers() };
  let lose = 0;
  let second = 0;
  const at = new Date("2026-11-20T12:00:00Z");
  const checkout = (session: Session): ProviderCheckout => ({
    ref: session.ref,
    markedBy: "us",
    paymentId: session.request.paymentId,
    state: session.state,
    url: session.state === "open" ? `http://provider/${session.ref}` : null,
    createdAt: at,
    expiresAt: session.request.expiresAt,
    money: session.money,
    reason: null,
  });
  const need = <T>(found: T | undefined): T => {
    if (!found) throw new ProviderFailure("missing", "no such object");
    return found;
  };
  const add = (request: CheckoutRequest): Session => {
    const session: Session = { ref: `cs_${randomUUID()}`, request, state: "open", money: null, declined: false };
    sessions.set(session.ref, session);
    return session;
  };
  const byPayment = (ref: string) => [...sessions.values()].find((session) => `pi_${session.ref}` === ref);
  async function* none<T>(): AsyncIterable<T> {}
  const gateway: PaymentGateway = {
    name: "memory",
    live: false,
    ...payouts.accounts.gateway,
    ...payouts.transfers.gateway,
    ...disputes.gateway,
    createCheckout: async (request) => {
      const ref = keys.get(request.paymentId) ?? add(request).ref;
      keys.set(request.paymentId, ref);
      return checkout(need(sessions.get(ref)));
    },
    retrieveCheckout: async (ref) => checkout(need(sessions.get(ref))),
    findCheckouts: async (paymentId) =>
      [...sessions.values()].filter((session) => session.request.paymentId === paymentId).map(checkout),
    expireCheckout: async (ref) => {
      const session = need(sessions.get(ref));
      if (session.state === "open") session.state = "ended";
      return checkout(session);
    },
    listCheckouts: () => none(),
    retrievePayment: async (ref) => {
      const session = need(byPayment(ref));
      const state = session.money ? "paid" : session.declined ? "failed" : "pending";
      return {
        ref,
        markedBy: "us",
        paymentId: session.request.paymentId,
        state,
        money: session.money,
        reason: session.declined ? "declined" : null,
      };
    },
    ...noCards,
    createRefund: async ({ refundId, key, providerPayment, amount }) => {
      const known = keys.get(key);
      const reported: ProviderRefund = known
        ? need(refunds.get(known))
        : {
            ref: `re_${randomUUID()}`,
            refundId,
            providerPayment,
            amount,
            currency: "usd",
            state: "succeeded",
            reason: null,
            settled: { amount, currency: "usd" },
            createdAt: at,
          };
      keys.set(key, reported.ref);
      refunds.set(reported.ref, reported);
      if (lose-- > 0) throw new ProviderFailure("no_answer", "the connection was lost");
      return reported;
    },
    retrieveRefund: async (ref) => need(refunds.get(ref)),
    findRefunds: async (ref) => [...refunds.values()].filter((refund) => refund.providerPayment === ref).toReversed(),
    listRefunds: () => none(),
    signTestEvent: () => null,
    readEvent: ({ raw }) => ({
      ...(JSON.parse(Buffer.from(raw).toString()) as ProviderNotice & { id: string }),
      account: null,
      live: false,
    }),
  };
  const pay = (
    session: Session,
    amount = session.request.amount,
    paymentId = session.request.paymentId,
  ): ProviderNotice[] => {
    if (session.state !== "open") return [];
    session.state = "paid";
    const paidAt = new Date(at.getTime() + second++ * 1_000);
    session.request = { ...session.request, paymentId };
    const providerPayment = `pi_${session.ref}`;
    session.money = {
      providerPayment,
      charge: `ch_${session.ref}`,
      amount,
      currency: "usd",
      live: false,
      at: paidAt,
      fee: { amount: 30, currency: "usd" },
      settled: { amount, currency: "usd" },
    };
    return [
      { type: "checkout.session.completed", objectId: session.ref, paymentRef: providerPayment },
      { type: "payment_intent.succeeded", objectId: providerPayment, paymentRef: null },
      { type: "charge.succeeded", objectId: `ch_${session.ref}`, paymentRef: providerPayment },
    ];
  };
  return { gateway, sessions, refunds, payouts, disputes, add, pay, loseAnswers: (count: number) => (lose = count) };
}
