/** The payer's bank, simulated on the sandbox's page of a payment. */
import { recordDispute } from "#disputes/sync.ts";
import { processEvents } from "#reconciliation/index.ts";
import type { TestApp } from "#test/test-app.ts";
import { follow } from "./bookings.ts";

/** Returns the provider reference and the row of a booking's payment. */
export async function paymentOf(app: TestApp, bookingId: string, kind: "deposit" | "balance") {
  const row = await app.database.db
    .selectFrom("payments")
    .select(["id", "provider_payment", "amount"])
    .where("booking_id", "=", bookingId)
    .where("kind", "=", kind)
    .where("status", "in", ["succeeded", "refunded"])
    .executeTakeFirstOrThrow();
  return { ...row, ref: row.provider_payment ?? "" };
}

/** Opens a dispute of a payment, or of half of it, and delivers its webhooks. Returns the dispute's reference. */
export async function openDispute(app: TestApp, ref: string, opening: "service" | "half" = "service"): Promise<string> {
  await app.server.inject({ method: "POST", url: `/sandbox/payment/${ref}/dispute/${opening}` });
  await app.settle();
  const { provider_ref: dispute } = await app.database.db
    .selectFrom("disputes")
    .select("provider_ref")
    .where("provider_payment", "=", ref)
    .executeTakeFirstOrThrow();
  return dispute;
}

/** Decides a dispute. "win" is for the platform. */
export async function decideDispute(app: TestApp, dispute: string, outcome: "win" | "lose"): Promise<void> {
  await app.server.inject({ method: "POST", url: `/sandbox/dispute/${dispute}/${outcome}` });
  await app.settle();
}

/** Wins a lost dispute by an appeal: the provider reports that the bank returned the money. */
export async function winAppeal(app: TestApp, dispute: string): Promise<void> {
  const { gateway } = app.services;
  if (!gateway) throw new Error("this app has no payment provider");
  const reported = await gateway.retrieveDispute(dispute);
  const movement = {
    ref: `txn_appeal_${dispute}`,
    amount: reported.amount,
    fee: 0,
    currency: reported.currency,
    exchangeRate: null,
    at: app.clock.now(),
  };
  await recordDispute(app.services, gateway, {
    ...reported,
    status: "won",
    movements: [...reported.movements, movement],
  });
}

/** Returns actions of the payer's bank on a booking's deposit or its dispute, with their webhooks. */
export function bankOf(app: TestApp, bookingId: string) {
  const press = async (url: string) => {
    await app.server.inject({ method: "POST", url });
    await processEvents(app.services);
    await follow(app);
  };
  const deposit = () =>
    app.database.db
      .selectFrom("payments")
      .select("provider_payment")
      .where("booking_id", "=", bookingId)
      .where("kind", "=", "deposit")
      .executeTakeFirstOrThrow();
  const known = () =>
    app.database.db
      .selectFrom("disputes")
      .select("provider_ref")
      .where("booking_id", "=", bookingId)
      .executeTakeFirstOrThrow();
  return {
    payment: async (act: string) => press(`/sandbox/payment/${(await deposit()).provider_payment}/dispute/${act}`),
    dispute: async (act: string) => press(`/sandbox/dispute/${(await known()).provider_ref}/${act}`),
  };
}
