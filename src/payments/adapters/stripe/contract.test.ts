/**
 * Tests what the product relies on at the payment provider, with the sandbox and, if a key is set, with Stripe's test mode:
 * STRIPE_CONTRACT_KEY=sk_test_… [STRIPE_CONTRACT_ACCOUNT=acct_…] npx vitest run --project postgres src/payments/adapters/stripe/contract.test.ts
 * The account is a connected one that can receive transfers. The sources of the rules are in docs/stripe-behavior.md.
 */

import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PaymentGateway } from "#gateway/gateway.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { addresses, type PaymentsHarness, paymentsHarness } from "#test/harness/payments.ts";
import { stripeGateway } from "./gateway.ts";

const key = process.env["STRIPE_CONTRACT_KEY"];
if (key && !key.startsWith("sk_test_")) throw new Error("STRIPE_CONTRACT_KEY must be a key of Stripe's test mode");

type Paid = { providerPayment: string; charge: string };
type Provider = {
  gateway: PaymentGateway;
  pay(amount: number, currency: string): Promise<Paid>;
  account: string | undefined;
  close(): Promise<void>;
};

async function sandbox(): Promise<Provider> {
  const app: PaymentsHarness = await paymentsHarness({ env: { SANDBOX_CURRENCIES: "eur,usd" } });
  const { gateway } = app.services;
  if (!gateway) throw new Error("demo mode has a sandbox");
  return {
    gateway,
    pay: async (amount, currency) => {
      const { paymentId, url } = await app.start({ amount, currency });
      await app.press(url, "pay");
      const { provider_payment: providerPayment, provider_charge: charge } = await app.payment(paymentId);
      if (!providerPayment || !charge) throw new Error("the payment was not taken");
      return { providerPayment, charge };
    },
    account: `acct_demo_${randomUUID().replaceAll("-", "")}`,
    close: app.close,
  };
}

async function testMode(): Promise<Provider> {
  const secretKey = key ?? "";
  const stripe = new Stripe(secretKey, { telemetry: false });
  const installation = `contract-${randomUUID()}`;
  const secrets = { webhookSecret: undefined, connectWebhookSecret: undefined };
  return {
    gateway: stripeGateway({ name: "stripe", secretKey, ...secrets, live: false, installation }),
    pay: async (amount, currency) => {
      const metadata = { installation, intent_id: randomUUID() };
      const intent = await stripe.paymentIntents.create({
        amount,
        currency,
        confirm: true,
        metadata,
        payment_method: "pm_card_visa",
        automatic_payment_methods: { enabled: true, allow_redirects: "never" },
      });
      return { providerPayment: intent.id, charge: String(intent.latest_charge) };
    },
    account: process.env["STRIPE_CONTRACT_ACCOUNT"],
    close: async () => undefined,
  };
}

const providers = [
  { name: "the sandbox", open: sandbox, isGiven: true },
  { name: "Stripe's test mode", open: testMode, isGiven: key !== undefined },
];

