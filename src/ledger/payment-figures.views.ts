import { sql } from "kysely";

const refunding = sql<number>`
  (select coalesce(sum(r.amount), 0)::int from refunds r where r.payment_id = p.id and r.status in ('requested', 'submitted'))`;

/**
 * SQL of a payment `p` and its figures `f` (the view `payment_figures`), in minor units.
 * `refunding`: refunds that have not reached the payer yet. The view does not count them as refunded.
 * `kept`: what is left of a payment after refunds, also those on their way, and what the payer's bank took in lost disputes.
 */
export const paymentFigures = {
  refunding,
  kept: sql<number>`
    case p.status when 'succeeded' then f.amount - f.refunded_cents - ${refunding} - f.disputed_cents else 0 end`,
} as const;
