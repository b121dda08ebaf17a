import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { maxEventAttempts } from "#platform/webhooks/processing.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { watchCheckouts } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness, signed } from "#test/harness/payments.ts";
import { openItems, processEvents, reconcile, reconcileRecent, reconciliationJobs } from "./index.ts";

const app = closeAfterFile(await paymentsHarness());
afterEach(async () => {
  delete app.around.retrieveCheckout;
  await expectSound(app);
});

const minutes = (count: number) => app.clock.advance(count * minuteMs);

test("applies a payment whose webhooks are all lost within 15 minutes", async () => {
  const { paymentId, url } = await app.start();
  await app.unheard(() => app.press(url, "pay"));
  minutes(6);
  await watchCheckouts(app.services);
  expect(await app.payment(paymentId)).toMatchObject({ status: "succeeded", checkout_state: "paid" });
});

test("closes a checkout whose end was not reported by querying the provider", async () => {
  const { bookingId, paymentId } = await app.start();
  minutes(32);
  await app.unheard(async () => app.settle());
  expect((await app.payment(paymentId)).checkout_state).toBe("open");
  await watchCheckouts(app.services);
  expect((await app.payment(paymentId)).checkout_state).toBe("closed");
  expect(await app.topics(bookingId)).toEqual(["checkout.ended"]);
});

test("closes a checkout that the provider does not know", async () => {
  const { bookingId, paymentId } = await app.start();
  app.around.retrieveCheckout = () => async () => {
    throw new ProviderFailure("missing", "no such session");
  };
  minutes(6);
  await watchCheckouts(app.services);
  expect((await app.payment(paymentId)).checkout_state).toBe("closed");
  expect(await app.topics(bookingId)).toEqual(["checkout.ended"]);
});

test("retries an event that could not be processed", async () => {
  const { paymentId, url, ref } = await app.start();
  app.around.retrieveCheckout = () => async () => {
    throw new ProviderFailure("no_answer", "the connection was lost");
  };
  await app.press(url, "pay");
  delete app.around.retrieveCheckout;
  const waiting = app.database.db
    .selectFrom("provider_events")
    .where("object_id", "=", ref)
    .select("id")
    .where("processed_at", "is", null)
    .where("dead_at", "is", null);
  expect((await waiting.execute()).length).toBeGreaterThan(0);
  minutes(60);
  await processEvents(app.services);
  expect(await waiting.execute()).toEqual([]);
  expect((await app.payment(paymentId)).status).toBe("succeeded");
});

test("marks an event without a handler as a dead letter", async () => {
  const body = JSON.stringify({
    id: "evt_topup",
    object: "event",
    type: "topup.created",
    livemode: false,
    data: { object: { id: "tu_1" } },
  });
  const headers = {
    "content-type": "application/json",
    "stripe-signature": signed(app.services.sandbox?.webhookSecret ?? "", app.clock.now(), body),
  };
  expect(
    (await app.server.inject({ method: "POST", url: "/api/webhooks/stripe", payload: body, headers })).statusCode,
  ).toBe(200);
  for (let attempt = 0; attempt < maxEventAttempts; attempt++) {
    minutes(60);
    await processEvents(app.services);
  }
  const row = await app.database.db
    .selectFrom("provider_events")
    .selectAll()
    .where("id", "=", "evt_topup")
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    attempts: maxEventAttempts,
    processed_at: null,
    last_error: "there is no handler for topup.created",
  });
  expect(row.dead_at).not.toBeNull();
});

test.each(["charge.succeeded", "refund.created"])(
  "ignores an event of a charge without a payment (%s)",
  async (type) => {
    const [id, now] = [`evt_${type}`, app.clock.now()];
    const payload = JSON.stringify({ id, type, objectId: "ch_foreign", paymentRef: null, account: null });
    const event = { id, provider: "sandbox", type, payload, received_at: now, next_try_at: now };
    await app.inTx((tx) => tx.insertInto("provider_events").values(event).execute());
    await processEvents(app.services);
    const row = app.database.db.selectFrom("provider_events").select(["attempts", "processed_at"]).where("id", "=", id);
    expect(await row.executeTakeFirstOrThrow()).toEqual({ attempts: 0, processed_at: expect.any(Date) as Date });
  },
);

