/** Locks are taken in the order payments, payout, transfers. */

import { type RawBuilder, type Selectable, sql } from "kysely";
import { type AttemptFailure, claimedFields, claimKey, failedClaimFields, type NextTry } from "#gateway/attempts.ts";
import type { ConvertedAmount } from "#gateway/gateway.ts";
import { firstRowOf, hasRow, rowsOf, updateById, type DB, type Reader, type Tx } from "#platform/db/index.ts";
import type { PayoutAwaitsAccount } from "./payouts.rules.ts";

export type Payout = Selectable<DB["payouts"]>;
export type Transfer = Selectable<DB["transfers"]>;

export const insertPayout = (
  tx: Tx,
  payout: { bookingId: string; artistId: string; currency: string; amount: number; dueAt: Date; now: Date },
) =>
  tx
    .insertInto("payouts")
    .values({
      booking_id: payout.bookingId,
      artist_id: payout.artistId,
      currency: payout.currency,
      amount: payout.amount,
      due_at: payout.dueAt,
      created_at: payout.now,
      updated_at: payout.now,
    })
    .execute();

/** SQL condition: the bank may take back the charge `payment` (a column), by an open dispute or a notice of one that is still to be processed. */
export const isDisputed = (payment: "x.provider_payment" | "r.provider_payment" | "refunds.provider_payment") =>
  sql<boolean>`exists (select 1 from disputed_charges d where d.provider_payment = ${sql.ref(payment)})`;

/** SQL condition: a payment of the booking of `p` is or may be disputed, also by a failed notice whose dispute is unknown. */
export const hasDispute = sql<boolean>`exists (
  select 1 from payments x where x.booking_id = p.booking_id and (${isDisputed("x.provider_payment")} or exists (
    select 1 from provider_events e where e.payload->>'paymentRef' = x.provider_payment and e.type like 'charge.dispute.%'
      and e.processed_at is null and not exists (select 1 from disputes d where d.provider_ref = e.object_id))))`;

/** SQL condition: a party objects to the attested signature of the booking of `p`, and no admin has decided. */
export const hasOpenObjection = sql<boolean>`exists (
  select 1 from contracts k join contract_objections o on o.contract_id = k.id
  where k.booking_id = p.booking_id and o.decided_at is null)`;

/** Returns true if a payment of the booking is disputed or lost a dispute. Check it before the payer is charged again. */
export const hasOpenOrLostDispute = (reader: Reader, bookingId: string): Promise<boolean> =>
  hasRow(reader)`
    select 1 from (select ${bookingId}::uuid as booking_id) p
    where ${hasDispute} or exists (select 1 from disputes l where l.booking_id = p.booking_id and l.status = 'lost')`;

/** SQL condition: the account `c` is not the current owner's. A profile without an owner retains its account, whose owner earned the money. */
export const isFormerOwners = sql<boolean>`exists (
  select 1 from artists a where a.id = c.artist_id and a.user_id is not null and c.user_id is distinct from a.user_id)`;

/** SQL condition: a refund of the booking of `p` has not reached the payer. */
export const hasOpenRefund = sql<boolean>`exists (
  select 1 from refunds r join payments x on x.id = r.payment_id
  where x.booking_id = p.booking_id and r.status <> 'succeeded')`;

/** SQL condition: a payout `p` of an artist with the account `c` must not be sent now. */
const isBlocked = (now: Date): RawBuilder<boolean> => sql`(
  coalesce(c.onboarding_status, '') <> 'completed' or c.provider_account is null
  or coalesce(c.frozen_until > ${now}, false) or ${isFormerOwners}
  or ${hasOpenRefund} or ${hasDispute} or ${hasOpenObjection})`;

const isDue = (now: Date): RawBuilder<boolean> =>
  sql`(p.planned_at is null and p.stuck_at is null and p.amount > 0 and p.due_at <= ${now} and not ${isBlocked(now)})`;

type DuePayout = Pick<Payout, "id" | "booking_id" | "attempts"> & { account: string };

