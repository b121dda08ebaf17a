import { type RawBuilder, type Selectable, sql } from "kysely";
import { type AttemptFailure, claimedFields, claimKey, failedClaimFields, type NextTry } from "#gateway/attempts.ts";
import { isDisputed } from "#payouts/index.ts";
import type { ChargeLeft } from "#payouts/payouts.rules.ts";
import { firstRowOf, updateById, announce, type DB, type Reader, type Tx } from "#platform/db/index.ts";
import { broadcastChange } from "#realtime/index.ts";
import { lockPaidPayments, lockPayment, publishEvent } from "../store.ts";

export type Refund = Selectable<DB["refunds"]>;

type NewRefund = Pick<Refund, "payment_id" | "provider_payment" | "amount" | "currency" | "reason" | "cause_key"> &
  Partial<Pick<Refund, "from_regained">>;

export const insertRefund = (tx: Tx, refund: NewRefund, now: Date): Promise<Refund> => {
  announce(tx, "refunds");
  return tx
    .insertInto("refunds")
    .values({ ...refund, next_try_at: now, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
};

const selectRefunds = (tx: Tx) => tx.selectFrom("refunds").selectAll();

export const findByCause = (tx: Tx, causeKey: string): Promise<Refund | undefined> =>
  selectRefunds(tx).where("cause_key", "=", causeKey).executeTakeFirst();

export async function haveSettled(reader: Reader, ids: readonly string[]): Promise<boolean> {
  const causes = ids.map((id) => `refund:${id}:settled`);
  const posted = await reader.selectFrom("ledger_groups").select("id").where("cause_key", "in", causes).execute();
  return posted.length === ids.length;
}

const lostOf = (providerPayment: RawBuilder<unknown>) => sql<number>`(
  select coalesce(sum(from_held + from_artist + from_platform - returned_held - returned_artist - returned_platform), 0)
  from disputes where provider_payment = ${providerPayment} and settled_at is not null)`;

/** Returns the sum of a provider payment's refunds and of its lost disputes that were not returned, in minor units. A refund from regained money is one of these. */
export async function plannedFor(reader: Reader, providerPayment: string): Promise<number> {
  const row = await firstRowOf<{ planned: number }>(reader)`
    select ((select coalesce(sum(amount - from_regained), 0) from refunds where provider_payment = ${providerPayment})
      + ${lostOf(sql`${providerPayment}`)})::bigint as planned`;
  return row?.planned ?? 0;
}

/** Locks the paid payments of a booking. Returns what is left of each after refunds and lost disputes, in minor units. */
export async function lockChargesLeft(tx: Tx, bookingId: string): Promise<ChargeLeft[]> {
  const charges: ChargeLeft[] = [];
  for (const { id: paymentId, provider_payment: providerPayment, amount } of await lockPaidPayments(tx, bookingId))
    charges.push({ paymentId, providerPayment, left: amount - (await plannedFor(tx, providerPayment)) });
  return charges;
}

type Beside = { amount: number; charged: number };

/** SQL: the provider cannot make a refund of `refunds` beside one of this amount. */
export const isPrevented = ({ amount, charged }: Beside) => sql<boolean>`
  refunds.amount + ${amount}::bigint + ${lostOf(sql`refunds.provider_payment`)} + (
    select coalesce(sum(m.amount), 0) from refunds m
    where m.provider_payment = refunds.provider_payment and m.paid_outside_at is null
      and (m.status = 'succeeded' or m.status = 'submitted' and m.provider_ref is not null)) > ${charged}::bigint`;

/** Locks the refunds of a charge that a lost dispute can complete: unsent, refused and returned ones, oldest first. `beside`: also those without a response that are prevented. */
export const waitingRefunds = (tx: Tx, providerPayment: string, beside?: Beside): Promise<Refund[]> =>
  selectRefunds(tx)
    .where("provider_payment", "=", providerPayment)
    .where((eb) =>
      eb.or([
        eb("status", "=", "failed"),
        eb.and([eb("status", "=", "requested"), eb("requested_at", "is", null)]),
        ...(beside
          ? [
              eb.and([
                eb("status", "in", ["requested", "submitted"]),
                eb("provider_ref", "is", null),
                isPrevented(beside),
              ]),
            ]
          : []),
      ]),
    )
    .orderBy("created_at")
    .orderBy("id")
    .forUpdate()
    .execute();

/** Locks the refunds of a charge that a lost dispute completed, the latest first. */
export const coveredRefunds = (tx: Tx, providerPayment: string): Promise<Refund[]> =>
  selectRefunds(tx)
    .where("provider_payment", "=", providerPayment)
    .where("by_dispute_at", "is not", null)
    .orderBy("by_dispute_at", "desc")
    .orderBy("id")
    .forUpdate()
    .execute();

/** Locks a refund that a lost dispute completed, if an appeal returned `part` of it (minor units), but not all. The money of refunds comes back last (`regainedShares`). */
export async function lockReturnedPart(
  tx: Tx,
  providerPayment: string,
): Promise<{ refund: Refund; part: number } | undefined> {
  const covered = await coveredRefunds(tx, providerPayment);
  const sum = covered.reduce((total, { amount }) => total + amount, 0);
  const row = await firstRowOf<{ part: number }>(tx)`
    select coalesce(sum(greatest(0, least(from_refunds, ${sum}::bigint) - greatest(0, withdrawn - regained))), 0)::bigint as part from disputes
    where provider_payment = ${providerPayment} and settled_at is not null`;
  const part = row?.part ?? 0;
  const refund = covered.find(({ amount }) => amount > part);
  return part > 0 && refund ? { refund, part } : undefined;
}

/** Locks a refund. Its payment is locked first, in the order of planRefund, to prevent deadlocks. */
export async function lockRefundRow(
  tx: Tx,
  row: Pick<Refund, "id" | "payment_id"> | undefined,
): Promise<Refund | undefined> {
  if (!row) return undefined;
  if (row.payment_id) await lockPayment(tx, row.payment_id);
  return selectRefunds(tx).where("id", "=", row.id).forUpdate().executeTakeFirstOrThrow();
}

export async function lockRefusedRefund(tx: Tx, id: string): Promise<Refund | undefined> {
  const found = await tx.selectFrom("refunds").select(["id", "payment_id"]).where("id", "=", id).executeTakeFirst();
  const refund = await lockRefundRow(tx, found);
  return refund?.status === "failed" ? refund : undefined;
}

export async function refsBeside(reader: Reader, { id, provider_payment: of }: Refund): Promise<(string | null)[]> {
  const others = reader.selectFrom("refunds").select("provider_ref").where("provider_payment", "=", of);
  return (await others.where("id", "<>", id).execute()).map(({ provider_ref }) => provider_ref);
}

export async function isChargeDisputed(tx: Tx, id: string): Promise<boolean> {
  const row = tx.selectFrom("refunds").select(isDisputed("refunds.provider_payment").as("disputed"));
  return (await row.where("id", "=", id).executeTakeFirstOrThrow()).disputed;
}

export const writePaidOutside = (tx: Tx, id: string, now: Date) =>
  updateById(tx, "refunds", id, { status: "succeeded", paid_outside_at: now, needs_lookup: false, updated_at: now });

/** Records that a lost dispute of the same charge returned the refund to the payer. */
export const markRefundFulfilled = (tx: Tx, id: string, now: Date) =>
  updateById(tx, "refunds", id, {
    status: "succeeded",
    by_dispute_at: now,
    needs_lookup: false,
    last_error: null,
    updated_at: now,
  });

export const markRefundReopened = (tx: Tx, id: string, now: Date) =>
  updateById(tx, "refunds", id, {
    status: "failed",
    by_dispute_at: null,
    last_error: "An appeal won the money back from the payer's bank, so the refund is due again.",
    updated_at: now,
  });

/** Reduces a refund that the payer already has in part. If nothing is left, it is completed. A refused one is queried at the provider, then sent again, as a first call if it was certainly not made. A returned one stays failed, one that a lost dispute completed stays completed. */
export const reduceRefund = (tx: Tx, refund: Refund, amount: number, now: Date) =>
  updateById(tx, "refunds", refund.id, {
    amount,
    updated_at: now,
    ...(refund.provider_ref === null &&
      refund.by_dispute_at === null && {
        status: "requested",
        requested_at: refund.needs_lookup ? refund.requested_at : null,
        needs_lookup: refund.needs_lookup || refund.requested_at !== null,
        next_try_at: now,
        last_error: null,
      }),
    ...(amount === 0 && { status: "succeeded", needs_lookup: false }),
  });

export const writeProviderState = (
  tx: Tx,
  id: string,
  reported: { status: Refund["status"]; ref: string; reason: string | null },
  now: Date,
) =>
  updateById(tx, "refunds", id, {
    status: reported.status,
    provider_ref: reported.ref,
    needs_lookup: false,
    last_error: reported.reason,
    updated_at: now,
  });

/** `key`: the idempotency key. `requested_at` and `attempts`: as before the claim. */
export type ClaimedRefund = Refund & { key: string };

export async function claimRefund(tx: Tx, now: Date, nextTry: NextTry): Promise<ClaimedRefund | undefined> {
  const row = await selectRefunds(tx)
    .where("status", "in", ["requested", "submitted"])
    .where("next_try_at", "<=", now)
    // The provider refuses to refund a disputed charge, so an unsent refund waits for the bank's decision. A sent one is polled.
    .where((eb) => eb.or([eb("requested_at", "is not", null), eb.not(isDisputed("refunds.provider_payment"))]))
    .orderBy("next_try_at")
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!row) return undefined;
  const claimed = claimedFields(row, now, nextTry);
  await updateById(tx, "refunds", row.id, { ...claimed, status: "submitted" });
  return { ...row, key: claimKey(row, claimed) };
}

/** Records that the provider did not make a claimed refund, unless it was claimed again. A refused one is published once. */
export async function recordRefundFailure(tx: Tx, claimed: ClaimedRefund, failure: AttemptFailure): Promise<void> {
  const refund = await lockRefundRow(tx, claimed);
  if (refund?.status !== "submitted" || refund.provider_ref !== null) return;
  if (refund.attempts !== claimed.attempts + 1) return;
  const { status, ...fields } = failedClaimFields(failure);
  await updateById(tx, "refunds", refund.id, { status, ...fields });
  if (failure.refused)
    await publishRefundFailed(tx, { ...refund, ...fields }, { reason: failure.message, returned: false });
}

/** Records that the provider no longer has a refund that it had accepted, for an admin. If it is sent again, the provider is queried first. */
export async function recordUnknownRefund(tx: Tx, { id, payment_id, provider_ref: ref }: Refund, now: Date) {
  const refund = await lockRefundRow(tx, { id, payment_id });
  if (refund?.status !== "submitted" || refund.provider_ref !== ref) return;
  const reason = `The payment provider no longer has the refund ${ref}, which it had accepted.`;
  const unknown = { provider_ref: null, needs_lookup: true, requested_at: now, last_error: reason, updated_at: now };
  await updateById(tx, "refunds", id, { ...unknown, status: "failed" });
  await publishRefundFailed(tx, { ...refund, ...unknown }, { reason, returned: false });
}

type Failure = { reason: string; returned: boolean };

export async function publishRefundFailed(tx: Tx, refund: Refund, failure: Failure): Promise<void> {
  await broadcastChange(tx, "money", { admins: true });
  if (refund.status !== "failed") await publishFailure(tx, refund, failure);
}

/** Publishes the failed refunds of a charge again, because their dispute ended, or its notice failed (`undisputed`), and the money is owed. */
export async function republishFailedRefunds(
  tx: Tx,
  providerPayment: string,
  which: "all" | "undisputed" = "all",
): Promise<void> {
  const failed = selectRefunds(tx)
    .where("provider_payment", "=", providerPayment)
    .where("status", "=", "failed")
    .$if(which === "undisputed", (query) => query.where((eb) => eb.not(isDisputed("refunds.provider_payment"))));
  for (const refund of await failed.forUpdate().execute())
    await publishFailure(tx, refund, {
      reason: refund.last_error ?? "no reason given",
      returned: refund.provider_ref !== null,
      afterDispute: true,
      noticeFailed: which === "undisputed",
    });
}

async function publishFailure(
  tx: Tx,
  refund: Refund,
  failure: Failure & { afterDispute?: true; noticeFailed?: boolean },
): Promise<void> {
  const { id: refundId, payment_id: paymentId, amount, currency } = refund;
  const payment = paymentId === null ? undefined : await lockPayment(tx, paymentId);
  await publishEvent(tx, "refund.failed", {
    refundId,
    paymentId,
    bookingId: payment?.booking_id ?? null,
    amount,
    currency,
    ...failure,
    isUnconfirmed: !failure.returned && refund.needs_lookup,
  });
}
