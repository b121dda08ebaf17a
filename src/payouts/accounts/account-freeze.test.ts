import { afterAll, describe, expect, test } from "vitest";
import { hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import { expectSound, paymentsHarness } from "#test/harness/payments.ts";
import { payoutsAt } from "#test/harness/payouts.ts";
import { memoryProvider } from "#test/harness/provider/memory-provider.ts";
import { changeAccount } from "./accounts.store.ts";

const provider = memoryProvider();
const app = closeAfterFile(await paymentsHarness({ gateway: provider.gateway }));
afterAll(() => expectSound(app));

const { played, sentFor, hasChanged, report } = payoutsAt(() => app, provider);

describe("makePayouts sends nothing", () => {
  test.each([
    ["before its day", async () => played(undefined, { dueAt: new Date(app.clock.now().getTime() + hourMs) })],
    ["while the account is not complete", async () => played(undefined, { state: "pending" })],
    ["while the account is restricted", async () => played(undefined, { state: "restricted" })],
    [
      "for 72 hours after another bank account",
      async () => {
        const one = await played();
        await report(one.artistId, "bank 2");
        return one;
      },
    ],
  ])("%s", async (_name, make) => {
    const { bookingId } = await make();
    await makePayouts(app.services);
    expect(sentFor(bookingId)).toEqual([]);
  });
});

test("freezes a payout after a change of the bank account whose webhook was lost", async () => {
  const { bookingId, artistId } = await played();
  hasChanged(artistId, "bank 2");
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toEqual([]);
  app.clock.advance(72 * hourMs + 1_000);
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toHaveLength(2);
});

test("sends a payout 72 hours after the change of the bank account that froze it", async () => {
  const { bookingId, artistId } = await played();
  await report(artistId, "bank 2");
  app.clock.advance(72 * hourMs + 1_000);
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toHaveLength(2);
});

test("holds a payout until the artist replaces an account that the provider does not know, and notifies the artist", async () => {
  const { bookingId, account, artistId } = await played();
  provider.payouts.accounts.accounts.delete(account);
  await makePayouts(app.services);
  await makePayouts(app.services);
  expect(sentFor(bookingId)).toEqual([]);
  expect(await app.topics(bookingId)).toEqual([]);
  const ended = await app.database.db
    .selectFrom("event_outbox")
    .select("body")
    .where("topic", "=", "payout_account.ended")
    .execute();
  expect(ended.map(({ body }) => body)).toContainEqual({ artistId, userId: null, account, why: "gone" });
  await app.inTx((tx) =>
    changeAccount(tx, artistId, { provider_account: "acct_new", onboarding_status: "completed" }, app.clock.now()),
  );
  const fresh = {
    ref: "acct_new",
    artistId,
    ownerId: null,
    submitted: true,
    state: "completed",
    bank: "bank 1",
    createdAt: new Date(),
  } as const;
  provider.payouts.accounts.accounts.set("acct_new", fresh);
  await makePayouts(app.services);
  expect(sentFor(bookingId).map(({ destination }) => destination)).toEqual(["acct_new", "acct_new"]);
});