test.each(["no_answer", "server_error"] as const)(
  "repeats an event for three days while the provider is away (%s), then requires an admin",
  async (kind) => {
    const id = `evt_${kind}`;
    const now = app.clock.now();
    const payload = JSON.stringify({
      id,
      type: "account.updated",
      objectId: null,
      paymentRef: null,
      account: "acct_1",
    });
    const event = { id, provider: "sandbox", type: "account.updated", payload, received_at: now, next_try_at: now };
    await app.inTx((tx) => tx.insertInto("provider_events").values(event).execute());
    const { gateway } = app.services;
    const round = async (wait: number, failure: ProviderFailure["kind"] = kind) => {
      const retrieveAccount = () => Promise.reject(new ProviderFailure(failure, "the provider is away"));
      minutes(wait);
      await processEvents({ ...app.services, gateway: gateway && { ...gateway, retrieveAccount } });
      const row = app.database.db.selectFrom("provider_events").select(["attempts", "dead_at"]).where("id", "=", id);
      return row.executeTakeFirstOrThrow();
    };
    for (let attempt = 1; attempt <= 2 * maxEventAttempts; attempt++)
      expect(await round(60)).toEqual({ attempts: 0, dead_at: null });
    expect(await round(60, "refused")).toEqual({ attempts: 1, dead_at: null });
    expect((await round(3 * 24 * 60)).dead_at).not.toBeNull();
  },
);

test("applies what was lost, and lists the remaining differences", async () => {
  const before = await reconcile(app.services);
  const lost = await app.start();
  await app.unheard(() => app.press(lost.url, "pay"));
  const healed = await reconcile(app.services);
  expect(healed?.healed).toBeGreaterThan(0);
  expect((await app.payment(lost.paymentId)).status).toBe("succeeded");
  const calm = await reconcile(app.services);
  expect(calm).toMatchObject({ healed: 0, differences: before?.differences });
  const gateway = app.services.gateway;
  const forgetful = gateway && {
    ...gateway,
    async *listCheckouts() {},
    retrievePayment: () => Promise.reject(new ProviderFailure("missing", "no such payment")),
  };
  const alarmed = await reconcile({ ...app.services, gateway: forgetful });
  const ref = (await app.payment(lost.paymentId)).provider_payment;
  expect(alarmed?.differences).toContainEqual(
    expect.objectContaining({ kind: "money", what: "the provider does not know this payment", ref, amount: 37_500 }),
  );
  expect((await openItems(app.database.db)).map((item) => item.ref)).toContain(ref);
  await reconcile(app.services);
  expect((await openItems(app.database.db)).map((item) => item.ref)).not.toContain(ref);
  const rows = await app.database.db.selectFrom("reconciliations").select("compared").execute();
  expect(rows).toHaveLength(5);
});

