import { sql } from "kysely";
import { rowsOf, firstRowOf, type Reader } from "#platform/db/index.ts";
import { type LedgerPosition, type PaymentKind, positionFrom, type PostingSum } from "./rules.ts";
import { accounts } from "./store.ts";

/** A change of what is held for a booking, less what the payer's bank took. Negative if money leaves. What is held after it is never below 0. */
export type Movement = {
  at: Date;
  kind: PaymentKind | "refund" | "refund_waiting" | "refund_by_dispute" | (typeof ownNames)[number];
  amount_cents: number;
  held_after_cents: number;
};

const ownNames = [
  "release",
  "refund_undone",
  "dispute_withdrawn",
  "dispute_reinstated",
  "dispute_lost",
  "dispute_regained",
] as const;

/** Returns every posting that changed what is held or disputed, oldest first. A disputed sum leaves when the bank takes it. */
export async function movementsOf(reader: Reader, bookingId: string, currency: string): Promise<Movement[]> {
  type Row = HeldPart & { kind: string; payment: PaymentKind | null; at: Date; waits: boolean };
  const rows = await rowsOf<Row>(reader)`
    select g.kind, p.kind as payment, g.posted_at as at,
      coalesce(-sum(e.amount) filter (where e.account <> ${accounts.disputeInFlight}), 0)::bigint as held,
      coalesce(sum(e.amount) filter (where e.account = ${accounts.disputeInFlight}), 0)::bigint as disputed,
      g.kind = 'refund_planned' and exists (
        select 1 from refunds r join disputes d on d.provider_payment = r.provider_payment and d.closed_at is null
        where g.cause_key = 'refund:' || r.id::text || ':planned' and r.status = 'requested' and r.requested_at is null) as waits
    from ledger_entries e join ledger_groups g on g.id = e.group_id left join payments p on p.id = g.payment_id
    where g.booking_id = ${bookingId} and e.account in (${accounts.held(bookingId)}, ${accounts.disputeInFlight}) and e.currency = ${currency}
    group by g.id, g.kind, g.cause_key, p.kind, g.posted_at
    order by g.posted_at, min(e.id)`;
  const parts = {
    deposit: { held: 0, disputed: 0 },
    balance: { held: 0, disputed: 0 },
    both: { held: 0, disputed: 0 },
  };
  return rows.flatMap((row): Movement[] => {
    const part = parts[row.payment ?? "both"];
    part.held += row.held;
    part.disputed += row.disputed;
    const amount = row.held - row.disputed;
    if (amount === 0) return [];
    const kind = row.waits ? "refund_waiting" : movementKind(row.kind, row.payment, amount);
    return [{ at: row.at, kind, amount_cents: amount, held_after_cents: heldIn(parts) }];
  });
}

type HeldPart = { held: number; disputed: number };

/** Returns what the platform has. The bank takes a disputed payment before a refund of it is sent, so the payments are counted apart. */
function heldIn({ deposit, balance, both }: Record<PaymentKind | "both", HeldPart>): number {
  const free = [deposit, balance].reduce((sum, { held, disputed }) => sum + Math.max(0, held - disputed), 0);
  return Math.max(0, Math.min(free, deposit.held + balance.held + both.held));
}

function movementKind(kind: string, payment: PaymentKind | null, amount: number): Movement["kind"] {
  const own = ownNames.find((name) => name === kind);
  if (own) return own;
  if (!kind.startsWith("refund")) return payment ?? "deposit";
  // The payer has the money through the dispute, so the planned refund is not sent.
  return amount > 0 ? "refund_by_dispute" : "refund";
}

export async function positionOf(reader: Reader, bookingId: string, currency: string): Promise<LedgerPosition> {
  const rows = await rowsOf<PostingSum>(reader)`
    select p.kind as payment, g.kind, split_part(e.account, ':', 1) as account, sum(e.amount)::bigint as amount,
      min(g.posted_at) as first, max(g.posted_at) as last
    from ledger_groups g join ledger_entries e on e.group_id = g.id left join payments p on p.id = g.payment_id
    where g.booking_id = ${bookingId} and e.currency = ${currency}
    group by p.kind, g.kind, split_part(e.account, ':', 1)`;
  return positionFrom(rows);
}

/** Returns what the platform has of a payment that an appeal won back, less its own loss, in minor units. Nobody has decided about it. */
export async function regainedOf(reader: Reader, paymentId: string | null, currency: string): Promise<number> {
  const row = await firstRowOf<{ amount: number }>(reader)`
    select greatest(0, coalesce(-sum(e.amount), 0))::bigint as amount
    from ledger_groups g join ledger_entries e on e.group_id = g.id
    where g.payment_id = ${paymentId}::uuid and e.account = ${accounts.disputeLoss} and e.currency = ${currency}`;
  return row?.amount ?? 0;
}

/** SQL condition: the posting `g` divides held money between artist and platform, or changes their shares. */
export const isOfRelease = sql<boolean>`g.kind in ('release', 'refund_planned', 'dispute_lost', 'dispute_share_returned')`;

type Shares = { artist: number; platform: number };

/** Returns what is left of a release after refunds and lost disputes, in minor units. */
export async function leftOfRelease(reader: Reader, bookingId: string, currency: string): Promise<Shares> {
  const row = await firstRowOf<Shares>(reader)`
    select coalesce(-sum(e.amount) filter (where e.account like 'artist_payable:%' or e.account like 'artist_receivable:%'), 0)::bigint as artist,
      coalesce(-sum(e.amount) filter (where e.account = ${accounts.platformRevenue}), 0)::bigint as platform
    from ledger_groups g join ledger_entries e on e.group_id = g.id
    where g.booking_id = ${bookingId} and e.currency = ${currency} and ${isOfRelease}`;
  return row ?? { artist: 0, platform: 0 };
}
