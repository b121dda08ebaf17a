import { sql } from "kysely";
import { type AttemptFailure, claimedFields, claimKey, failedCallFields, type NextTry } from "#gateway/attempts.ts";
import { updateById, announce, json, type Tx } from "#platform/db/index.ts";
import { lockLivePayment, type Payment, databaseNow } from "../store.ts";
import type { SavedCard } from "../stores/saved-cards.store.ts";

export type ChargedCard = Readonly<{ customer: string; method: string; bookingNumber?: string }>;

export type ChargeReservation = Readonly<{
  bookingId: string;
  bookingNumber: string;
  amount: number;
  currency: string;
  title: string;
  payerEmail: string;
  payerName: string;
  card: Pick<SavedCard, "customer" | "method">;
  now: Date;
}>;

/** Inserts the charge of a balance. Returns undefined if the unique index finds a balance that is paid or can be paid. */
export async function reserveCharge(tx: Tx, want: ChargeReservation): Promise<string | undefined> {
  const { customer, method } = want.card;
  announce(tx, "charges");
  const row = await tx
    .insertInto("payments")
    .values({
      booking_id: want.bookingId,
      kind: "balance",
      way: "saved_card",
      amount: want.amount,
      currency: want.currency,
      title: want.title,
      payer_email: want.payerEmail,
      payer_name: want.payerName,
      provider: "stripe",
      request_params: json({ customer, method, bookingNumber: want.bookingNumber } satisfies ChargedCard),
      next_try_at: want.now,
      created_at: want.now,
      updated_at: want.now,
    })
    .onConflict((on) =>
      on
        .columns(["booking_id", "kind"])
        .where(sql<boolean>`checkout_state in ('reserved','open','paid')`)
        .doNothing(),
    )
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

export async function lockCharge(tx: Tx, bookingId: string): Promise<Payment | undefined> {
  const live = await lockLivePayment(tx, bookingId, "balance");
  return live?.way === "saved_card" ? live : undefined;
}

/** A charge as it was before its claim. `key`: the idempotency key. */
export type ClaimedCharge = Payment & { key: string };

/** Claims one due charge for `seconds` and schedules its next attempt first. */
export async function claimCharge(
  tx: Tx,
  { now, seconds, nextTry }: { now: Date; seconds: number; nextTry: NextTry },
): Promise<ClaimedCharge | undefined> {
  const row = await tx
    .selectFrom("payments")
    .selectAll()
    .where("way", "=", "saved_card")
    .where("checkout_state", "=", "reserved")
    .where("next_try_at", "<=", now)
    // The balance may be paid by a payment whose row was lost. An admin resolves that item first.
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("unreconciled_items as i")
            .select("i.id")
            .whereRef("i.marked_booking_id", "=", "payments.booking_id")
            .whereRef("i.payment_kind", "=", "payments.kind")
            .where("i.resolved_at", "is", null),
        ),
      ),
    )
    .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<", databaseNow)]))
    .orderBy("next_try_at")
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!row) return undefined;
  const claimed = claimedFields(row, now, nextTry);
  await updateById(tx, "payments", row.id, {
    ...claimed,
    lease_until: sql<Date>`now() + make_interval(secs => ${seconds})`,
  });
  return { ...row, key: claimKey(row, claimed) };
}

/** Resets a claimed charge that was not sent to its state before the first claim. */
export const requeueCharge = (tx: Tx, paymentId: string) =>
  tx
    .updateTable("payments")
    .set({ requested_at: null, lease_until: null, attempts: 0 })
    .where("id", "=", paymentId)
    .where("checkout_state", "=", "reserved")
    .execute();

export const recordOpenCharge = (tx: Tx, paymentId: string, failure?: AttemptFailure) =>
  tx
    .updateTable("payments")
    .set({ lease_until: null, ...(failure ? failedCallFields(failure) : {}) })
    .where("id", "=", paymentId)
    .where("checkout_state", "=", "reserved")
    .execute();
