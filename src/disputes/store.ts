/** Locks are taken in the order payment, dispute, refunds, payout. */

import { type Selectable, sql } from "kysely";
import type { ProviderDispute } from "#gateway/dispute-gateway.ts";
import { hasRow, updateById, type DB, type Reader, type Tx } from "#platform/db/index.ts";
import { divisionTermsOf } from "./views.ts";

export type Dispute = Selectable<DB["disputes"]>;

/** Locks the row of a reported dispute, and inserts it if there is none. `isNew`: it was inserted. */
export async function lockReportedDispute(
  tx: Tx,
  reported: ProviderDispute,
  of: { providerPayment: string; paymentId: string | null; bookingId: string | null; now: Date },
): Promise<{ dispute: Dispute; isNew: boolean }> {
  const made = await tx
    .insertInto("disputes")
    .values({
      provider_ref: reported.ref,
      provider_payment: of.providerPayment,
      payment_id: of.paymentId,
      booking_id: of.bookingId,
      amount: reported.amount,
      currency: reported.currency,
      reason: reported.reason,
      status: reported.status,
      opened_at: reported.createdAt,
      created_at: of.now,
      updated_at: of.now,
    })
    .onConflict((on) => on.column("provider_ref").doNothing())
    .returning("id")
    .executeTakeFirst();
  const dispute = await tx
    .selectFrom("disputes")
    .selectAll()
    .where("provider_ref", "=", reported.ref)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { dispute, isNew: made !== undefined };
}

export const lockDispute = (tx: Tx, id: string): Promise<Dispute | undefined> =>
  tx.selectFrom("disputes").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();

/** Locks the lost dispute of a charge of which the platform bore a part as a loss. */
export const lockLoss = (tx: Tx, providerPayment: string): Promise<Dispute | undefined> =>
  tx
    .selectFrom("disputes")
    .selectAll()
    .where("provider_payment", "=", providerPayment)
    .where("status", "=", "lost")
    .where("from_loss", ">", 0)
    .forUpdate()
    .executeTakeFirst();

/** Prevents the storage of evidence for a locked dispute for `seconds` while the provider closes it. Uses the database's clock, without demo offset. */
export const beginAcceptance = (tx: Tx, id: string, seconds: number) =>
  updateById(tx, "disputes", id, { accepting_until: sql<Date>`now() + make_interval(secs => ${seconds})` });

export const endAcceptance = (tx: Tx, id: string) => updateById(tx, "disputes", id, { accepting_until: null });

/** Returns true while the provider closes a locked dispute, or may have closed it without a response. */
export const isBeingAccepted = (tx: Tx, id: string): Promise<boolean> =>
  hasRow(tx)`select 1 from disputes where id = ${id} and accepting_until > now()`;

export const hasSettled = (reader: Reader, ref: string): Promise<boolean> =>
  hasRow(reader)`select 1 from disputes where provider_ref = ${ref} and settled_at is not null`;

type Change = Partial<Omit<Dispute, "id" | "provider_ref" | "provider_payment" | "created_at" | "updated_at">>;

export async function changeDispute(tx: Tx, dispute: Dispute, fields: Change, now: Date): Promise<void> {
  await updateById(tx, "disputes", dispute.id, { ...fields, updated_at: now });
  Object.assign(dispute, fields);
}

/** Returns true if the held money of a booking was divided. The booking cannot end before the caller commits. Throws while its row is locked, because waiting under the payment's lock could be a deadlock. The report is then processed again. */
export async function isHeldMoneyDivided(tx: Tx, bookingId: string): Promise<boolean> {
  const open = sql`select id from bookings where id = ${bookingId} for share skip locked`;
  const isLocked = (await open.execute(tx)).rows.length === 0;
  const terms = await divisionTermsOf(tx, bookingId);
  if (isLocked && terms.artistId !== null) throw new Error(`the booking ${bookingId} is being changed`);
  return terms.isDivided;
}
