/** The actions of a generated history with refunds: in the dashboard, refused, returned by the bank, resolved by an admin. */

import { expect } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import type { RefusedRefund } from "#payments/refunds/refused-refunds.api.ts";
import { newId } from "#sandbox/objects.ts";
import { enqueueEvent, find, saveObject } from "#sandbox/store.ts";
import type { TestApp } from "#test/test-app.ts";
import type { Life } from "./history-actions.ts";

/** Returns a payment of the booking in any state: the deposit or the balance, by `part`. */
export const takenPayment = (app: TestApp, { bookingId }: Life, part: number) =>
  app.database.db
    .selectFrom("payments")
    .select(["provider_payment", "amount"])
    .where("booking_id", "=", bookingId)
    .where("status", "=", "succeeded")
    .orderBy("kind", part % 2 ? "asc" : "desc")
    .executeTakeFirst();

type Installation = Pick<TestApp, "database"> & { services: Pick<TestApp["services"], "clock"> };

const refundsOf = (app: Pick<TestApp, "database">, { bookingId }: Pick<Life, "bookingId">) =>
  app.database.db
    .selectFrom("refunds as r")
    .innerJoin("payments as p", "p.id", "r.payment_id")
    .select(["r.id", "r.provider_ref", "r.provider_payment", "r.amount", "r.status", "r.paid_outside_at"])
    .where("p.booking_id", "=", bookingId)
    .orderBy("r.created_at", "desc")
    .orderBy("r.amount", "desc")
    .execute();

/** The provider refuses the next refund that the platform sends for the booking. */
export async function refuseRefund(app: TestApp, life: Life) {
  const { gateway } = app.services;
  if (!gateway) return;
  const createRefund = gateway.createRefund.bind(gateway);
  let isOver = false;
  Object.assign(gateway, {
    createRefund: async (made: Parameters<typeof createRefund>[0]) => {
      const isNext = !isOver && (await refundsOf(app, life)).some(({ id }) => id === made.refundId);
      if (!isNext) return createRefund(made);
      isOver = true;
      throw new ProviderFailure("refused", "The card network refuses this refund.");
    },
  });
}

/** The bank of a closed card returns the last refund of the booking. */
export async function returnRefund(app: Installation, life: Pick<Life, "bookingId">) {
  const sent = (await refundsOf(app, life)).find((one) => one.status === "succeeded" && one.provider_ref !== null);
  if (!sent?.provider_ref) return;
  const ref = sent.provider_ref;
  const now = Math.floor(app.services.clock.now().getTime() / 1_000);
  await app.database.transaction(async (tx) => {
    const refund = await find(tx, "refund", ref);
    const charge = await find(tx, "charge", String(refund?.charge));
    const moved = await find(tx, "balance_transaction", String(refund?.balance_transaction));
    if (!refund || !charge || !moved || refund.status === "failed") return;
    const back = { ...moved, id: newId("txn"), created: now, amount: -moved.amount, net: -moved.net };
    await saveObject(tx, "balance_transaction", { ...back, type: "refund_failure" });
    const left = { amount_refunded: charge.amount_refunded - refund.amount, refunded: false };
    await saveObject(tx, "charge", { ...charge, ...left });
    const failed = { ...refund, status: "failed", failure_reason: "expired_or_canceled_card" };
    await saveObject(tx, "refund", failed);
    await enqueueEvent(tx, "refund.failed", failed, now);
  });
}

/** An admin sends refused refunds again, if `part` is odd and the card was not closed, or records them as paid outside the provider. */
export async function resolveRefunds({ admin, bookingId }: Life, part: number) {
  const { items } = (await admin.json("/api/admin/refused-refunds")).body as unknown as { items: RefusedRefund[] };
  for (const { id, booking_id, can_retry } of items) {
    if (booking_id !== bookingId) continue;
    const address = `/api/admin/refused-refunds/${id}`;
    const isSentAgain = can_retry && part % 2 > 0;
    const { status } = isSentAgain
      ? await admin.json(`${address}/retry`, {})
      : await admin.json(`${address}/settle`, { how: "Bank transfer of today." });
    expect([200, 409]).toContain(status);
  }
}

export async function refundInDashboard(app: TestApp, life: Life, part: number) {
  const { bookingId } = life;
  const known = await refundsOf(app, life);
  // What was paid outside the provider is not refunded there too.
  if (known.some((one) => one.paid_outside_at)) return;
  const owed = known.find(({ status }) => status === "failed");
  const taken = await takenPayment(app, life, part);
  const wanted = Math.floor(((taken?.amount ?? 0) * part) / 1_000);
  const isSame = taken?.provider_payment === owed?.provider_payment;
  const paid = owed ?? taken;
  const amount = owed ? Math.max(owed.amount, isSame ? wanted : 0) : wanted;
  if (!paid?.provider_payment || amount === 0) return;
  const made = { refundId: "", key: `dashboard ${bookingId} ${app.services.clock.now().getTime()}`, amount };
  // The provider refuses more than is left of the charge, as its dashboard does.
  await app.services.gateway?.createRefund({ ...made, providerPayment: paid.provider_payment }).catch(() => undefined);
}
