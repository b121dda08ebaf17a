import { sendDue } from "#gateway/attempts.ts";
import type { PaymentGateway, Payments } from "#gateway/gateway.ts";
import { publishEvent } from "../store.ts";
import { requestCardRemoval, claimRemoval, findSavedCard, recordCardRemoval } from "../stores/saved-cards.store.ts";

export const removeSavedCards = (services: Payments): Promise<void> =>
  sendDue(services, {
    claim: claimRemoval,
    send: async ({ method }, gateway) => {
      const { database, clock } = services;
      await gateway.removeCard(method);
      await database.transaction((tx) => recordCardRemoval(tx, method, { removedAt: clock.now() }));
    },
    record: (tx, { method }, { message }) => recordCardRemoval(tx, method, { error: message }),
    idsOf: (card) => ({ bookingId: card.booking_id }),
    message: "the provider has not removed a card yet",
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
