import { randomUUID } from "node:crypto";
import { releaseHeld } from "#payments/index.ts";
import { syncRefund } from "#payments/refunds/refunds.ts";
import { lockAccount } from "#payouts/accounts/accounts.store.ts";
import { syncAccount } from "#payouts/accounts/accounts.ts";
import { payoutsOf, recordTransfer } from "#payouts/index.ts";
import { recordPayoutPaidOutside } from "#payouts/paid-outside.ts";
import { syncReversal } from "#payouts/reversals/reversals.ts";
import type { TestApp } from "#test/test-app.ts";
import { makeArtist } from "../factories/artists.ts";
import { makePayment } from "../factories/payments.ts";
import { browser, peopleOf, press } from "./bookings.ts";
import { lockChargesLeft } from "./payment-work.ts";
import type { PaymentsHarness } from "./payments.ts";
import type { memoryProvider } from "./provider/memory-provider.ts";

export { syncRefund };

export type Played = { bookingId: string; artistId: string; account: string; payments: string[] };

export const paidOutside = { how: "Bank transfer of today.", by: randomUUID() };

export function payoutsAt(harness: () => PaymentsHarness, provider: ReturnType<typeof memoryProvider>) {
  const { transfers } = provider.payouts.transfers;

  /** Makes a released booking with these charges, of an artist whose account is in this state. */
  async function played(
    amounts: readonly number[] = [37_500, 112_500],
    more: { state?: "pending" | "completed" | "restricted"; bank?: string; dueAt?: Date } = {},
  ): Promise<Played> {
    const bookingId = randomUUID();
    return harness().inTx(async (tx) => {
      const { id: artistId } = await makeArtist(tx, { name: `Act ${randomUUID()}` });
      const account = `acct_${artistId}`;
      await lockAccount(tx, artistId, harness().clock.now());
      const reported = {
        ref: account,
        artistId,
        ownerId: null,
        state: more.state ?? "completed",
        submitted: true,
        bank: more.bank ?? "bank 1",
      } as const;
      provider.payouts.accounts.accounts.set(account, reported);
      await syncAccount(tx, reported, harness().clock.now());
      const payments: string[] = [];
      for (const [index, amount] of amounts.entries()) {
        const kind = index === 0 ? "deposit" : "balance";
        payments.push((await makePayment(tx, { bookingId, kind, amount, at: harness().clock.now() })).id);
      }
      await releaseHeld(tx, {
        bookingId,
        artistId,
        currency: "usd",
        commissionBps: 1_000,
        at: harness().clock.now(),
        ...(more.dueAt ? { dueAt: more.dueAt } : {}),
      });
      return { bookingId, artistId, account, payments };
    });
  }

  const payoutOf = (bookingId: string) =>
    harness()
      .database.db.selectFrom("payouts")
      .selectAll()
      .where("booking_id", "=", bookingId)
      .executeTakeFirstOrThrow();
  const sentFor = (bookingId: string) => [...transfers.values()].filter((transfer) => transfer.group === bookingId);
  const sumOf = (rows: readonly { amount: number }[]) => rows.reduce((sum, row) => sum + row.amount, 0);
  /** Changes an artist's account at the provider without a webhook. */
  function hasChanged(artistId: string, bank: string, state: "completed" | "restricted" = "completed") {
    const known = {
      ref: `acct_${artistId}`,
      artistId,
      ownerId: null,
      state,
      submitted: true,
      bank,
      createdAt: new Date(),
    };
    provider.payouts.accounts.accounts.set(known.ref, known);
    return known;
  }
  const report = (artistId: string, bank: string, state: "completed" | "restricted" = "completed") =>
    harness().inTx((tx) => syncAccount(tx, hasChanged(artistId, bank, state), harness().clock.now()));
  /** Syncs a refund made in the provider's dashboard. */
  async function refundInDashboard(paymentId: string, amount: number) {
    const { provider_payment: providerPayment } = await harness().payment(paymentId);
    const reported = {
      ref: `re_${randomUUID()}`,
      refundId: null,
      providerPayment,
      amount,
      currency: "usd",
      state: "succeeded" as const,
      reason: null,
      settled: null,
      createdAt: new Date(),
    };
    await harness().inTx((tx) => syncRefund(tx, reported, harness().clock.now()));
  }

  /** Reverses an amount of a booking's last transfer in the provider's dashboard. */
  async function reverseInDashboard(bookingId: string, amount: number) {
    const transfer = sentFor(bookingId).at(-1);
    if (!transfer) throw new Error("nothing was sent for this booking");
    // As the webhook does, because the response of the transfer may be lost.
    await recordTransfer(harness().services, transfer);
    const made = { reversalId: "", key: randomUUID(), transfer: transfer.ref, amount };
    const reported = await provider.payouts.transfers.gateway.createReversal(made);
    await harness().inTx((tx) => syncReversal(tx, reported, harness().clock.now()));
  }

  const viewOf = async ({ bookingId }: Pick<Played, "bookingId">) =>
    (await payoutsOf(harness().database.db, [bookingId], harness().clock.now())).get(bookingId);
  const eventsOf = async ({ bookingId }: Pick<Played, "bookingId">, wanted: string) =>
    (await harness().publishedEvents(bookingId)).filter(({ topic }) => topic === wanted).map(({ body }) => body);
  const recordPaidOutside = ({ bookingId }: Played, expected: number) =>
    harness().inTx((tx) =>
      recordPayoutPaidOutside(tx, { bookingId, ...paidOutside, expected, now: harness().clock.now() }, lockChargesLeft),
    );

  return {
    played,
    payoutOf,
    sentFor,
    sumOf,
    hasChanged,
    report,
    refundInDashboard,
    reverseInDashboard,
    viewOf,
    eventsOf,
    recordPaidOutside,
  };
}

/** Opens the artist's payout account at the sandbox. */
export async function openPayoutAccount(app: TestApp, artist: ReturnType<typeof browser>): Promise<void> {
  const { body } = await artist.json("/api/artist/payment-account", {});
  await app.server.inject({ method: "POST", url: `${new URL(String(body["url"])).pathname}/complete` });
}

/** Makes a booking whose deposit of $375 is paid and released, nine tenths to the artist. */
export async function releasedDeposit(app: TestApp) {
  const { artist, person } = peopleOf(() => app);
  const { user, at } = await person("artist");
  const act = await artist({ userId: user.id, baseRate: 150_000 });
  await openPayoutAccount(app, at);
  const visitor = browser(app);
  const booking = (await visitor.requestBooking({ artistId: act.slug })).body;
  await press(app, (await visitor.checkout(booking)).body["checkout_url"], "pay");
  const released = { bookingId: booking.id, artistId: act.id, currency: "usd", commissionBps: 1_000 };
  await app.database.transaction((tx) => releaseHeld(tx, { ...released, at: app.clock.now() }));
  return { user, at, act, booking };
}