/** Returns due payouts without a blocking condition, by their next attempt. Another process may claim them first. */
export const findDuePayouts = (reader: Reader, now: Date, limit: number): Promise<DuePayout[]> =>
  rowsOf<DuePayout>(reader)`
    select p.id, p.booking_id, p.attempts, c.provider_account as account
      from payouts p left join artist_connect c on c.artist_id = p.artist_id
    where ${isDue(now)} and coalesce(p.next_try_at, p.due_at) <= ${now}
    order by coalesce(p.next_try_at, p.due_at), p.id limit ${limit}`;

export type WaitingPayout = Pick<Payout, "id" | "booking_id" | "currency"> &
  Pick<PayoutAwaitsAccount, "amount" | "account" | "disputeId">;

/** Claims due payouts and returned shares that wait only for the artist's payment account. Each is claimed once. */
export const claimWaitingPayouts = (tx: Tx, now: Date, limit: number): Promise<WaitingPayout[]> =>
  rowsOf<WaitingPayout>(tx)`
    with returned as (
      select distinct on (payout_id) payout_id, dispute, amount from (
        select payout_id, returned_dispute_id as dispute, sum(amount)::int as amount, max(created_at) as at from transfers
        where returned_dispute_id is not null and status = 'requested' and not needs_lookup group by payout_id, returned_dispute_id) parts
      order by payout_id, at desc),
    waiting as (
      select p.id, coalesce(c.onboarding_status, 'not_started') as account, r.dispute, coalesce(r.amount, p.amount) as amount
        from payouts p join artists a on a.id = p.artist_id left join artist_connect c on c.artist_id = p.artist_id
        left join returned r on r.payout_id = p.id
      where (p.id = any (array(select payout_id from returned)) or p.planned_at is null and p.stuck_at is null and p.amount > 0 and p.due_at <= ${now})
        and p.stuck_at is null and p.wait_notified_at is null
        and a.user_id is not null and coalesce(c.onboarding_status, '') <> 'completed'
        and not coalesce(c.frozen_until > ${now}, false) and not (c.artist_id is not null and ${isFormerOwners})
        and not (${hasOpenRefund} or ${hasDispute} or ${hasOpenObjection})
      order by p.due_at, p.id limit ${limit} for update of p skip locked)
    update payouts set wait_notified_at = ${now} from waiting where payouts.id = waiting.id
    returning payouts.id, payouts.booking_id, payouts.currency, waiting.amount, waiting.account, waiting.dispute as "disputeId"`;

/** Locks a payout that is still due, with the artist's account. Neither can change before its transfers are planned. */
export const lockDuePayout = (tx: Tx, id: string, now: Date): Promise<Payout | undefined> =>
  firstRowOf<Payout>(tx)`
    select p.* from payouts p join artist_connect c on c.artist_id = p.artist_id
    where p.id = ${id} and ${isDue(now)} for update of p, c`;

export const lockPayoutOf = (tx: Tx, bookingId: string): Promise<Payout | undefined> =>
  tx.selectFrom("payouts").selectAll().where("booking_id", "=", bookingId).forUpdate().executeTakeFirst();

export const lockPayout = (tx: Tx, id: string): Promise<Payout> =>
  tx.selectFrom("payouts").selectAll().where("id", "=", id).forUpdate().executeTakeFirstOrThrow();

type Change = Partial<Omit<Payout, "id" | "booking_id" | "artist_id" | "currency" | "created_at" | "updated_at">>;

export const changePayout = (tx: Tx, id: string, fields: Change, now: Date) =>
  updateById(tx, "payouts", id, { ...fields, updated_at: now });

/** Inserts the transfer that sends again what was reversed in the provider's dashboard, to the same account. It waits for an admin, like a refused one. */
export const insertReplacement = (
  tx: Tx,
  replaced: { transfer: Transfer; reversalId: string; amount: number; settled: ConvertedAmount; now: Date },
) =>
  tx
    .insertInto("transfers")
    .values({
      payout_id: replaced.transfer.payout_id,
      payment_id: replaced.transfer.payment_id,
      provider_payment: replaced.transfer.provider_payment,
      amount: replaced.amount,
      currency: replaced.transfer.currency,
      destination: replaced.transfer.destination,
      status: "failed",
      last_error: "It was reversed in the provider's dashboard.",
      settled_amount: replaced.settled.amount,
      settled_currency: replaced.settled.currency,
      returned_dispute_id: replaced.transfer.returned_dispute_id,
      replaced_reversal_id: replaced.reversalId,
      next_try_at: replaced.now,
      created_at: replaced.now,
      updated_at: replaced.now,
    })
    .execute();

