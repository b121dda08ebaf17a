import { randomUUID } from "node:crypto";
import { returnShares } from "#disputes/index.ts";
import { recordDispute } from "#disputes/sync.ts";
import type { DisputeGateway, DisputeMovement, ProviderDispute } from "#gateway/dispute-gateway.ts";
import { ProviderFailure } from "#gateway/gateway.ts";
import { releaseHeld } from "#payments/index.ts";
import { lockAccount } from "#payouts/accounts/accounts.store.ts";
import { syncAccount } from "#payouts/accounts/accounts.ts";
import { dayMs } from "#platform/time/durations.rules.ts";
import { makeArtist } from "#test/factories/artists.ts";
import { makePayment } from "#test/factories/payments.ts";
import { makeUser } from "#test/factories/users.ts";
import { makePayouts } from "#test/harness/payment-work.ts";
import type { PaymentsHarness } from "../payments.ts";
import type { memoryProvider } from "./memory-provider.ts";

/** Disputes by reference. `failures` make the next submissions fail before or after their effect. */
export function memoryDisputes() {
  const disputes = new Map<string, ProviderDispute>();
  const submitted: { dispute: string; key: string; parts: Readonly<Record<string, string>> }[] = [];
  const accepted: { dispute: string; key: string }[] = [];
  const uploads = new Map<string, string>();
  const failures: ("away" | "lost" | "server_error" | "refused")[] = [];
  const need = (ref: string): ProviderDispute => {
    const found = disputes.get(ref);
    if (!found) throw new ProviderFailure("missing", "no such dispute");
    return found;
  };
  const gateway: DisputeGateway = {
    retrieveDispute: async (ref) => need(ref),
    async *listDisputes() {
      yield* disputes.values();
    },
    uploadEvidenceFile: async ({ key }) => {
      uploads.set(key, uploads.get(key) ?? `file_${randomUUID()}`);
      return uploads.get(key) ?? "";
    },
    submitEvidence: async ({ dispute, key, parts }) => {
      const failure = failures.shift();
      if (failure === "refused") throw new ProviderFailure("refused", "This dispute takes no evidence.");
      if (failure === "away") throw new ProviderFailure("no_answer", "the provider is away");
      if (!submitted.some((one) => one.key === key)) {
        const known = need(dispute);
        submitted.push({ dispute, key, parts });
        disputes.set(dispute, { ...known, status: "under_review", submissions: known.submissions + 1 });
      }
      if (failure === "lost") throw new ProviderFailure("no_answer", "the answer was lost");
      if (failure === "server_error") throw new ProviderFailure("server_error", "the provider failed");
      return need(dispute);
    },
    acceptDispute: async ({ dispute, key }) => {
      const failure = failures.shift();
      if (failure === "refused") throw new ProviderFailure("refused", "This dispute cannot be closed.");
      if (failure === "away") throw new ProviderFailure("no_answer", "the provider is away");
      if (need(dispute).status === "lost") throw new ProviderFailure("refused", "This dispute is already closed.");
      accepted.push({ dispute, key });
      disputes.set(dispute, { ...need(dispute), status: "lost" });
      if (failure === "lost") throw new ProviderFailure("no_answer", "the answer was lost");
      if (failure === "server_error") throw new ProviderFailure("server_error", "the provider failed");
      return need(dispute);
    },
  };
  return { gateway, disputes, submitted, accepted, uploads, failures };
}

export type Moment = "before the show" | "between show and payout" | "after the payout";
export type Booked = { bookingId: string; artistId: string; deposit: string; refs: string[]; payments: string[] };

