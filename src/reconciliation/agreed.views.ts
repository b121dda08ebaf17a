/** Compares many reported objects with our rows in one query, instead of one transaction for each. */

import { type NotNull } from "kysely";
import type { PaymentGateway, ProviderCheckout, ProviderPayment, ProviderRefund } from "#gateway/gateway.ts";
import type { ProviderTransfer } from "#gateway/transfer-gateway.ts";
import type { PaymentKind } from "#ledger/rules.ts";
import { hasRow, rowsOf, type Reader } from "#platform/db/index.ts";

/** Returns the references of payments whose rows already agree in every field. All others are synced one by one. */
export async function agreedPayments(
  reader: Reader,
  reported: readonly (ProviderCheckout | ProviderPayment)[],
  { name, live }: Pick<PaymentGateway, "name" | "live">,
): Promise<ReadonlySet<string>> {
  const paid = reported.flatMap(({ ref, paymentId, money, state, card }) =>
    money && paymentId && state === "paid" && money.live === live
      ? [
          {
            ref,
            paymentId,
            payment: money.providerPayment,
            amount: money.amount,
            currency: money.currency,
            fee: money.fee?.amount ?? 0,
            settled: money.settled?.amount ?? null,
            hasCard: Boolean(card),
          },
        ]
      : [],
  );
  if (paid.length === 0) return new Set();
  const rows = await rowsOf<{ payment: string }>(reader)`
    select r.payment from jsonb_to_recordset(${JSON.stringify(paid)}::jsonb)
        as r(ref text, "paymentId" text, payment text, amount bigint, currency text, fee bigint, settled bigint, "hasCard" boolean)
      join payments p on p.provider_payment = r.payment and p.id::text = r."paymentId" and p.provider_ref = r.ref and p.provider = ${name}
      join provider_charges c on c.provider_payment = r.payment and c.payment_id = p.id and c.recorded_as = 'payment'
     where c.amount = r.amount and c.currency = r.currency and (r.settled is null or c.settled_amount = r.settled) and p.amount = r.amount and p.currency = r.currency
       and (not r."hasCard" or p.save_card_notice is null or exists (select 1 from saved_cards s where s.payment_id = p.id))
       and p.status in ('succeeded', 'refunded')
       and exists (select 1 from ledger_groups g where g.cause_key = 'charge:' || r.payment)
       and (r.fee = 0 or exists (select 1 from ledger_groups g where g.cause_key = 'fee:' || r.payment))`;
  return new Set(rows.map(({ payment }) => payment));
}

/** Returns the references of ended refunds whose row has the same status, amount and metadata. */
export async function agreedRefunds(reader: Reader, reported: readonly ProviderRefund[]): Promise<ReadonlySet<string>> {
  const ended = reported.filter(({ state }) => state !== "pending");
  if (ended.length === 0) return new Set();
  const rows = await rowsOf<{ ref: string }>(reader)`
    select r.ref from jsonb_to_recordset(${JSON.stringify(ended)}::jsonb)
        as r(ref text, "refundId" text, amount bigint, currency text, state text)
      join refunds f on f.provider_ref = r.ref and f.status = r.state and f.amount = r.amount and f.currency = r.currency
     where r."refundId" is null or f.id::text = r."refundId"`;
  return new Set(rows.map(({ ref }) => ref));
}

/** Returns the references of transfers whose row agrees and whose reversed amount equals the posted reversals. */
export async function agreedTransfers(
  reader: Reader,
  reported: readonly ProviderTransfer[],
): Promise<ReadonlySet<string>> {
  if (reported.length === 0) return new Set();
  const rows = await rowsOf<{ ref: string }>(reader)`
    select r.ref from jsonb_to_recordset(${JSON.stringify(reported)}::jsonb)
        as r(ref text, "transferId" text, amount bigint, currency text, reversed bigint)
      join transfers t on t.provider_ref = r.ref and t.id::text = r."transferId" and t.status = 'succeeded'
       and t.settled_amount = r.amount and t.settled_currency = r.currency
     where r.reversed = (select coalesce(sum(v.settled_amount), 0) from transfer_reversals v
                          where v.transfer_id = t.id and v.status = 'succeeded' and v.provider_ref is not null)`;
  return new Set(rows.map(({ ref }) => ref));
}

export const storedRow = (reader: Reader, table: "refunds" | "transfers", providerRef: string) =>
  reader.selectFrom(table).select(["status", "amount"]).where("provider_ref", "=", providerRef).executeTakeFirst();

export const hasPayment = (reader: Reader, id: string): Promise<boolean> =>
  hasRow(reader)`select 1 from payments where id = ${id}`;

export const paidSince = (reader: Reader, { name }: Pick<PaymentGateway, "name">, since: Date) =>
  reader
    .selectFrom("payments")
    .select(["provider_payment as ref", "amount", "currency", "payment_date as occurredAt"])
    .where("provider", "=", name)
    .where("provider_payment", "is not", null)
    .where("payment_date", ">=", since)
    .$narrowType<{ ref: NotNull; occurredAt: NotNull }>()
    .execute();

/** Returns the transfers made since a time, in minor units of the currency that the provider sent. */
export const sentTransfers = (reader: Reader, since: Date) =>
  reader
    .selectFrom("transfers")
    .select(({ fn }) => [
      "id",
      "provider_ref",
      "sent_at",
      fn.coalesce("settled_amount", "amount").as("amount"),
      fn.coalesce("settled_currency", "currency").as("currency"),
    ])
    .where("status", "=", "succeeded")
    .where("sent_at", ">=", since)
    .where("paid_outside_at", "is", null)
    .execute();

/** Returns the reversals made since a time, in minor units of the currency that the provider reversed. */
export const madeReversals = (reader: Reader, since: Date) =>
  reader
    .selectFrom("transfer_reversals as r")
    .innerJoin("transfers as t", "t.id", "r.transfer_id")
    .select(({ fn }) => [
      "r.id",
      "r.provider_ref",
      "r.updated_at",
      "t.provider_ref as transfer",
      fn.coalesce("r.settled_amount", "r.amount").as("amount"),
      fn.coalesce("r.settled_currency", "r.currency").as("currency"),
    ])
    .where("r.status", "=", "succeeded")
    .where("r.updated_at", ">=", since)
    .where("r.paid_outside_at", "is", null)
    .execute();

/** Returns true if the payment of a booking is paid, or was requested from the provider and can still be paid there. */
export const isCheckoutLive = async (reader: Reader, { bookingId, kind }: { bookingId: string; kind: PaymentKind }) =>
  (await reader
    .selectFrom("payments")
    .select("id")
    .where("booking_id", "=", bookingId)
    .where("kind", "=", kind)
    .where((eb) =>
      eb.or([
        eb("checkout_state", "in", ["open", "paid"]),
        eb("checkout_state", "=", "reserved").and("requested_at", "is not", null),
      ]),
    )
    .executeTakeFirst()) !== undefined;
