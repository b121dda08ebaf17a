import { sql } from "kysely";

const refunding = sql<number>`
  (select coalesce(sum(r.amount), 0)::int from refunds r where r.payment_id = p.id and r.status in ('requested', 'submitted'))`;

/** SQL of a payment `p` and its figures `f` (the view `payment_figures`), in minor units. `refunding`: refunds on their way to the payer. `kept`: what refunds, also those on their way, and lost disputes leave of it. `declined`: the bank declined the payment and nothing was paid since; a released or expired checkout is not declined. */
export const paymentFigures = {
  refunding,
  kept: sql<number>`
    case p.status when 'succeeded' then f.amount - f.refunded_cents - ${refunding} - f.disputed_cents else 0 end`,
  declined: sql<boolean>`(p.decline_code is not null and p.payment_date is null)`,
} as const;
