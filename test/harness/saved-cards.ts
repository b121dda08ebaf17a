/** Cards that are kept with a deposit, and the charges of a balance that are made of them. */
import { type PaymentGateway, ProviderFailure } from "#gateway/gateway.ts";
import { nextTryAfter } from "#gateway/attempts.ts";
import { chargeSavedCards } from "#payments/cards/charges.ts";
import { claimCharge, reserveCharge } from "#payments/cards/charges.store.ts";
import { savedCardOf } from "#payments/stores/saved-cards.store.ts";
import type { PaymentsHarness } from "#test/harness/payments.ts";

type Charge = PaymentGateway["chargeCard"];

/** What the tests of kept cards do again and again with the payments module of `app`. */
export function savedCards(app: () => PaymentsHarness) {
  /** A deposit that was paid with a card that is kept; `later`: how that card behaves when it is charged. */
  async function deposited(later = "works", button: "pay" | "authenticate" = "pay") {
    const started = await app().start({ saveCardNotice: "The balance is charged to this card." });
    await app().press(started.url, button, later);
    const card = await savedCardOf(app().database.db, started.bookingId);
    if (!card) throw new Error("the card was not kept");
    return { ...started, card };
  }

  /** The charge of a balance, reserved and not yet made. */
  async function reserved(later = "works") {
    const { bookingId, card } = await deposited(later);
    const paymentId = await app().inTx((tx) => reserve(tx, bookingId, card));
    if (!paymentId) throw new Error("the charge was not reserved");
    return { bookingId, card, paymentId };
  }

  /** Reserves the charge of a balance; undefined where a page or a charge is open already. */
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

  /** What the provider took of a kept card for a booking. */
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

  /** The process dies after it has said that it will ask, before or after the provider heard of it. */
  async function die(paymentId: string) {
    const now = app().clock.now();
    await app().inTx((tx) => claimCharge(tx, { now, seconds: 150, nextTry: nextTryAfter(now) }));
    // The time of the lease that the process held is over.
    await app().database.db.updateTable("payments").set({ lease_until: null }).where("id", "=", paymentId).execute();
  }

  /** Puts something between us and the next charge only. */
  function once(work: (real: Charge) => Charge): void {
    let done = false;
    app().around.chargeCard = (real) => (charge) => {
      if (done) return real.chargeCard(charge);
      done = true;
      return work(real.chargeCard)(charge);
    };
  }
  /** The provider makes the next charge, but its answer never arrives. */
  const loseAnswer = () =>
    once((real) => async (charge) => {
      await real(charge);
      throw new ProviderFailure("no_answer", "the connection was lost");
    });

  /** The job that makes the reserved charges. */
  const charge = () => chargeSavedCards(app().services);

  /** The provider tells of everything once more. */
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
