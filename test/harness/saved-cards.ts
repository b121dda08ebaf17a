import { nextTryAfter } from "#gateway/attempts.ts";
import { type PaymentGateway, ProviderFailure } from "#gateway/gateway.ts";
import { claimCharge, reserveCharge } from "#payments/cards/charges.store.ts";
import { chargeSavedCards } from "#payments/cards/charges.ts";
import { savedCardOf } from "#payments/stores/saved-cards.store.ts";
import type { PaymentsHarness } from "#test/harness/payments.ts";

type Charge = PaymentGateway["chargeCard"];

/** Actions for tests of saved cards with the payments module of `app`. */
export function savedCards(app: () => PaymentsHarness) {
  /** Pays a deposit with a card that is saved. `later`: the card's behavior when it is charged. */
  async function deposited(later = "works", button: "pay" | "authenticate" = "pay") {
    const started = await app().start({ saveCardNotice: "The balance is charged to this card." });
    await app().press(started.url, button, later);
    const card = await savedCardOf(app().database.db, started.bookingId);
    if (!card) throw new Error("the card was not kept");
    return { ...started, card };
  }

  async function reserved(later = "works") {
    const { bookingId, card } = await deposited(later);
    const paymentId = await app().inTx((tx) => reserve(tx, bookingId, card));
    if (!paymentId) throw new Error("the charge was not reserved");
    return { bookingId, card, paymentId };
  }

  /** Reserves the charge of a balance. Undefined if a checkout or a charge is already open. */
  const reserve = (
    tx: Parameters<typeof reserveCharge>[0],
    bookingId: string,
    card: { customer: string; method: string },
  ) =>
    reserveCharge(tx, {
      bookingId,
      bookingNumber: "SD-7KQ4MN",
      amount: 112_500,
      currency: "usd",
      title: "Balance for Electric Dreams",
      payerEmail: "hannah@example.test",
      payerName: "Hannah Whitt",
      card,
      now: app().clock.now(),
    });

  /** Returns the provider's charges of a saved card for a booking. */
  async function intents(bookingId: string): Promise<string[]> {
    const rows = await app()
      .database.db.selectFrom("sandbox_objects")
      .select(["id", "body"])
      .where("kind", "=", "payment_intent")
      .execute();
    const bodies = rows.map(({ body }) => body as { status: string; metadata: Record<string, string> });
    return bodies
      .filter(({ metadata }) => metadata["booking_id"] === bookingId && metadata["way"] === "saved_card")
      .map(({ status }) => status);
  }

  /** Claims a charge like a process that dies before or after the provider call. */
  async function die(paymentId: string) {
    const now = app().clock.now();
    await app().inTx((tx) => claimCharge(tx, { now, seconds: 150, nextTry: nextTryAfter(now) }));
    // The lease of the dead process has ended.
    await app().database.db.updateTable("payments").set({ lease_until: null }).where("id", "=", paymentId).execute();
  }

  /** Intercepts only the next charge. */
  function once(work: (real: Charge) => Charge): void {
    let done = false;
    app().around.chargeCard = (real) => (charge) => {
      if (done) return real.chargeCard(charge);
      done = true;
      return work(real.chargeCard)(charge);
    };
  }
  /** Makes the provider charge the card next time, but loses its response. */
  const loseAnswer = () =>
    once((real) => async (charge) => {
      await real(charge);
      throw new ProviderFailure("no_answer", "the connection was lost");
    });

  const charge = () => chargeSavedCards(app().services);

  /** Delivers every event of the provider again. */
  const hearAgain = async () => {
    await app()
      .database.db.updateTable("sandbox_objects")
      .set({ due_at: app().clock.now() })
      .where("kind", "=", "event")
      .execute();
    await app().database.db.deleteFrom("provider_events").execute();
    await app().settle();
  };

  return { deposited, reserve, reserved, intents, die, once, loseAnswer, charge, hearAgain };
}
