/** SQL of a payment `p` and its figures `f` (the view `payment_figures`), in minor units. */

import { sql } from "kysely";

/** The refunds that have not reached the payer yet. The figures do not count them as refunded. */
export const refundingCents = sql<number>`
  (select coalesce(sum(r.amount), 0)::int from refunds r where r.payment_id = p.id and r.status in ('requested', 'submitted'))`;

/** What is left of a payment after refunds, also those on their way, and what the payer's bank took in lost disputes. */
export const keptCents = sql<number>`
  case p.status when 'succeeded' then f.amount - f.refunded_cents - ${refundingCents} - f.disputed_cents else 0 end`;
