/** The ledger: double entry, append only, balanced per currency. A cause posts once. Debits are positive, credits negative. */

import { firstRowOf, type Reader, type Tx } from "#platform/db/index.ts";
import { broadcastChange } from "#realtime/index.ts";

/** `held` and `artistPayable` are liabilities, so their balance is negative. */
export const accounts = {
  pspClearing: "psp_clearing",
  pspFees: "psp_fees",
  refundInFlight: "refund_in_flight",
  disputeInFlight: "dispute_in_flight",
  disputeLoss: "dispute_loss",
  suspense: "suspense",
  platformRevenue: "platform_revenue",
  held: (bookingId: string) => `held:${bookingId}`,
  artistPayable: (artistId: string) => `artist_payable:${artistId}`,
  /** What an artist was paid of money that was returned to the payer. A reversal settles it. */
  artistReceivable: (artistId: string) => `artist_receivable:${artistId}`,
  /** What the platform paid outside the provider for refunds that the provider refused. */
  paidOutside: "paid_outside",
  /** The contra account for amounts that the provider converted to another currency. */
  conversion: "conversion",
} as const;

export type PostingKind =
  | "charge"
  | "suspense_charge"
  | "provider_fee"
  | "refund_planned"
  | "refund_settled"
  | "refund_undone"
  | "suspense_refund_planned"
  | "suspense_refund_settled"
  | "suspense_refund_undone"
  | "outside_payment"
  | "release"
  | "payout"
  | "reversal"
  | "payout_returned"
  /** What a refund or dispute took of a reversed payout before migration 1115. */
  | "payout_offset"
  | "dispute_withdrawn"
  | "dispute_reinstated"
  | "dispute_fee"
  | "dispute_lost"
  | "dispute_regained"
  | "dispute_share_returned"
  | "conversion";

type Money = Readonly<{ amount: number; currency: string }>;
export type Entry = Money & Readonly<{ account: string }>;
export type Posting = Readonly<{
  cause: string;
  kind: PostingKind;
  bookingId?: string | null;
  paymentId?: string | null;
  at: Date;
  entries: readonly Entry[];
}>;

export const move = (
  amount: number,
  currency: string,
  { debit, credit }: { debit: string; credit: string },
): Entry[] => [
  { account: debit, amount, currency },
  { account: credit, amount: -amount, currency },
];

export const groupRow = ({ cause, kind, bookingId = null, paymentId = null, at }: Posting) => ({
  cause_key: cause,
  kind,
  booking_id: bookingId,
  payment_id: paymentId,
  posted_at: at,
});

/** Posts a group once. Returns false if its cause was already posted. The database rejects an unbalanced group. */
export async function post(tx: Tx, posting: Posting): Promise<boolean> {
  const entries = posting.entries.filter((entry) => entry.amount !== 0);
  if (entries.length === 0) return false;
  const group = await tx
    .insertInto("ledger_groups")
    .values(groupRow(posting))
    .onConflict((on) => on.column("cause_key").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!group) return false;
  await tx
    .insertInto("ledger_entries")
    .values(entries.map((entry) => ({ group_id: group.id, ...entry })))
    .execute();
  await broadcastChange(tx, "money", { admins: true });
  return true;
}

/** Posts a conversion if the provider's account moved another currency than `of`. `booked`: what that group added. `settled`: what was received. */
export async function postConversion(
  tx: Tx,
  of: Omit<Posting, "kind" | "entries">,
  { booked, settled }: { booked: Money; settled: Money },
): Promise<void> {
  if (booked.currency === settled.currency) return;
  const direction = { debit: accounts.pspClearing, credit: accounts.conversion };
  const entries = [
    ...move(-booked.amount, booked.currency, direction),
    ...move(settled.amount, settled.currency, direction),
  ];
  await post(tx, { ...of, cause: `${of.cause}:converted`, kind: "conversion", entries });
}

/** Returns what is held for a booking, in minor units of its currency. Never negative. */
export async function heldFor(reader: Reader, bookingId: string, currency: string): Promise<number> {
  const row = await firstRowOf<{ held: number }>(reader)`
    select coalesce(-sum(amount), 0)::bigint as held from ledger_entries
    where account = ${accounts.held(bookingId)} and currency = ${currency}`;
  return row?.held ?? 0;
}
