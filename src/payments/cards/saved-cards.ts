/** Kept cards after they were stored: removed when they have no purpose any more, and when the provider has forgotten them. */
import { sendDue } from "#gateway/attempts.ts";
import { type PaymentGateway, type Payments, ProviderFailure } from "#gateway/gateway.ts";
import { publishEvent } from "../store.ts";
import { requestCardRemoval, claimRemoval, findSavedCard, recordCardRemoval } from "../stores/saved-cards.store.ts";

/** Makes the provider forget the cards that are to be removed; a failed call is repeated until it has. */
export const removeSavedCards = (services: Payments): Promise<void> =>
  sendDue(services, claimRemoval, async (card, gateway) => {
    const { database, clock, log } = services;
    try {
      await gateway.removeCard(card.method);
      await database.transaction((tx) => recordCardRemoval(tx, card.method, { removedAt: clock.now() }));
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      log.warn({ err: error, bookingId: card.booking_id }, "the provider has not forgotten a card yet");
      await database.transaction((tx) => recordCardRemoval(tx, card.method, { error: error.message }));
    }
  });

/** Something has happened to a card at the provider: one that it has forgotten is charged no more. Another shop's card is none of ours. */
export async function syncSavedCard(services: Payments, gateway: PaymentGateway, method: string): Promise<void> {
  const { database, clock } = services;
  const known = await findSavedCard(database.db, method);
  if (!known || known.removed_at !== null || (await gateway.keepsCard(method))) return;
  await database.transaction(async (tx) => {
    const now = clock.now();
    await requestCardRemoval(tx, known.booking_id, now);
    await recordCardRemoval(tx, method, { removedAt: now });
    await publishEvent(tx, "saved_card.changed", { bookingId: known.booking_id });
  });
  services.wake();
}
