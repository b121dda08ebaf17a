import { sql } from "kysely";
import { json, type Tx } from "#platform/db/index.ts";
import type { PaymentKind } from "#ledger/rules.ts";
import type { CollectionMethod } from "../rules/cards.rules.ts";
import type { Payer } from "../rules/payer.rules.ts";
import { type Payment, databaseNow } from "../store.ts";

export type Reservation = {
  /** The id and method of a payment whose row was lost; absent: a new one. */
  lost?: Readonly<{ id: string; way: CollectionMethod }>;
  bookingId: string;
  kind: PaymentKind;
  amount: number;
  currency: string;
  /** What the payer reads on the provider's page, such as "Deposit for Electric Dreams". */
  title: string;
  /** More lines, such as the date and the place; each is one line of text. */
  details?: readonly string[];
  imageUrl?: string | null;
  payerEmail?: string | null;
  /** Whom the provider's page and its records name as the payer. */
  payerName?: string | null;
  /** What the payer agreed to about keeping the card for a later charge; without it the card is not kept. */
  saveCardNotice?: string | null;
  /** Who pays for the promoter and gets the receipt; without one it is the promoter. */
  payer?: Payer | null;
  now?: Date;
};

/** Inserts the payment of a reservation, unless one of the booking and kind can be paid or is paid: the index decides. */
export const insertReservation = (tx: Tx, want: Reservation, now: Date) =>
  tx
    .insertInto("payments")
    .values({
      ...want.lost,
      booking_id: want.bookingId,
      kind: want.kind,
      amount: want.amount,
      currency: want.currency,
      title: want.title,
      description: (want.details ?? []).map((line) => line.replaceAll(/\s+/g, " ").slice(0, 200)).join("\n"),
      image_url: want.imageUrl ?? null,
      payer_email: want.payerEmail ?? null,
      payer_name: want.payerName ?? null,
      save_card_notice: want.saveCardNotice ?? null,
      provider: "stripe",
      created_at: now,
      updated_at: now,
    })
    .onConflict((on) =>
      on
        .columns(["booking_id", "kind"])
        .where(sql<boolean>`checkout_state in ('reserved','open','paid')`)
        .doNothing(),
    )
    .execute();

/** Makes this process the only one that asks the provider about a payment, for so many seconds; false when another one is. */
export const acquireLease = async (tx: Tx, paymentId: string, seconds: number): Promise<boolean> =>
  (await tx
    .updateTable("payments")
    .set({ lease_until: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .where("id", "=", paymentId)
    .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<", databaseNow)]))
    .returning("id")
    .executeTakeFirst()) !== undefined;

export type RequestDetails = Readonly<{
  successUrl: string;
  cancelUrl: string;
  contractUrl?: string | undefined;
  bookingNumber?: string;
}>;

/** Stores the addresses of the first call, so that a repeat can send the same. */
export const saveRequestDetails = (tx: Tx, paymentId: string, asked: RequestDetails) =>
  tx
    .updateTable("payments")
    .set({ request_params: json(asked) })
    .where("id", "=", paymentId)
    .execute();

/** Notes that a checkout was not opened, and ends the lease. `needsLookup`: the provider may have opened it after all. */
export const recordUnopenedCheckout = (tx: Tx, paymentId: string, message: string, needsLookup: boolean) =>
  tx
    .updateTable("payments")
    .set({ lease_until: null, last_error: message, ...(needsLookup ? { needs_lookup: true } : {}) })
    .where("id", "=", paymentId)
    .where("checkout_state", "=", "reserved")
    .execute();

/** Notes that an open checkout is looked up now; undefined when it was since `notSince`, or is not open. */
export const recordPoll = async (tx: Tx, ref: string, now: Date, notSince: Date): Promise<Payment | undefined> =>
  (await tx
    .updateTable("payments")
    .set({ last_polled_at: now })
    .where("provider_ref", "=", ref)
    .where("checkout_state", "=", "open")
    .where((eb) => eb.or([eb("last_polled_at", "is", null), eb("last_polled_at", "<=", notSince)]))
    .returningAll()
    .executeTakeFirst()) as Payment | undefined;

/** Records that the provider is queried about these payments now. One that stays as it is comes after the others the next time. */
export async function recordPolls(tx: Tx, payments: readonly { id: string }[], now: Date): Promise<void> {
  if (payments.length === 0) return;
  const ids = payments.map(({ id }) => id);
  await tx.updateTable("payments").set({ last_polled_at: now }).where("id", "in", ids).execute();
}
