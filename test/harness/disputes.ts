/** The payer's bank, simulated on the sandbox's page of a payment. */

import { expect } from "vitest";
import type { BookingPage } from "#bookings/api.ts";
import { recordDispute } from "#disputes/sync.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { processEvents } from "#reconciliation/index.ts";
import type { TestApp } from "#test/test-app.ts";
import { browser, dayAhead, emailText, follow, peopleOf } from "./bookings.ts";
import { makePayouts, planRefund, submitRefunds } from "./payment-work.ts";
import { openPayoutAccount } from "./payouts.ts";

/** Returns the provider reference and the row of a booking's payment. */
export async function paymentOf(app: TestApp, bookingId: string, kind: "deposit" | "balance") {
  const row = await app.database.db
    .selectFrom("payments")
    .select(["id", "provider_payment", "amount"])
    .where("booking_id", "=", bookingId)
    .where("kind", "=", kind)
    .where("status", "in", ["succeeded", "refunded"])
    .executeTakeFirstOrThrow();
  return { ...row, ref: row.provider_payment ?? "" };
}

/** Opens a dispute of a payment, or of half of it, and delivers its webhooks. Returns the dispute's reference. */
export async function openDispute(app: TestApp, ref: string, opening: "service" | "half" = "service"): Promise<string> {
  await app.server.inject({ method: "POST", url: `/sandbox/payment/${ref}/dispute/${opening}` });
  await app.settle();
  const { provider_ref: dispute } = await app.database.db
    .selectFrom("disputes")
    .select("provider_ref")
    .where("provider_payment", "=", ref)
    .executeTakeFirstOrThrow();
  return dispute;
}

/** Decides a dispute. "win" is for the platform. */
export async function decideDispute(app: TestApp, dispute: string, outcome: "win" | "lose"): Promise<void> {
  await app.server.inject({ method: "POST", url: `/sandbox/dispute/${dispute}/${outcome}` });
  await app.settle();
}

/** Wins a lost dispute by an appeal: the provider reports that the bank returned the money, or `parts` of it. */
export async function winAppeal(
  app: TestApp,
  dispute: string,
  { isMoneyBack = true, parts }: { isMoneyBack?: boolean; parts?: readonly number[] } = {},
): Promise<void> {
  const { gateway } = app.services;
  if (!gateway) throw new Error("this app has no payment provider");
  const reported = await gateway.retrieveDispute(dispute);
  const movements = (parts ?? [reported.amount]).map((amount) => ({
    ref: `txn_appeal_${dispute}${parts ? amount : ""}`,
    amount,
    fee: 0,
    currency: reported.currency,
    exchangeRate: null,
    at: app.clock.now(),
  }));
  await recordDispute(app.services, gateway, {
    ...reported,
    status: "won",
    movements: isMoneyBack ? [...reported.movements, ...movements] : reported.movements,
  });
}

/** Returns actions of the payer's bank on a booking's deposit or its dispute, with their webhooks. */
export function bankOf(app: TestApp, bookingId: string) {
  const press = async (url: string) => {
    await app.server.inject({ method: "POST", url });
    await processEvents(app.services);
    await follow(app);
  };
  const deposit = () =>
    app.database.db
      .selectFrom("payments")
      .select("provider_payment")
      .where("booking_id", "=", bookingId)
      .where("kind", "=", "deposit")
      .executeTakeFirstOrThrow();
  const known = () =>
    app.database.db
      .selectFrom("disputes")
      .select("provider_ref")
      .where("booking_id", "=", bookingId)
      .executeTakeFirstOrThrow();
  return {
    payment: async (act: string) => press(`/sandbox/payment/${(await deposit()).provider_payment}/dispute/${act}`),
    dispute: async (act: string) => press(`/sandbox/dispute/${(await known()).provider_ref}/${act}`),
  };
}

/** Makes bookings that are paid in full at the provider, with the views of both parties and the payout. */
export function paidBookings(app: () => TestApp) {
  const { artist, person, held } = peopleOf(app);
  const price = 150_000;

  async function booked() {
    const player = await person("artist");
    const act = await artist({ userId: player.user.id });
    await openPayoutAccount(app(), player.at);
    const { booking, visitor } = await held({
      artist: act,
      fee: price,
      status: "contract_signed",
      balancePaid: true,
      now: app().clock.now(),
      eventDate: dayAhead(app(), 30),
    });
    app().clock.advance(3 * dayMs);
    await follow(app());
    const address = `/api/bookings/${booking.id}`;
    const pageOf = async (at: typeof visitor) => (await at.json(address)).body as unknown as BookingPage;
    // The session expires when the clock advances.
    const asArtist = async () => browser(app(), await app().signIn(player.user));
    /** Checks the sum of the parts for both users, and returns the artist's parts. */
    const parts = async () => {
      const [ofArtist, ofPromoter] = [await pageOf(await asArtist()), await pageOf(visitor)];
      for (const { money } of [ofArtist, ofPromoter])
        expect(money.parts.reduce((sum, { cents }) => sum + cents, 0)).toBe(price);
      return ofArtist.money.parts.map(({ held_by, cents }) => [held_by, cents]);
    };
    const movements = async () =>
      (await pageOf(visitor)).money.movements.map((one) => [one.kind, one.amount_cents, one.held_after_cents]);
    const ref = async (kind: "deposit" | "balance") => (await paymentOf(app(), booking.id, kind)).ref;
    const play = async () => {
      const ends = booking.ends_at.getTime() + 60_000 - app().clock.now().getTime();
      app().clock.advance(ends);
      expect((await visitor.json(`${address}/complete`, {})).status).toBe(200);
    };
    const payOut = async () => {
      app().clock.advance(8 * dayMs);
      await makePayouts(app().services);
      await follow(app());
    };
    const refund = async (kind: "deposit" | "balance", amount: number) => {
      const { id: paymentId } = await paymentOf(app(), booking.id, kind);
      const plan = { paymentId, amount, reason: "The show was moved.", causeKey: `moved:${booking.id}` };
      await app().database.transaction((tx) => planRefund(tx, { ...plan, now: app().clock.now() }));
    };
    const textOf = (template: string, to: "artist" | "promoter") =>
      emailText(app(), booking.id, template, to === "artist" ? player.user.email : booking.promoter_email);
    return {
      booking,
      visitor,
      artistUser: player.user,
      asArtist,
      address,
      pageOf,
      parts,
      movements,
      ref,
      play,
      payOut,
      refund,
      textOf,
    };
  }

  /** Sends refunds and payouts until none is left. */
  async function settle() {
    for (let turn = 0; turn < 3; turn++) {
      await submitRefunds(app().services);
      await makePayouts(app().services);
      await follow(app());
    }
  }

  return { booked, settle, price };
}
