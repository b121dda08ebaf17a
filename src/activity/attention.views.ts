/** Counts cases for manual review: failed work, and dates that are sold but not reserved. Empty in a healthy installation. */

import { sql } from "kysely";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import type { Attention, MoneyCase } from "./api.ts";
import { moneyCaseKinds } from "./rules.ts";

/** Each kind with its message for the operator and the query of its cases: an id, since when, and the deadline (`due`) if there is one. Those of `moneyCaseKinds`, which the payments page lists, also have an amount and what it is. */
const kinds = {
  event: {
    message: "internal events that could not be handled",
    cases: "select id::text || ' ' || topic as ref, dead_at as since from event_outbox where dead_at is not null",
  },
  provider_event: {
    message: "events of the payment provider that could not be handled",
    cases:
      "select id || ' ' || type as ref, dead_at as since from provider_events where source = 'payments' and dead_at is not null",
  },
  esign_event: {
    message: "events of the signing service that could not be handled",
    cases:
      "select id || ' ' || type as ref, dead_at as since from provider_events where source = 'signing' and dead_at is not null",
  },
  contract: {
    message: "contracts that do not match the signing service",
    cases: `
      select c.id::text as ref, c.sent_at as since from contracts c
      join bookings b on b.id = c.booking_id and b.status = 'contract_sent'
      where c.provider_alarm is not null and c.signed_status = 'sent'`,
  },
  refund: {
    message: "refunds that failed and are still owed",
    // While a dispute is open, its decision resolves the refund.
    cases: `
      select id::text as ref, updated_at as since from refunds r where status = 'failed' and not exists (
        select 1 from disputed_charges d where d.provider_payment = r.provider_payment)`,
  },
  payout: {
    message: "payouts that were refused, reversed in the provider's dashboard or cannot be made",
    cases: `
      select p.booking_id::text as ref, t.updated_at as since, t.id, 'payout that failed' as what, t.currency,
        t.amount - coalesce((select sum(r.amount) from transfer_reversals r where r.transfer_id = t.id), 0)::int as amount
        from transfers t join payouts p on p.id = t.payout_id where t.status = 'failed'
      union all select p.booking_id::text, r.updated_at, r.id, 'deduction from the artist that failed', r.currency, r.amount
        from transfer_reversals r join transfers t on t.id = r.transfer_id join payouts p on p.id = t.payout_id where r.status = 'failed'
      union all select booking_id::text, stuck_at, id, 'payout that cannot be made', currency, amount from payouts where stuck_at is not null`,
  },
  unreconciled: {
    message: "differences between the payment provider and the ledger",
    cases: "select ref, first_seen_at as since from unreconciled_items where resolved_at is null",
  },
  document: {
    message: "receipts and invoices that could not be issued",
    cases:
      "select group_id::text || ' ' || failed_reason as ref, failed_at as since from documents_due where failed_at is not null",
  },
  no_show: {
    message: "reported no-shows to decide",
    cases: "select booking_id::text as ref, reported_at as since from no_show_reports where decided_at is null",
  },
  objection: {
    message: "objections to attested signatures to decide",
    cases: `select c.booking_id::text as ref, o.made_at as since from contract_objections o
      join contracts c on c.id = o.contract_id where o.decided_at is null`,
  },
  dispute: {
    message: "disputed payments that need evidence",
    cases: `
      select coalesce(d.booking_id::text, d.provider_ref) as ref, d.opened_at as since, d.evidence_due_at as due, d.id,
        'disputed payment that needs evidence' as what, d.amount, d.currency from disputes d
      where d.closed_at is null and d.status in ('needs_response', 'warning_needs_response') and not exists (
        select 1 from dispute_evidence v where v.dispute_id = d.id and v.status <> 'failed')`,
  },
  lost_dispute: {
    message: "lost disputes of bookings that are still open",
    cases: `
      select b.id::text as ref, d.closed_at as since, d.id, 'lost dispute of an open booking' as what, d.amount, d.currency
      from disputes d join bookings b on b.id = d.booking_id
      where d.status = 'lost' and b.status not in ('completed', 'canceled')`,
  },
  regained_dispute: {
    // A share is returned once on the booking's page. The rest of a partial return requires manual review.
    message:
      "disputes won on appeal, with money that neither the artist nor the payer has (a share is returned once: what comes later can only be refunded)",
    cases: `
      select coalesce(booking_id::text, provider_ref) as ref, closed_at as since, id, 'money won back on appeal' as what, rest::int as amount, currency
      from (select d.*, least(regained, withdrawn - from_refunds)::bigint * (from_held + from_artist + from_platform) / nullif(withdrawn - from_refunds, 0)
          - returned_held - returned_artist - returned_platform
          - (select coalesce(sum(r.from_regained), 0) from refunds r where r.provider_payment = d.provider_payment) as rest from disputes d) d
      where status = 'won' and settled_at is not null and from_held + from_artist > 0 and regained > 0 and rest > 0`,
  },
  unpayable_balance: {
    message: "open bookings of past shows whose balance could not be paid here",
    cases: `
      select id::text as ref, balance_unpayable_at as since, id, 'balance that could not be paid here' as what, balance_cents as amount, currency
      from bookings
      where balance_unpayable_at is not null and status = 'contract_signed' and balance_paid_at is null`,
  },
  same_name: {
    message: "names that two or more published acts have",
    cases: `
      select min(name) as ref, max(created_at) as since from artists where is_active and is_public
      group by name_text having count(*) > 1 and bool_or(allowed_name is distinct from name_text)`,
  },
  email: {
    message: "emails or SMS that could not be delivered",
    // Any visitor can enter a wrong address to sign up, to sign in or to write to us.
    cases: `
      select id::text || ' ' || template as ref, created_at as since from messages
      where status = 'failed' and created_at > now() - interval '30 days' and template not in ('confirm_sign_up',
        'sign_up_known', 'recovery', 'magic_link', 'one_time_code', 'email_change_new', 'contact_acknowledgement')`,
  },
  sender: {
    message: "email addresses of this site that end in stagedoor.example, which mail servers refuse",
    cases: `
      select address as ref, updated_at as since from settings, lateral (values
        (value->'senderDefaults' || value)) stored(addresses), lateral (values
        (addresses->>'fromEmail'), (addresses->>'replyToEmail'), (addresses->>'supportEmail')) of_site(address)
      where scope = 'platform' and value->'senderDefaults' is not null and address like '%@stagedoor.example'`,
  },
  date: {
    message: "paid bookings whose date is not reserved",
    cases: `
      select b.id::text as ref, b.updated_at as since from bookings b
      where b.status in ('deposit_paid', 'contract_sent', 'contract_signed')
        and not exists (select 1 from date_reservations c where c.booking_id = b.id and c.kind = 'booked')`,
  },
  proxy: {
    message: "proxies that TRUSTED_PROXIES does not name, so limits treat all visitors as one",
    cases:
      "select kind as ref, first_at as since from operator_notices where kind = 'unnamed_proxy' and last_at > now() - interval '1 day'",
  },
  sms: {
    message: "limits of SMS (SMS_CODES_PER_DAY) that were reached, so users got no codes",
    cases:
      "select kind as ref, last_at as since from operator_notices where kind = 'sms_codes' and last_at > now() - interval '1 day'",
  },
  backup: {
    // Without BACKUP_DIR there are no daily backups and the table is empty.
    message: "days without a backup that could be restored",
    cases: `
      select (select file || coalesce(' (' || failure || ')', '') from backups order by made_at desc limit 1) as ref,
             max(verified_at) as since
        from backups having max(coalesce(verified_at, '-infinity')) < now() - interval '8 days'
         and min(made_at) < now() - interval '1 day'`,
  },
  file: {
    message:
      "uploaded files that the store lacks (put them back, or replace them; to accept the loss: npm run admin -- missing-files accept)",
    // As the last backup or command found them, without those that are no longer needed.
    cases: `
      select name as ref, found_at as since from missing_files where accepted_at is null and (
        name not like 'artist-media/%' or split_part(name, 'artist-media/', 2) in (select name from artist_files union all select name from artist_samples))`,
  },
  contract_copy: {
    message: "signed contracts without a sealed copy",
    cases: `
      select c.id::text as ref, c.signed_at as since from contracts c
      where c.signed_status = 'signed' and c.signed_at < now() - interval '10 minutes' and c.document_hash is not null
        and c.sealed_at is null`,
  },
} as const;