describe.each(providers)("$name", { timeout: 120_000 }, ({ open, isGiven }) => {
  let provider: Provider;
  beforeAll(async () => {
    if (isGiven) provider = await open();
  });
  afterAll(async () => {
    if (isGiven) await provider.close();
  });

  const wanted = (minutes = 31) => ({
    paymentId: randomUUID(),
    bookingId: randomUUID(),
    kind: "deposit" as const,
    amount: 37_500,
    currency: "usd",
    title: "Deposit",
    details: ["Saturday"],
    imageUrl: null,
    payerEmail: "hannah@example.test",
    payerName: "Hannah Whitt",
    ...addresses,
    expiresAt: new Date(Date.now() + minutes * minuteMs),
  });
  const settled = async ({ providerPayment }: Paid) => {
    const { money } = await provider.gateway.retrievePayment(providerPayment);
    if (!money?.settled) throw new Error("the provider does not say what its account received");
    return money.settled;
  };
  const refund = (paid: Paid, amount: number) => {
    const id = randomUUID();
    return provider.gateway.createRefund({ refundId: id, key: id, providerPayment: paid.providerPayment, amount });
  };
  const transfer = (
    paid: Paid,
    sum: { amount: number; currency: string },
    id = randomUUID(),
    bookingId = `booking of ${paid.charge}`,
  ) =>
    provider.gateway.createTransfer({
      transferId: id,
      key: id,
      bookingId,
      destination: provider.account ?? "",
      charge: paid.charge,
      ...sum,
    });

  test.runIf(isGiven)("creates the same checkout once, and returns an expired one when it is ended again", async () => {
    const request = wanted();
    const { gateway } = provider;
    const [one, two] = [await gateway.createCheckout(request), await gateway.createCheckout(request)];
    expect(two.ref).toBe(one.ref);
    expect(one).toMatchObject({ state: "open", paymentId: request.paymentId, money: null });
    expect(await gateway.expireCheckout(one.ref)).toMatchObject({ state: "ended" });
    expect(await gateway.expireCheckout(one.ref)).toMatchObject({ state: "ended" });
  });

  test.runIf(isGiven)("refuses a checkout that expires in less than 30 minutes", async () => {
    await expect(provider.gateway.createCheckout(wanted(20))).rejects.toMatchObject({ kind: "refused" });
  });

  test.runIf(isGiven)("does not report a call as refused whose key was used for other details", async () => {
    const paid = await provider.pay(37_500, "usd");
    const request = { refundId: randomUUID(), key: randomUUID(), providerPayment: paid.providerPayment };
    await provider.gateway.createRefund({ ...request, amount: 500 });
    const other = provider.gateway.createRefund({ ...request, amount: 600 });
    await expect(other).rejects.toMatchObject({ kind: "server_error" });
  });

  test.runIf(isGiven)(
    "reports what the account received for a charge, in one of its settlement currencies",
    async () => {
      const received = await provider.gateway.fetchSettlementCurrencies();
      for (const currency of ["usd", "eur", "gbp"]) {
        const sum = await settled(await provider.pay(10_000, currency));
        expect(received).toContain(sum.currency);
        if (received.has(currency)) expect(sum).toEqual({ amount: 10_000, currency });
        else expect(sum.amount).not.toBe(10_000);
      }
    },
  );

  test.runIf(isGiven)("refunds at most the charge, and once per idempotency key", async () => {
    const paid = await provider.pay(10_000, "usd");
    const id = randomUUID();
    const request = { refundId: id, key: id, providerPayment: paid.providerPayment, amount: 4_000 };
    const [one, two] = [await provider.gateway.createRefund(request), await provider.gateway.createRefund(request)];
    expect(two.ref).toBe(one.ref);
    await expect(refund(paid, 6_001)).rejects.toMatchObject({ kind: "refused" });
    await refund(paid, 6_000);
    expect(
      (await provider.gateway.findRefunds(paid.providerPayment)).map(({ amount }) => amount).toSorted((a, b) => a - b),
    ).toEqual([4_000, 6_000]);
    await expect(refund(paid, 1)).rejects.toMatchObject({ kind: "refused" });
  });

  test.runIf(isGiven)(
    "reports what left the account for a refund, in the currency that the account received",
    async () => {
      const paid = await provider.pay(10_000, "gbp");
      const { currency } = await settled(paid);
      const { settled: left } = await refund(paid, 10_000);
      expect(left?.currency).toBe(currency);
      expect(left?.amount).toBeGreaterThan(0);
    },
  );

  test.runIf(isGiven)(
    "transfers only in the currency that the account received, and at most that amount",
    async ({ skip }) => {
      if (!provider.account) skip("STRIPE_CONTRACT_ACCOUNT names no connected account");
      const paid = await provider.pay(10_000, "gbp");
      const { amount, currency } = await settled(paid);
      const other = currency === "gbp" ? "usd" : "gbp";
      await expect(transfer(paid, { amount: 100, currency: other })).rejects.toMatchObject({ kind: "refused" });
      await expect(transfer(paid, { amount: amount + 1, currency })).rejects.toMatchObject({ kind: "refused" });
      const id = randomUUID();
      const part = { amount: Math.floor(amount / 2), currency };
      const [one, two] = [await transfer(paid, part, id), await transfer(paid, part, id)];
      expect(two.ref).toBe(one.ref);
      expect(one).toMatchObject(part);
    },
  );

  test.runIf(isGiven)("finds a booking's transfers by the group of their charge, and no others", async ({ skip }) => {
    if (!provider.account) skip("STRIPE_CONTRACT_ACCOUNT names no connected account");
    const paid = await provider.pay(10_000, "usd");
    const part = { ...(await settled(paid)), amount: 1_000 };
    const [one, other] = [await transfer(paid, part), await transfer(paid, part, randomUUID(), "another booking")];
    const found = (bookingId: string) => provider.gateway.findTransfers({ bookingId, charge: paid.charge });
    expect(await found(`booking of ${paid.charge}`)).toEqual([one]);
    expect(await found("another booking")).toEqual([other]);
  });

  test.runIf(isGiven)("reverses at most the amount of the transfer", async ({ skip }) => {
    if (!provider.account) skip("STRIPE_CONTRACT_ACCOUNT names no connected account");
    const paid = await provider.pay(10_000, "usd");
    const sum = await settled(paid);
    const { ref, amount } = await transfer(paid, { ...sum, amount: sum.amount - 1_000 });
    const back = (part: number) =>
      provider.gateway.createReversal({ reversalId: randomUUID(), key: randomUUID(), transfer: ref, amount: part });
    await expect(back(amount + 1)).rejects.toMatchObject({ kind: "refused" });
    expect(await back(amount)).toMatchObject({ transfer: ref, amount, currency: sum.currency });
    await expect(back(1)).rejects.toMatchObject({ kind: "refused" });
    expect(await provider.gateway.retrieveTransfer(ref)).toMatchObject({ reversed: amount });
  });
});
