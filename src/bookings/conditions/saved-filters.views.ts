import { type RawBuilder, sql } from "kysely";
import type { ContractSide } from "#contracts/rules.ts";
import { statusesTakingEvidence } from "#disputes/rules.ts";
import { paymentFigures } from "#ledger/index.ts";
import { currencies } from "#payments/rules.ts";
import { hasDispute, hasOpenObjection } from "#payouts/index.ts";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import { type SavedFilter, savedFilters } from "../rules/list.rules.ts";
import type { ReadingTime } from "../rules/permissions.rules.ts";

type FilterReading = ReadingTime & Readonly<{ side: ContractSide | "admin" }>;

export const minCharge = sql`case b.currency ${sql.join(
  Object.entries(currencies).map(([code, { min }]) => sql`when ${sql.lit(code)} then ${sql.lit(min)}`),
  sql` `,
)} end`;

/** Returns the condition that the contract waits for this side's signature, and not for a first signer before it. */
const unsigned = (side: ContractSide) => sql`(b.status = 'contract_sent' and exists (
  select 1 from contracts c where c.booking_id = b.id and c.signed_status = 'sent' and not exists (
    select 1 from contract_signers s where s.contract_id = c.id and s.side = ${sql.lit(side)} and s.signed_at is not null)
  and (c.first_signer is null or c.first_signer = ${sql.lit(side)} or exists (
    select 1 from contract_signers s where s.contract_id = c.id and s.side = c.first_signer and s.signed_at is not null))))`;

/** The condition that the balance is charged to the saved card, so the promoter has no action. It equals the rule of balance/automatic-payment.ts. */
export const chargedAutomatically = sql<boolean>`exists (
  select 1 from balance_consents s join saved_cards k on k.booking_id = s.booking_id and k.removal_requested_at is null
  where s.booking_id = b.id and s.withdrawn_at is null and case when s.charge_id is null
    then s.amount_cents = b.balance_cents and s.currency = b.currency
      and not exists (select 1 from balance_schedules r where r.booking_id = b.id
        and (r.round > 0 or r.last_step <> 'reminder'))
      and not exists (select 1 from force_majeure_proposals f where f.booking_id = b.id and f.closed_at is null)
      and not exists (select 1 from (select b.id as booking_id) p where ${hasDispute})
    else exists (select 1 from payments c where c.id = s.charge_id and c.checkout_state = 'reserved') end)`;

/** The bookings that need a decision of an admin after their contract was sent: of a reported no-show or an objection, or evidence that was not sent or that the provider refused. */
const bookingsToDecide = sql`
  select n.booking_id from no_show_reports n where n.decided_at is null
  union all select c.booking_id from contract_objections o join contracts c on c.id = o.contract_id where o.decided_at is null
  union all select d.booking_id from disputes d left join dispute_evidence e on e.dispute_id = d.id
    where d.status in (${sql.join(statusesTakingEvidence.map((status) => sql.lit(status)))})
      and d.submissions = 0 and (e.id is null or e.status = 'failed')`;

/** Returns the bookings with an action of the viewer, by the rules of `permissionsOf` (saved-filters.test.ts compares both), for admins those that need a decision. */
function hasViewerAction({ side, now, payments }: FilterReading): RawBuilder<unknown> {
  if (side === "admin") return sql`(b.status = 'deposit_paid' or b.id = any (array(${bookingsToDecide})))`;
  const objected = sql`exists (select 1 from (select b.id as booking_id) p where ${hasOpenObjection})`;
  if (side === "artist")
    return sql`(${unsigned("artist")}
      or (b.status = 'initiated' and b.answer_due_at > ${now}::timestamptz)
      or (${payments} and b.balance_cents >= ${minCharge} and b.status = 'contract_signed' and b.balance_paid_at is null
        and b.starts_at > ${now}::timestamptz and not ${objected} and exists (
          select 1 from balance_schedules s where s.booking_id = b.id and s.last_step = 'decision')))`;
  const unconfirmed = sql`(b.status = 'initiated' and b.needs_confirmation)`;
  if (!payments) return sql`(${unsigned("promoter")} or ${unconfirmed})`;
  return sql`(${unsigned("promoter")} or ${unconfirmed}
    or (b.status = 'initiated' and b.deposit_cents >= ${minCharge} and b.starts_at > ${now}::timestamptz and a.is_active)
    or (b.status = 'contract_signed' and b.balance_cents >= ${minCharge} and b.balance_paid_at is null
      and not ${objected} and not ${chargedAutomatically}))`;
}

