import { afterEach, describe, expect, test } from "vitest";
import { ProviderFailure } from "#gateway/gateway.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { savedCards } from "#test/harness/saved-cards.ts";
import { requestCardRemoval, savedCardOf } from "../stores/saved-cards.store.ts";
import { removeSavedCards } from "./saved-cards.ts";

const app = closeAfterFile(await paymentsHarness());
afterEach(async () => {
  delete app.around.removeCard;
  await expectSound(app);
});

const { deposited, hearAgain } = savedCards(() => app);

describe("saved card", () => {
  test("is saved for a payer who agreed, with only brand, last digits and expiry", async () => {
    const { card, bookingId } = await deposited();
    expect(card).toMatchObject({ brand: "visa", last4: "4242", exp_month: 12, removal_requested_at: null });
    expect(await app.topics(bookingId)).toContain("saved_card.changed");
    const stored = JSON.stringify(await app.database.db.selectFrom("saved_cards").selectAll().execute());
    // Matches a separate number. Digits inside a generated id are not a card number.
    expect(stored).not.toMatch(/\b\d{13,19}\b/);
  });

  test("is saved when the bank requires confirmation of the deposit", async () => {
    expect((await deposited("works", "authenticate")).card.last4).toBe("4242");
  });

  test("is not saved by a checkout without consent", async () => {
    const { bookingId, url } = await app.start();
    await app.press(url, "pay");
    expect(await savedCardOf(app.database.db, bookingId)).toBeUndefined();
  });

  test("is removed at the provider after a failed attempt, and is not restored by repeated events", async () => {
    const { bookingId, card } = await deposited();
    app.around.removeCard = () => () => Promise.reject(new ProviderFailure("no_answer", "the connection was lost"));
    await app.inTx((tx) => requestCardRemoval(tx, bookingId, app.clock.now()));
    await removeSavedCards(app.services);
    expect(await app.services.gateway?.hasSavedCard(card.method)).toBe(true);
    delete app.around.removeCard;
    app.clock.advance(600_000);
    await removeSavedCards(app.services);
    expect(await app.services.gateway?.hasSavedCard(card.method)).toBe(false);
    await hearAgain();
    expect(await savedCardOf(app.database.db, bookingId)).toBeUndefined();
  });

  test("is removed here after its removal in the provider's dashboard", async () => {
    const { bookingId, card } = await deposited();
    await app.services.gateway?.removeCard(card.method);
    await app.settle();
    expect(await savedCardOf(app.database.db, bookingId)).toBeUndefined();
    expect((await app.topics(bookingId)).filter((topic) => topic === "saved_card.changed")).toHaveLength(2);
  });
});
