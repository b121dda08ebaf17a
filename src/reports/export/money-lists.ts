import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { documentNames } from "#invoicing/rules.ts";
import { accountLabels, postingLabels } from "#ledger/labels.rules.ts";
import { periodOf } from "../lists/payments-search.views.ts";
import { paymentFilters } from "../lists/payments.api.ts";
import { type Batch, list, money, nextRows, platformTime } from "./lists.ts";

type Days = Parameters<typeof periodOf>[0];

const days = z.strictObject({ from: paymentFilters.from, to: paymentFilters.to });

function isWithin(moment: RawBuilder<unknown>, filters: Days, { timeZone }: Batch): RawBuilder<unknown> {
  const { from, to } = periodOf(filters, timeZone);
  return sql`${from ? sql`${moment} >= ${from}` : sql`true`} and ${to ? sql`${moment} < ${to}` : sql`true`}`;
}

const labelOf = (labels: Readonly<Record<string, string>>, code: RawBuilder<unknown>) =>
  sql`coalesce(${JSON.stringify(labels)}::jsonb ->> ${code}, ${code})`;

const readableBy = {
  admin: () => sql`true`,
  artist: (userId: string) => sql`d.artist_owner_id = ${userId}::uuid`,
  promoter: (userId: string) => sql`d.buyer_artist_id is null and b.promoter_user_id = ${userId}::uuid`,
};

/** Newest transaction first. Returned amounts are negative. */
export const documentsFor = (role: keyof typeof readableBy) =>
  list<Days>({
    columns: `Number, Date, Kind, Seller, Buyer, Net, Tax, Gross, Currency, Tax label, Tax percent, Date of the transaction,
      Booking, Corrects, Event date, Seller tax ID, Buyer tax ID, Payment reference, Time zone`,
    filters: days,
    batch: (filters, batch) => sql`
      select d.id, d.occurred_at::text as position, jsonb_build_array(d.number, d.details->>'issuedOn', ${labelOf(documentNames, sql`d.kind`)},
        coalesce(nullif(d.details->'seller'->>'legalName', ''), d.details->'seller'->>'name'),
        coalesce(nullif(d.details->'buyer'->>'legalName', ''), d.details->'buyer'->>'name'),
        ${money("d.gross - d.tax")}, ${money("d.tax")}, ${money("d.gross")}, d.currency, d.tax_label, d.tax_bps / 100.0::float8,
        d.details->>'occurredOn', d.details->'booking'->>'number', d.details->'corrects'->>'number', d.details->'booking'->>'eventDate',
        d.details->'seller'->>'taxId', d.details->'buyer'->>'taxId', d.details->>'reference', d.details->>'timeZone') as cells
      from documents d join bookings b on b.id = d.booking_id
      where ${readableBy[role](batch.userId)} and ${isWithin(sql`d.occurred_at`, filters, batch)} ${nextRows(batch, "d.occurred_at", "d.id")}`,
  });

/** A payment that was not applied has no booking, or is the second one of a payment. */
const chargeOfCause = sql`coalesce(
  (select c.provider_payment from provider_charges c where c.provider_payment = split_part(g.cause_key, ':', 2)),
  (select r.provider_payment from refunds r where r.id = substring(g.cause_key from '^refund:([0-9a-f-]{36}):')::uuid))`;

export const ledger = list<Days>({
  columns:
    "Date, Posting, Account, Debit, Credit, Currency, Booking, Artist, Promoter, Payment reference, Posting id, Time zone",
  filters: days,
  ids: z.string().regex(/^\d{1,18}$/),
  batch: (filters, batch) => sql`
    select e.id::text as id, g.posted_at::text as position, jsonb_build_array(${platformTime("g.posted_at", batch)},
      ${labelOf(postingLabels, sql`g.kind`)}, ${labelOf(accountLabels, sql`split_part(e.account, ':', 1)`)},
      case when e.amount > 0 then ${money("e.amount")} end, case when e.amount < 0 then ${money("-e.amount")} end, e.currency,
      b.number, a.name, b.promoter_name, coalesce(${chargeOfCause}, p.provider_payment), g.id, ${batch.timeZone}::text) as cells
    from ledger_groups g join ledger_entries e on e.group_id = g.id left join bookings b on b.id = g.booking_id
      left join artists a on a.id = b.artist_id left join payments p on p.id = g.payment_id
    where ${isWithin(sql`g.posted_at`, filters, batch)} ${batch.after ? sql`and g.posted_at <= ${batch.after.position}::timestamptz` : sql``}
      ${nextRows(batch, "g.posted_at", "e.id", "bigint")}`,
});