test("lists an object that cannot be applied, and applies the others", async () => {
  const [faulty, lost, known] = [await app.start(), await app.start(), await app.paid()];
  await app.unheard(() => app.press(faulty.url, "pay"));
  await app.unheard(() => app.press(lost.url, "pay"));
  const { provider_payment: knownRef } = await app.payment(known.paymentId);
  const real = app.services.gateway!;
  let faultyRef: string | undefined;
  const gateway = {
    ...real,
    // An amount that no row can have, reported first.
    async *listCheckouts(span: Parameters<typeof real.listCheckouts>[0]) {
      const all = await Array.fromAsync(real.listCheckouts(span));
      const { money, ...first } = all.find((one) => one.ref === faulty.ref)!;
      faultyRef = money?.providerPayment;
      yield { ...first, money: money && { ...money, amount: 2 ** 40 } };
      for (const one of all) if (one.ref !== faulty.ref && one.money?.providerPayment !== knownRef) yield one;
    },
    retrievePayment: (ref: string) =>
      ref === knownRef
        ? Promise.reject(new ProviderFailure("refused", "it cannot be shown"))
        : real.retrievePayment(ref),
  };
  // Of another business on the same provider account.
  const foreign = { ref: "re_foreign", refundId: null, providerPayment: "pi_foreign", reason: null, settled: null };
  const large = { ...foreign, amount: 3_000_000_000, currency: "idr", state: "succeeded" as const };
  gateway.listRefunds = async function* () {
    yield { ...large, createdAt: app.clock.now() };
  };
  const differences = (await reconcile({ ...app.services, gateway }))?.differences;
  const what = expect.stringContaining("could not be compared") as string;
  expect(differences).toMatchObject([
    { kind: "money", ref: faultyRef, what },
    { kind: "money", ref: knownRef, what },
  ]);
  expect((await app.payment(lost.paymentId)).status).toBe("succeeded");
  expect(await reconcile(app.services)).toMatchObject({ healed: 1, differences: [] });
  expect((await openItems(app.database.db)).map((item) => item.ref)).not.toContain(faultyRef);
});

test("fails if the database does, and lists no difference", async () => {
  const { url } = await app.start();
  await app.unheard(() => app.press(url, "pay"));
  const { database } = app.services;
  const failures = [Object.assign(new Error("deadlock detected"), { code: "40P01" })];
  const transaction: typeof database.transaction = (work) => {
    const failure = failures.pop();
    return failure ? Promise.reject(failure) : database.transaction(work);
  };
  await expect(reconcile({ ...app.services, database: { ...database, transaction } })).rejects.toThrow("deadlock");
  expect(await reconcile(app.services)).toMatchObject({ healed: 1, differences: [] });
});

test("returns false from both jobs unless they apply or find something", async () => {
  const own = await paymentsHarness();
  const runs = async () => {
    const left = [];
    for (const { name, run } of reconciliationJobs)
      if (name.startsWith("payment-reconcile")) left.push((await run(own.services)) !== false);
    return left;
  };
  try {
    expect(await runs()).toEqual([false, false]);
    const lost = await own.start();
    await own.unheard(() => own.press(lost.url, "pay"));
    expect(await runs()).toEqual([true, false]);
    expect((await own.payment(lost.paymentId)).status).toBe("succeeded");
  } finally {
    await own.close();
  }
});

test("fetches a payment again only if our row differs from the report", async () => {
  const one = await app.start();
  await app.press(one.url, "pay");
  const { provider_payment: ref } = await app.payment(one.paymentId);
  const fetchedPayments: string[] = [];
  const real = app.services.gateway!;
  const retrievePayment = (payment: string) => {
    fetchedPayments.push(payment);
    return real.retrievePayment(payment);
  };
  const counting = { ...app.services, gateway: { ...real, retrievePayment } };
  expect((await reconcile(counting))?.compared).toBeGreaterThan(0);
  expect(fetchedPayments).not.toContain(ref);
  const change = (provider_ref: string | null) =>
    app.inTx((tx) => tx.updateTable("payments").set({ provider_ref }).where("id", "=", one.paymentId).execute());
  await change(null);
  await reconcile(counting);
  expect(fetchedPayments).toContain(ref);
  expect((await app.payment(one.paymentId)).provider_ref).toBe(one.ref);
});

test("applies an unreported dashboard refund within 15 minutes", async () => {
  const { paymentId } = await app.paid();
  const { provider_payment: providerPayment } = await app.payment(paymentId);
  await app.unheard(async () => {
    await app.services.gateway?.createRefund({
      refundId: "made-in-the-dashboard",
      key: randomUUID(),
      providerPayment: providerPayment ?? "",
      amount: 37_500,
    });
    await app.settle();
  });
  expect((await app.payment(paymentId)).status).toBe("succeeded");
  minutes(10);
  await reconcileRecent(app.services);
  expect((await app.payment(paymentId)).status).toBe("refunded");
});
