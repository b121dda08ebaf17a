import { logFailure, sendDue } from "#gateway/attempts.ts";
import { type PaymentGateway, type Payments, ProviderFailure } from "#gateway/gateway.ts";
import { publishEvent } from "../store.ts";
import { requestCardRemoval, claimRemoval, findSavedCard, recordCardRemoval } from "../stores/saved-cards.store.ts";

/** Removes cards at the provider whose removal is requested. A failed call is repeated. */
export const removeSavedCards = (services: Payments): Promise<void> =>
  sendDue(services, claimRemoval, async (card, gateway) => {
    const { database, clock } = services;
    try {
      await gateway.removeCard(card.method);
      await database.transaction((tx) => recordCardRemoval(tx, card.method, { removedAt: clock.now() }));
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      logFailure(services, error, { bookingId: card.booking_id }, "the provider has not removed a card yet");
      await database.transaction((tx) => recordCardRemoval(tx, card.method, { error: error.message }));
      throw error;
    }
  });

/** Requests removal of a card that the provider no longer has. Cards without a row here are ignored. */
export async function syncSavedCard(services: Payments, gateway: PaymentGateway, method: string): Promise<void> {
  const { database, clock } = services;
  const known = await findSavedCard(database.db, method);
  if (!known || known.removed_at !== null || (await gateway.hasSavedCard(method))) return;
  await database.transaction(async (tx) => {
    const now = clock.now();
    await requestCardRemoval(tx, known.booking_id, now);
    await recordCardRemoval(tx, method, { removedAt: now });
    await publishEvent(tx, "saved_card.changed", { bookingId: known.booking_id });
  });
  services.wake();
}