/** Inserts a transfer that is due immediately. `disputeId`: returns its share. `account`: the only one that it is sent to. */
export const insertTransfer = (
  tx: Tx,
  transfer: {
    payout: Payout;
    paymentId: string;
    providerPayment: string;
    amount: number;
    disputeId?: string;
    account?: string | null;
    now: Date;
  },
) =>
  tx
    .insertInto("transfers")
    .values({
      payout_id: transfer.payout.id,
      payment_id: transfer.paymentId,
      provider_payment: transfer.providerPayment,
      amount: transfer.amount,
      currency: transfer.payout.currency,
      returned_dispute_id: transfer.disputeId ?? null,
      destination: transfer.account ?? null,
      next_try_at: transfer.now,
      created_at: transfer.now,
      updated_at: transfer.now,
    })
    .execute();

export const lockTransfers = (tx: Tx, payoutId: string): Promise<Transfer[]> =>
  tx
    .selectFrom("transfers")
    .selectAll()
    .where("payout_id", "=", payoutId)
    .orderBy("created_at")
    .orderBy("id")
    .forUpdate()
    .execute();

/** Returns the payout of a reported transfer, by our metadata or its reference. */
export async function payoutIdOf(tx: Tx, found: { id: string | null; ref: string }): Promise<string | undefined> {
  const row = await tx
    .selectFrom("transfers")
    .select("payout_id")
    .where((eb) =>
      found.id === null
        ? eb("provider_ref", "=", found.ref)
        : eb.or([eb("id", "=", found.id), eb("provider_ref", "=", found.ref)]),
    )
    .executeTakeFirst();
  return row?.payout_id;
}

/** A transfer to send now. `key`: the idempotency key. `first`: no call was made before: what it sends is stored first. `blocked`: only query it. `stranded`: never send it, because its account belongs to another owner. */
export type ClaimedTransfer = Transfer & {
  booking_id: string;
  charge: string | null;
  destination: string;
  key: string;
  first: boolean;
  blocked: boolean;
  stranded: boolean;
};

/** Claims one due transfer. The next attempt is scheduled first. A blocked transfer that was never sent is skipped. */
export async function claimTransfer(tx: Tx, now: Date, nextTry: NextTry): Promise<ClaimedTransfer | undefined> {
  // A transfer first sent to another account is only queried. It must not be sent there again, and not twice.
  const isOthers = sql<boolean>`coalesce(t.destination <> c.provider_account, false)`;
  const isSameOwners = sql<boolean>`exists (
    select 1 from former_payment_accounts f where f.provider_account = t.destination and f.user_id = c.user_id)`;
  const isMoved = sql<boolean>`(t.requested_at is null and ${isOthers} and ${isSameOwners})`;
  const mustNotGo = sql<boolean>`(${isBlocked(now)} or ${isOthers} and not ${isMoved})`;
  const isStranded = sql<boolean>`((t.returned_dispute_id is not null or t.replaced_reversal_id is not null) and ${isOthers} and not ${isSameOwners})`;
  const row = await firstRowOf<Omit<ClaimedTransfer, "key" | "first">>(tx)`
    select t.*, p.booking_id, x.provider_charge as charge, ${mustNotGo} as blocked, ${isStranded} as stranded,
      case when ${isMoved} then c.provider_account else coalesce(t.destination, c.provider_account) end as destination
    from transfers t join payouts p on p.id = t.payout_id join payments x on x.id = t.payment_id
      left join artist_connect c on c.artist_id = p.artist_id
    where t.status in ('requested', 'submitted') and t.next_try_at <= ${now}
      and (t.requested_at is not null or not ${mustNotGo} or ${isStranded})
    order by t.next_try_at, t.id limit 1 for update of t skip locked`;
  if (!row) return undefined;
  const claimed = claimedFields(row, now, nextTry);
  await updateById(tx, "transfers", row.id, { ...claimed, status: "submitted", destination: row.destination });
  const first = row.requested_at === null || row.settled_amount === null;
  return { ...row, first, requested_at: claimed.requested_at, key: claimKey(row, claimed) };
}