/** Bookings of a provider in memory, with disputes of their payments, and the ledger's and the events' state. */
export function disputedBookings(provider: ReturnType<typeof memoryProvider>, app: () => PaymentsHarness) {
  const { transfers } = provider.payouts.transfers;
  const { disputes } = provider.disputes;
  /** Makes a booking of 375 and 1,125 with a commission of 10 %, at the given moment. */
  async function booked(moment: Moment): Promise<Booked> {
    const bookingId = randomUUID();
    const made = await app().inTx(async (tx) => {
      const { id: artistId } = await makeArtist(tx, { name: `Act ${randomUUID()}` });
      await lockAccount(tx, artistId, app().clock.now());
      const start = { state: "completed", submitted: true, bank: "bank 1" } as const;
      const account = { ref: `acct_${artistId}`, artistId, ownerId: null, ...start };
      provider.payouts.accounts.accounts.set(account.ref, account);
      await syncAccount(tx, account, app().clock.now());
      const payments: string[] = [];
      for (const [kind, amount] of [["deposit", 37_500] as const, ["balance", 112_500] as const])
        payments.push((await makePayment(tx, { bookingId, kind, amount, at: app().clock.now() })).id);
      return { artistId, payments };
    });
    const refs: string[] = [];
    for (const id of made.payments) refs.push((await app().payment(id)).provider_payment ?? "");
    const one = { bookingId, ...made, refs, deposit: refs[0] ?? "" };
    if (moment !== "before the show") await release(one);
    if (moment === "after the payout") await makePayouts(app().services);
    return one;
  }
  const release = ({ bookingId, artistId }: Booked) =>
    app().inTx((tx) =>
      releaseHeld(tx, { bookingId, artistId, currency: "usd", commissionBps: 1_000, at: app().clock.now() }),
    );

  const movement = (ref: string, amount: number): DisputeMovement => ({
    ref: `txn_${ref}_${amount < 0 ? "out" : "in"}`,
    amount,
    fee: amount < 0 ? 1_500 : 0,
    currency: "usd",
    exchangeRate: null,
    at: app().clock.now(),
  });

  function disputeOf(charge: string, status: string, more: Partial<ProviderDispute> = {}): ProviderDispute {
    const amount = more.amount ?? 37_500;
    const ref = more.ref ?? `du_${charge}`;
    const isInquiry = status.startsWith("warning_");
    return {
      ref,
      providerPayment: charge,
      amount,
      currency: "usd",
      live: false,
      reason: "product_not_received",
      status,
      evidenceDueAt: new Date(app().clock.now().getTime() + 9 * dayMs),
      submissions: 0,
      movements: isInquiry ? [] : [movement(ref, -amount), ...(status === "won" ? [movement(ref, amount)] : [])],
      createdAt: app().clock.now(),
      ...more,
    };
  }
  const hear = (dispute: ProviderDispute) => {
    disputes.set(dispute.ref, dispute);
    return recordDispute(app().services, provider.gateway, dispute);
  };
  const rowOf = (charge: string) =>
    app()
      .database.db.selectFrom("disputes")
      .selectAll()
      .where("provider_payment", "=", charge)
      .executeTakeFirstOrThrow();
  const sentFor = (bookingId: string) => [...transfers.values()].filter((transfer) => transfer.group === bookingId);
  const steps = async (bookingId: string) =>
    (await app().publishedEvents(bookingId))
      .filter(({ topic }) => topic === "dispute.changed")
      .map(({ body }) => body["step"]);
  const balances = async ({ bookingId, artistId }: Booked) => ({
    held: await app().balance(`held:${bookingId}`),
    payable: await app().balance(`artist_payable:${artistId}`),
    receivable: await app().balance(`artist_receivable:${artistId}`),
  });
  /** Makes a booking whose share was reversed after the payout, and whose dispute an appeal has won. */
  async function wonBack(): Promise<Booked> {
    const one = await booked("after the payout");
    await hear(disputeOf(one.deposit, "lost"));
    await makePayouts(app().services);
    await hear(disputeOf(one.deposit, "won"));
    return one;
  }
  async function returnShare({ deposit, bookingId }: Pick<Booked, "deposit" | "bookingId">, expectedArtist = 33_750) {
    const { id: disputeId } = await rowOf(deposit);
    return app().inTx((tx) => returnShares(tx, { disputeId, bookingId, expectedArtist, now: app().clock.now() }));
  }
  return { booked, release, movement, disputeOf, hear, rowOf, sentFor, steps, balances, wonBack, returnShare };
}

export async function makeAdmin(app: PaymentsHarness): Promise<string> {
  const user = {
    email: "admin@example.test",
    name: "Kim Ash",
    password: "a quiet lamp backstage",
    role: "admin",
  } as const;
  return (await app.inTx((tx) => makeUser(tx, user))).id;
}
