import type { Money, ConvertedAmount } from "#gateway/gateway.ts";
import type { Reader, Tx } from "#platform/db/index.ts";

export const chargeOf = (reader: Reader, providerPayment: string) =>
  reader.selectFrom("provider_charges").selectAll().where("provider_payment", "=", providerPayment).executeTakeFirst();

/** Inserts a charge, unapplied if there is a reason `why`. Returns false if it was already recorded. */
export const insertCharge = async (
  tx: Tx,
  money: Money,
  { paymentId, ref, why }: { paymentId: string | null; ref: string | null; why: string | null },
): Promise<boolean> =>
  (await tx
    .insertInto("provider_charges")
    .values({
      provider_payment: money.providerPayment,
      payment_id: paymentId,
      checkout_ref: ref,
      charge: money.charge,
      amount: money.amount,
      currency: money.currency,
      captured_at: money.at,
      recorded_as: why === null ? "payment" : "suspense",
      why,
    })
    .onConflict((on) => on.column("provider_payment").doNothing())
    .returning("provider_payment")
    .executeTakeFirst()) !== undefined;

export const unapplyCharge = (tx: Tx, providerPayment: string, why: string) =>
  tx
    .updateTable("provider_charges")
    .set({ recorded_as: "suspense", why })
    .where("provider_payment", "=", providerPayment)
    .execute();

/** Stores what the provider's account received of a charge. Only the first report is stored. */
export const writeSettlement = (tx: Tx, providerPayment: string, settled: ConvertedAmount) =>
  tx
    .updateTable("provider_charges")
    .set({ settled_amount: settled.amount, settled_currency: settled.currency })
    .where("provider_payment", "=", providerPayment)
    .where("settled_currency", "is", null)
    .execute();