/** Stores what is sent of a claimed transfer. Returns false if the claim's key is no longer in use, so the amount may have changed. */
export const writeConvertedAmount = async (reader: Reader, claimed: ClaimedTransfer, settled: ConvertedAmount) =>
  (await reader
    .updateTable("transfers")
    .set({ settled_amount: settled.amount, settled_currency: settled.currency })
    .where("id", "=", claimed.id)
    .where("status", "=", "submitted")
    .where("requested_at", "=", claimed.requested_at)
    .returning("id")
    .executeTakeFirst()) !== undefined;

type Made = ConvertedAmount & Readonly<{ ref: string }>;

export const madeFields = (made: Made, now: Date) => ({
  status: "succeeded" as const,
  provider_ref: made.ref,
  settled_amount: made.amount,
  settled_currency: made.currency,
  needs_lookup: false,
  last_error: null,
  updated_at: now,
});

export const writeTransferMade = (tx: Tx, id: string, made: Made, now: Date) =>
  updateById(tx, "transfers", id, { ...madeFields(made, now), sent_at: now });

/** Records a failed call. Returns false if the row has another outcome by now. */
export const recordCallFailure = async (
  tx: Tx,
  table: "transfers" | "transfer_reversals",
  { id }: { id: string },
  failure: AttemptFailure,
) =>
  (await tx
    .updateTable(table)
    .set(failedClaimFields(failure))
    .where("id", "=", id)
    .where("status", "=", "submitted")
    .where("provider_ref", "is", null)
    .returning("id")
    .executeTakeFirst()) !== undefined;

/** What is sent again keeps its account, unless its owner has a new one. Every other unsent transfer goes to the artist's account at that time. */
const returnsTo = sql<
  string | null
>`case when returned_dispute_id is not null or replaced_reversal_id is not null then destination end`;

export const requeueTransfer = (tx: Tx, id: string) =>
  tx
    .updateTable("transfers")
    .set({ status: "requested", requested_at: null, destination: returnsTo, needs_lookup: true })
    .where("id", "=", id)
    .where("status", "=", "submitted")
    .execute();

export const writeReversed = (tx: Tx, transfer: Transfer, amount: number, now: Date) =>
  updateById(tx, "transfers", transfer.id, { amount_reversed: transfer.amount_reversed + amount, updated_at: now });

/** Requeues the refused transfers of a payout, or a payout that could not be planned. The provider is queried first. Returns their number. */
export async function retryTransfers(tx: Tx, payoutId: string, now: Date): Promise<number> {
  const again = {
    status: "requested",
    // What an earlier call may have made stays a repeat. The lookup first confirms that it was not made.
    requested_at: sql<Date | null>`case when needs_lookup then requested_at end`,
    needs_lookup: true,
    next_try_at: now,
    updated_at: now,
  } as const;
  const rows = await tx
    .updateTable("transfers")
    .set({ ...again, destination: returnsTo })
    .where("payout_id", "=", payoutId)
    .where("status", "=", "failed")
    .returning("id")
    .execute();
  const reversals = await tx
    .updateTable("transfer_reversals")
    .set(again)
    .where("status", "=", "failed")
    .where(
      "transfer_id",
      "in",
      tx.selectFrom("transfers").select("id").where("payout_id", "=", payoutId).where("paid_outside_at", "is", null),
    )
    .returning("id")
    .execute();
  const stuck = await tx
    .updateTable("payouts")
    .set({ stuck_at: null, stuck_reason: null, attempts: 0, next_try_at: null, updated_at: now })
    .where("id", "=", payoutId)
    .where("stuck_at", "is not", null)
    .returning("id")
    .execute();
  return rows.length + reversals.length + stuck.length;
}