export type AttentionKind = keyof typeof kinds;
export const attentionKinds = Object.keys(kinds) as AttentionKind[];

type Waiting = Attention & { kind: AttentionKind };

const question = sql.raw(
  attentionKinds
    .map(
      (kind) => `
      select '${kind}' as kind, count(*)::int as count, min(since) as since,
        min((to_jsonb(cases)->>'due')::timestamptz) as due, (array_agg(ref order by since))[1] as example
      from (${kinds[kind].cases}) cases`,
    )
    .join(" union all "),
);

export async function findWaiting(reader: Reader): Promise<Waiting[]> {
  const rows = await rowsOf<Omit<Waiting, "message">>(reader)`${question}`;
  return rows.map((row) => ({ ...row, message: kinds[row.kind].message }));
}

const moneyCases = sql.raw(
  moneyCaseKinds
    .map(
      (kind) => `
      select '${kind}' as kind, id, ref, what, amount, currency, since, (to_jsonb(cases)->>'due')::timestamptz as due
      from (${kinds[kind].cases}) cases`,
    )
    .join(" union all "),
);

export const findMoneyCases = (reader: Reader): Promise<MoneyCase[]> =>
  rowsOf<MoneyCase>(reader)`
    select c.*, b.id as booking_id, b.number as booking_number, a.name as artist_name from (${moneyCases}) c
    left join bookings b on b.id = case when c.ref ~ '^[0-9a-f]{8}-' then c.ref::uuid end left join artists a on a.id = b.artist_id
    order by c.due, c.since, c.id`;
