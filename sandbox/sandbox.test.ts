import { sql } from "kysely";
import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { addresses, paymentsHarness } from "#test/harness/payments.ts";
import { sandboxClient, sandboxOf, wantedSession } from "#test/harness/provider/sandbox-client.ts";
import { stripeSchemas } from "#test/harness/provider/stripe-schemas.ts";

const app = closeAfterFile(await paymentsHarness());
const stripe = sandboxClient(app);

const now = () => Math.floor(app.clock.now().getTime() / 1000);
const wanted = (more?: Partial<Stripe.Checkout.SessionCreateParams>) => wantedSession(app.clock, more);
const price = (unit_amount: number, currency = "usd") => ({
  line_items: [{ quantity: 1, price_data: { currency, unit_amount, product_data: { name: "x" } } }],
});

async function paid(more: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const session = await stripe.checkout.sessions.create(wanted(more), { idempotencyKey: `paid-${Math.random()}` });
  await app.press(session.url ?? "", "pay");
  return stripe.checkout.sessions.retrieve(session.id, {
    expand: ["payment_intent.latest_charge.balance_transaction"],
  });
}

describe("the official client", () => {
  test("pays a session and finds its expanded objects", async () => {
    const session = await paid();
    expect(session).toMatchObject({
      status: "complete",
      payment_status: "paid",
      client_reference_id: "intent-1",
      url: null,
    });
    const intent = session.payment_intent as Stripe.PaymentIntent;
    const charge = intent.latest_charge as Stripe.Charge;
    expect(intent).toMatchObject({ status: "succeeded", amount_received: 37_500, transfer_group: "booking-1" });
    expect(charge.balance_transaction).toMatchObject({ amount: 37_500, fee: 1_118, net: 36_382 });
  });

  test("shows the payer no other currency, and takes the sum of a payment that was presented in one", async () => {
    const { url, paymentId } = await app.start();
    const { data } = await stripe.checkout.sessions.list({ limit: 10 });
    const session = data.find(({ client_reference_id: id }) => id === paymentId);
    expect(session?.adaptive_pricing).toEqual({ enabled: false });
    expect((await paid()).adaptive_pricing).toEqual({ enabled: true });
    await app.press(url, "pay");
    const { provider_payment: ref } = await app.payment(paymentId);
    const presented = { presentment_details: { presentment_amount: 35_900, presentment_currency: "eur" } };
    await sql`
      update sandbox_objects set body = body || ${JSON.stringify(presented)}::jsonb
      where kind = 'payment_intent' and id = ${ref}`.execute(app.database.db);
    const { money } = (await app.services.gateway?.retrievePayment(ref ?? "")) ?? {};
    expect(money).toMatchObject({ amount: 37_500, currency: "usd", settled: { amount: 37_500, currency: "usd" } });
  });

  test("gets the same response for the same key, and an error for the same key with other parameters", async () => {
    const options = { idempotencyKey: "key-1" };
    const params = wanted();
    const [one, two] = await Promise.all([
      stripe.checkout.sessions.create(params, options),
      stripe.checkout.sessions.create(params, options),
    ]);
    expect(two.id).toBe(one.id);
    const third = await stripe.checkout.sessions.create(params, options);
    expect(third.lastResponse.headers["idempotent-replayed"]).toBe("true");
    const other = stripe.checkout.sessions.create({ ...params, client_reference_id: "intent-2" }, options);
    await expect(other).rejects.toMatchObject({ type: "StripeIdempotencyError", statusCode: 400 });
  });

  test("may reuse a key whose first call failed", async () => {
    const options = { idempotencyKey: "key-2" };
    await expect(stripe.checkout.sessions.create(wanted({ mode: "setup" }), options)).rejects.toMatchObject({
      statusCode: 400,
    });
    expect((await stripe.checkout.sessions.create(wanted(), options)).status).toBe("open");
  });

  test("refunds parts until nothing is left", async () => {
    const session = await paid();
    const intent = session.payment_intent as Stripe.PaymentIntent;
    const give = (amount: number | undefined, key: string) =>
      stripe.refunds.create(
        { payment_intent: intent.id, ...(amount === undefined ? {} : { amount }), metadata: { refund_id: key } },
        { idempotencyKey: key },
      );
    const first = await give(7_500, `a-${intent.id}`);
    expect(first).toMatchObject({ status: "succeeded", amount: 7_500, metadata: { refund_id: `a-${intent.id}` } });
    expect((await give(7_500, `a-${intent.id}`)).id).toBe(first.id);
    await expect(give(30_001, `b-${intent.id}`)).rejects.toMatchObject({ code: "amount_too_large" });
    expect((await give(undefined, `c-${intent.id}`)).amount).toBe(30_000);
    await expect(give(1, `d-${intent.id}`)).rejects.toMatchObject({ code: "charge_already_refunded" });
    const all = await stripe.refunds.list({ payment_intent: intent.id });
    expect(all.data.map((refund) => refund.amount).toSorted((a, b) => a - b)).toEqual([7_500, 30_000]);
  });

  test("reads long lists page by page", async () => {
    const from = now();
    const made: string[] = [];
    for (let index = 0; index < 7; index++)
      made.push((await stripe.checkout.sessions.create(wanted(), { idempotencyKey: `list-${index}` })).id);
    const seen: string[] = [];
    for await (const session of stripe.checkout.sessions.list({ created: { gte: from, lte: now() + 1 }, limit: 3 }))
      seen.push(session.id);
    expect(seen).toEqual(expect.arrayContaining(made));
    expect(new Set(seen).size).toBe(seen.length);
  });

  test("ends an open session once", async () => {
    const session = await stripe.checkout.sessions.create(wanted(), { idempotencyKey: "end-1" });
    expect((await stripe.checkout.sessions.expire(session.id)).status).toBe("expired");
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toMatchObject({
      statusCode: 400,
      type: "StripeInvalidRequestError",
    });
  });

  test.each([
    ["an amount below the least", price(49)],
    ["an amount above the most", price(100_000_000)],
    ["another currency", price(500, "jpy")],
    ["an end too soon", { expires_at: 1 }],
    ["no way back", { success_url: "javascript:alert(1)" }],
    ["nothing to buy", { line_items: [] }],
  ])("gets an error: %s", async (name, more) => {
    const creation = stripe.checkout.sessions.create(wanted(more), { idempotencyKey: `refused ${name}` });
    await expect(creation).rejects.toMatchObject({ statusCode: 400, type: "StripeInvalidRequestError" });
  });

  test("gets the provider's error for an unknown call or object", async () => {
    await expect(stripe.payouts.list()).rejects.toMatchObject({ statusCode: 404, type: "StripeInvalidRequestError" });
    await expect(stripe.checkout.sessions.retrieve("cs_test_none")).rejects.toMatchObject({
      statusCode: 404,
      code: "resource_missing",
    });
    const { host, port, secretKey } = sandboxOf(app);
    const raw = await fetch(`http://${host}:${port}/v1/anything`, {
      headers: { authorization: `Bearer ${secretKey}` },
    });
    expect(await raw.json()).toEqual({
      error: { type: "invalid_request_error", message: "Unrecognized request URL (GET: /v1/anything)." },
    });
  });

  test("needs the sandbox's key, and a key for each write", async () => {
    const { host, port, secretKey } = sandboxOf(app);
    const stranger = new Stripe("sk_test_other", { host, port, protocol: "http", maxNetworkRetries: 0 });
    await expect(stranger.refunds.list()).rejects.toMatchObject({ statusCode: 401 });
    const headers = { authorization: `Bearer ${secretKey}`, "content-type": "application/x-www-form-urlencoded" };
    const hostile =
      "line_items[__proto__][polluted]=1&constructor[prototype][polluted]=1&a[b][c][d][e][f][g][h][i][j]=1";
    for (const body of [hostile, "", "%", "a".repeat(300_000)]) {
      const response = await fetch(`http://${host}:${port}/v1/refunds`, { method: "POST", headers, body });
      expect([400, 413]).toContain(response.status);
    }
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("makes an account, opens its pages, and gets no dashboard before the onboarding", async () => {
    const account = await stripe.accounts.create({
      type: "express",
      capabilities: { transfers: { requested: true } },
      metadata: { artist_id: "artist-1" },
    });
    expect(account).toMatchObject({
      details_submitted: false,
      payouts_enabled: false,
      metadata: { artist_id: "artist-1" },
    });
    await expect(stripe.accounts.createLoginLink(account.id)).rejects.toMatchObject({ statusCode: 400 });
    const link = await stripe.accountLinks.create({
      account: account.id,
      type: "account_onboarding",
      return_url: addresses.successUrl,
      refresh_url: addresses.successUrl,
    });
    await app.server.inject({ method: "POST", url: `${new URL(link.url).pathname}/complete` });
    const done = await stripe.accounts.retrieve(account.id);
    expect(done).toMatchObject({
      details_submitted: true,
      payouts_enabled: true,
      capabilities: { transfers: "active" },
    });
    expect((await stripe.accounts.createLoginLink(account.id)).url).toContain(`/sandbox/account/${account.id}`);
    await expect(stripe.accounts.create({ type: "standard" })).rejects.toMatchObject({ statusCode: 400 });
    expect((await stripe.accounts.list()).data.map(({ id }) => id)).toContain(account.id);
  });

  test("transfers a charge's money once, never more than it has, and reverses parts of it", async () => {
    const session = await paid();
    const charge = (session.payment_intent as Stripe.PaymentIntent).latest_charge as Stripe.Charge;
    const send = (amount: number, key: string, destination = "acct_demo_completed_somebody") =>
      stripe.transfers.create(
        { amount, currency: "usd", destination, source_transaction: charge.id, transfer_group: "booking-1" },
        { idempotencyKey: `${key} ${charge.id}` },
      );
    const first = await send(30_000, "a");
    expect((await send(30_000, "a")).id).toBe(first.id);
    await expect(send(7_501, "b")).rejects.toMatchObject({ code: "balance_insufficient" });
    await expect(send(100, "c", "acct_demo_open_somebody")).rejects.toMatchObject({
      code: "insufficient_capabilities_for_transfer",
    });
    const reversal = await stripe.transfers.createReversal(first.id, { amount: 10_000 });
    await expect(stripe.transfers.createReversal(first.id, { amount: 20_001 })).rejects.toMatchObject({
      code: "amount_too_large",
    });
    expect(await stripe.transfers.retrieve(first.id)).toMatchObject({ amount: 30_000, amount_reversed: 10_000 });
    expect((await stripe.transfers.listReversals(first.id)).data.map(({ id }) => id)).toEqual([reversal.id]);
    expect((await stripe.transfers.list({ transfer_group: "booking-1" })).data.map(({ id }) => id)).toContain(first.id);
  });

  test("rejects a transfer in another currency, or of more, than the charge's settlement", async () => {
    const session = await paid();
    const charge = (session.payment_intent as Stripe.PaymentIntent).latest_charge as Stripe.Charge;
    const balance = charge.balance_transaction as Stripe.BalanceTransaction;
    const converted = JSON.stringify({ ...balance, currency: "eur", amount: 30_000, exchange_rate: 0.8 });
    await sql`update sandbox_objects set body = ${converted}::jsonb where id = ${balance.id}`.execute(app.database.db);
    const send = (amount: number, currency: string) =>
      stripe.transfers.create(
        { amount, currency, destination: "acct_demo_completed_somebody", source_transaction: charge.id },
        { idempotencyKey: `settled ${amount} ${currency} ${charge.id}` },
      );
    await expect(send(30_000, "usd")).rejects.toThrow(
      "The currency of source_transaction's balance transaction (eur) must be the same as the transfer currency (usd)",
    );
    await expect(send(30_001, "eur")).rejects.toMatchObject({ code: "balance_insufficient" });
    expect(await send(30_000, "eur")).toMatchObject({ amount: 30_000, currency: "eur" });
  });

  test("finds the payments of the demo market's past by their references", async () => {
    const tail = "usd_37500_1700000000_0123456789abcdef0123456789abcdef";
    const intent = await stripe.paymentIntents.retrieve(`pi_demo_${tail}`, { expand: ["latest_charge"] });
    expect(intent).toMatchObject({
      status: "succeeded",
      amount: 37_500,
      metadata: { intent_id: "01234567-89ab-cdef-0123-456789abcdef" },
    });
    const refund = await stripe.refunds.create(
      { payment_intent: intent.id, amount: 100 },
      { idempotencyKey: "demo-1" },
    );
    expect(refund.status).toBe("succeeded");
  });
});

describe("the provider's schema", () => {
  const validators = stripeSchemas();

  test("matches every object", async () => {
    const open = await stripe.checkout.sessions.create(wanted(), { idempotencyKey: "shape-1" });
    await app.press(open.url ?? "", "decline");
    const declined = await stripe.checkout.sessions.retrieve(open.id, { expand: ["payment_intent.latest_charge"] });
    const done = await paid({ customer_email: "hannah@example.test" });
    const intent = done.payment_intent as Stripe.PaymentIntent;
    const refund = await stripe.refunds.create({ payment_intent: intent.id }, { idempotencyKey: "shape-2" });
    const events = await app.database.db
      .selectFrom("sandbox_objects")
      .select("body")
      .where("kind", "=", "event")
      .execute();
    const charge = intent.latest_charge as Stripe.Charge;
    const account = await stripe.accounts.retrieve("acct_demo_completed_somebody");
    const link = await stripe.accountLinks.create({
      account: account.id,
      type: "account_onboarding",
      return_url: addresses.successUrl,
      refresh_url: addresses.successUrl,
    });
    const check = (name: string, object: unknown) => {
      const wrong = validators(name)(JSON.parse(JSON.stringify(object)));
      expect({ name, wrong }).toEqual({ name, wrong: [] });
    };
    for (const session of [open, declined, done]) check("checkout.session", session);
    for (const one of [declined.payment_intent, intent]) check("payment_intent", one);
    check("charge", charge);
    check("balance_transaction", charge.balance_transaction);
    check("refund", refund);
    check("account", account);
    check("account", await stripe.accounts.retrieve("acct_demo_open_somebody"));
    check("account", await stripe.accounts.retrieveCurrent());
    check("balance", await stripe.balance.retrieve());
    check("account_link", link);
    const transfer = await stripe.transfers.create(
      { amount: 1_000, currency: "usd", destination: account.id, source_transaction: charge.id },
      { idempotencyKey: "shape-3" },
    );
    check("transfer", transfer);
    check("transfer_reversal", await stripe.transfers.createReversal(transfer.id, { amount: 400 }));
    check("transfer", await stripe.transfers.retrieve(transfer.id));
    check("transfer", await stripe.transfers.retrieve(`tr_demo_usd_1000_1700000000_${"0".repeat(32)}`));
    check("login_link", await stripe.accounts.createLoginLink(account.id));
    for (const event of events) check("event", event.body);
    expect(validators("refund")({ id: "x", object: "refund" })).not.toEqual([]);
  });
});