const isBalanceUnpaid = sql`(b.status in ('deposit_paid', 'contract_sent', 'contract_signed')
  and b.balance_cents > 0 and b.balance_paid_at is null)`;

/** Returns the condition of a saved filter. A show is upcoming until it has ended or is canceled. */
export function savedFilter(name: SavedFilter, reading: FilterReading): RawBuilder<boolean> {
  const ahead = sql`(b.ends_at > ${reading.now}::timestamptz and b.status <> 'canceled')`;
  const conditions: Record<SavedFilter, RawBuilder<unknown>> = {
    upcoming: ahead,
    past: sql`(not ${ahead})`,
    needs_you: hasViewerAction(reading),
    unpaid: sql`((b.status = 'initiated' and b.deposit_cents > 0) or ${isBalanceUnpaid})`,
  };
  return sql<boolean>`${conditions[name]}`;
}

type Row = Record<SavedFilter | "all" | "bookings" | "canceled" | "fee_cents" | "paid_cents", number> & {
  currency: string;
};

/** Returns the contracts to sign and the unpaid balances of an artist, per currency. Their bookings are in the lists `needs_you` and `unpaid`. */
export const openItemsOfArtist = (reader: Reader, artistId: string) =>
  rowsOf<{ currency: string; to_sign: number; balances: number; unpaid_cents: number }>(reader)`
    select b.currency, count(*) filter (where ${unsigned("artist")})::int as to_sign,
      count(*) filter (where ${isBalanceUnpaid})::int as balances,
      coalesce(sum(b.balance_cents) filter (where ${isBalanceUnpaid}), 0)::bigint as unpaid_cents
    from bookings b where b.artist_id = ${artistId}::uuid group by b.currency order by b.currency`;

/** The paid amount of a booking `b` less refunds, also those on their way, and lost disputes. */
export const paidCents = sql`
  select coalesce(sum(${paymentFigures.kept}), 0) as cents
  from payments p join payment_figures f on f.payment_id = p.id where p.booking_id = b.id`;

/** Counts the saved filters and sums the chosen one in one statement. Canceled bookings add no fee. */
export async function summarize(
  reader: Reader,
  within: RawBuilder<boolean>,
  shown: SavedFilter | undefined,
  reading: FilterReading,
) {
  const counts = savedFilters.map(
    (name) => sql`count(*) filter (where ${savedFilter(name, reading)})::int as ${sql.ref(name)}`,
  );
  const inList = shown ? savedFilter(shown, reading) : sql`true`;
  const rows = await rowsOf<Row>(reader)`
    select b.currency, count(*)::int as "all", ${sql.join(counts)}, count(*) filter (where ${inList})::int as bookings,
      count(*) filter (where ${inList} and b.status = 'canceled')::int as canceled,
      coalesce(sum(b.fee_cents) filter (where ${inList} and b.status <> 'canceled'), 0)::bigint as fee_cents,
      coalesce(sum(paid.cents) filter (where ${inList}), 0)::bigint as paid_cents
    from bookings b join artists a on a.id = b.artist_id
      cross join lateral (${paidCents}) paid
    where ${within}
    group by b.currency order by count(*) desc, b.currency`;
  const total = (name: SavedFilter | "all") => rows.reduce((sum, row) => sum + row[name], 0);
  return {
    counts: {
      all: total("all"),
      upcoming: total("upcoming"),
      needs_you: total("needs_you"),
      unpaid: total("unpaid"),
      past: total("past"),
    },
    sums: rows.filter((row) => row.bookings > 0),
  };
}
