import type { Tx } from "#platform/db/index.ts";
import { conflict, invalid } from "#platform/errors.ts";
import { isAmount } from "#platform/money.rules.ts";
import { isCurrency } from "../rules/currencies.rules.ts";
import { changePayment, lockLivePayment, type Payment } from "../store.ts";
import { type NewPayment, insertPayment } from "../stores/checkout.store.ts";
import { hasLostPayment } from "../stores/unreconciled.store.ts";
import { writePayer } from "./payers.store.ts";

/** Reserves a payment, or returns the live one (one per booking and kind). Throws for paid ones and for amounts that no provider takes. */
export async function reservePayment(tx: Tx, want: NewPayment): Promise<Payment> {
  if (!isAmount(want.amount) || want.amount === 0) throw invalid("There is nothing to pay for this booking.");
  if (!isCurrency(want.currency)) throw invalid(`Payments in ${want.currency.toUpperCase()} are not accepted here.`);
  if (await hasLostPayment(tx, want))
    throw conflict(`We are checking a payment for this ${want.kind}. Please try again later.`);
  await insertPayment(tx, want);
  const live = await lockLivePayment(tx, want.bookingId, want.kind);
  if (!live) throw conflict("Another payment for this booking has just ended. Try again.");
  if (live.checkout_state === "paid") throw conflict(`The ${want.kind} is already paid.`);
  if (live.amount !== want.amount || live.currency !== want.currency)
    throw conflict("A payment page with other terms is still open. Please try again in a few minutes.");
  // The payer's consent can change until the checkout is sent to the provider. Then the provider's page decides.
  const notice = want.saveCardNotice ?? null;
  if (live.requested_at === null && live.save_card_notice !== notice)
    await changePayment(tx, live, { save_card_notice: notice }, want.now);
  await writePayer(tx, live.id, want.payer ?? null);
  return live;
}
