import { sql } from "kysely";

/** SQL: the amount of the payout `p`. A reversed part that was paid again counts once, as in `payoutsOf`. */
const paidOnce = sql<number>`(
  select p.amount - least(coalesce(sum(x.amount_reversed), 0), coalesce(sum(x.amount) filter (
    where x.returned_dispute_id is not null or x.replaced_reversal_id is not null), 0))
  from transfers x where x.payout_id = p.id)::bigint`.as("once");

export const payoutColumns = [
  "p.paid_at",
  "p.currency",
  "t.amount as part",
  "t.paid_outside_at as at",
  paidOnce,
] as const;
