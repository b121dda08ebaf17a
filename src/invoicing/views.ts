import { sql } from "kysely";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import type { ListedDocument } from "./api.ts";
import type { DuePosting, Original } from "./draft.ts";
import type { DocumentDetails } from "./rules.ts";

const uuids = (ids: readonly string[]) => sql.join(ids.map((id) => sql`${id}::uuid`));

type PostingRow = Omit<DuePosting, "payout"> & {
  payout: Omit<NonNullable<DuePosting["payout"]>, "paidAt"> | null;
  paidAt: Date | null;
};

export async function postingsOf(reader: Reader, groupIds: readonly string[]): Promise<DuePosting[]> {
  if (groupIds.length === 0) return [];
  const rows = await rowsOf<PostingRow>(reader)`
    select g.id as "groupId", g.kind, g.cause_key as cause, g.posted_at as "postedAt", b.currency,
      coalesce(sums.clearing, 0)::bigint as clearing, coalesce(sums.refunded, 0)::bigint as refunded,
      coalesce(sums.commission, 0)::bigint as commission, coalesce(sums.artist_share, 0)::bigint as "artistShare",
      g.kind = 'dispute_share_returned' and not exists (
        select 1 from ledger_groups l join ledger_entries e on e.group_id = l.id
        where l.cause_key = regexp_replace(g.cause_key, ':returned$', ':lost') and e.account = 'platform_revenue') as "isNewCommission",
      array(select x.cause_key from ledger_groups x join ledger_entries e on e.group_id = x.id
        where x.booking_id = b.id and x.kind = 'dispute_share_returned' and x.posted_at <= g.posted_at and e.account = 'platform_revenue' and e.amount < 0
          and not exists (select 1 from ledger_groups l join ledger_entries c on c.group_id = l.id
            where l.cause_key = regexp_replace(x.cause_key, ':returned.*$', ':lost') and c.account = 'platform_revenue')
        order by x.posted_at, x.cause_key) as "laterInvoices",
      jsonb_build_object('id', b.id, 'number', b.number, 'artistId', b.artist_id, 'artistName', a.name, 'promoterName', b.promoter_name,
        'promoterEmail', b.promoter_email, 'eventDate', b.event_date, 'venue', b.venue_name,
        'organization', coalesce(s.value->>'organizationName', ''), 'address', coalesce(s.value->>'legalAddress', ''),
        'taxId', coalesce(s.value->>'taxId', '')) as booking,
      case when p.id is not null then jsonb_build_object('id', p.id, 'kind', p.kind, 'reference', coalesce(p.provider_payment, ''),
        'payer', (select jsonb_build_object('name', y.name, 'email', y.email, 'company', y.company, 'taxId', y.tax_id) from payment_payers y where y.payment_id = p.id),
        'chargeCause', coalesce((select c.cause_key from ledger_groups c where c.payment_id = p.id and c.kind = 'charge' limit 1), '')) end as payment,
      coalesce(r.reason, case when g.kind = 'reversal' then v.reason end) as "refundReason", parts.paid_at as "paidAt",
      case when o.id is not null then jsonb_build_object('id', o.id, 'amount', parts.amount, 'disputeId', t.returned_dispute_id, 'reversalId', t.replaced_reversal_id,
        'outside', case when v.id is null then coalesce(parts.outside, 0) when v.paid_outside_at is null then 0 else v.amount end,
        'owedAgain', (select coalesce(sum(x.amount), 0) from transfers x where x.replaced_reversal_id = v.id),
        'sent', case when v.id is not null then case when v.settled_currency <> v.currency
          then jsonb_build_object('amount', v.settled_amount, 'currency', v.settled_currency) end when parts.sent_currency is not null then jsonb_build_object('amount', parts.sent, 'currency', parts.sent_currency) end,
        'lostInDisputes', (select coalesce(sum(e.amount), 0) from ledger_groups x join ledger_entries e on e.group_id = x.id
          where x.booking_id = o.booking_id and x.kind = 'dispute_lost' and e.account like 'artist_%'),
        'refundedBefore', released.refunded, 'released', jsonb_build_object('commission', released.commission, 'artist', released.artist)) end as payout
    from ledger_groups g
    join bookings b on b.id = g.booking_id
    join artists a on a.id = b.artist_id
    left join settings s on s.scope = 'promoter' and s.owner_id = b.promoter_user_id and not b.needs_confirmation
    left join payments p on p.id = g.payment_id
    left join refunds r on g.kind like 'refund_%' and r.id::text = split_part(g.cause_key, ':', 2)
    left join transfer_reversals v on g.kind in ('reversal', 'payout_returned') and v.id::text = split_part(g.cause_key, ':', 2)
    left join transfers t on t.id::text = case when g.kind = 'payout' then split_part(g.cause_key, ':', 2) else v.transfer_id::text end
    left join payouts o on o.id = t.payout_id
    left join documents_due due on due.group_id = g.id
    left join lateral (
      select sum(e.amount) filter (where e.account = 'psp_clearing') as clearing,
        sum(e.amount) filter (where e.account = 'refund_in_flight') as refunded,
        -sum(e.amount) filter (where e.account = 'platform_revenue') as commission,
        -sum(e.amount) filter (where e.account like 'artist_payable:%' or e.account like 'artist_receivable:%') as artist_share
      from ledger_entries e where e.group_id = g.id and e.currency = b.currency) sums on true
    left join lateral (
      select sum(x.amount) as amount, sum(x.amount) filter (where x.paid_outside_at is not null) as outside, sum(x.settled_amount) filter (where x.settled_currency <> x.currency) as sent,
        min(x.settled_currency) filter (where x.settled_currency <> x.currency) as sent_currency, case when bool_and(x.status = 'succeeded') then max(x.sent_at) end as paid_at
      from transfers x where x.payout_id = o.id and x.returned_dispute_id is not distinct from t.returned_dispute_id
        and x.replaced_reversal_id is not distinct from t.replaced_reversal_id) parts on true
    left join lateral (
      select coalesce(-sum(e.amount) filter (where x.kind = 'release' and e.account = 'platform_revenue'), 0) as commission,
        coalesce(-sum(e.amount) filter (where x.kind = 'release' and e.account like 'artist_payable:%'), 0) as artist,
        coalesce(sum(e.amount) filter (where x.kind = 'refund_planned' and e.account like 'artist_payable:%'), 0) as refunded
      from ledger_groups x join ledger_entries e on e.group_id = x.id
      where o.id is not null and x.booking_id = o.booking_id and x.kind in ('release', 'refund_planned') and x.posted_at <= greatest(g.posted_at, due.posted_at)) released on true
    where g.id in (${uuids(groupIds)})
    order by g.posted_at, case g.kind when 'charge' then 0 when 'release' then 1 else 2 end, g.id`;
  return rows.map(({ payout, paidAt, ...posting }) => ({ ...posting, payout: payout && { ...payout, paidAt } }));
}

export async function originalsOf(reader: Reader, causes: readonly string[]): Promise<Map<string, Original>> {
  if (causes.length === 0) return new Map();
  const rows = await rowsOf<Original & { cause: string }>(reader)`
    select d.cause_key as cause, d.id, d.number, d.kind, d.gross, d.tax, d.tax_label as "taxLabel", d.tax_bps as "taxBps",
      d.details->>'issuedOn' as "issuedOn",
      jsonb_build_object('seller', d.details->'seller', 'buyer', d.details->'buyer', 'collectedBy', d.details->'collectedBy') as parties,
      jsonb_build_object('sellerArtistId', d.seller_artist_id, 'buyerArtistId', d.buyer_artist_id, 'buyerEmail', d.buyer_email) as sides,
      coalesce(-notes.gross, 0)::bigint as credited, coalesce(-notes.tax, 0)::bigint as "creditedTax"
    from documents d left join lateral (
      select sum(n.gross) as gross, sum(n.tax) as tax
      from (select gross, tax from documents where corrects_id = d.id
            union all select c.gross, c.tax from documents o join documents c on c.corrects_id = o.id where o.corrects_id = d.id) n) notes on true
    where d.cause_key in (${sql.join(causes)})`;
  return new Map(rows.map(({ cause, ...original }) => [cause, original]));
}

export async function storedSettingsOf(reader: Reader, ownerIds: readonly string[]): Promise<Map<string, unknown>> {
  const rows = await reader
    .selectFrom("settings")
    .select(["owner_id", "value"])
    .where("scope", "in", ["platform", "artist"])
    .where("owner_id", "in", [...ownerIds])
    .execute();
  return new Map(rows.map((row) => [row.owner_id, row.value]));
}

export async function accountsOf(reader: Reader, bookingIds: readonly string[]): Promise<string[]> {
  if (bookingIds.length === 0) return [];
  const rows = await reader
    .selectFrom("bookings as b")
    .innerJoin("artists as a", "a.id", "b.artist_id")
    .select(["b.promoter_user_id", "a.user_id"])
    .where("b.id", "in", [...bookingIds])
    .execute();
  return [...new Set(rows.flatMap((row) => [row.promoter_user_id, row.user_id]).filter((id) => id !== null))];
}

const listed = [
  sql<string>`details->>'issuedOn'`.as("issued_on"),
  "id",
  "number",
  "kind",
  "booking_id",
  "payment_id",
  sql<string | null>`(select p.kind from payments p where p.id = documents.payment_id)`.as("payment_kind"),
  "buyer_artist_id",
  "currency",
  "gross",
  "tax",
  "tax_label",
  "occurred_at",
] as const;

type DocumentRow = ListedDocument & { booking_id: string; buyer_artist_id: string | null };

/** The access to documents. `all`: an admin. `promoter`: documents with the promoter as buyer. `ownerId`: issued while this user owned the artist. */
export type DocumentViewer = Readonly<{ all?: boolean; promoter?: boolean; ownerId?: string | null }>;

export async function documentsOf(
  reader: Reader,
  bookingIds: readonly string[],
  { all = false, promoter = false, ownerId = null }: DocumentViewer,
): Promise<DocumentRow[]> {
  if (bookingIds.length === 0) return [];
  return (await reader
    .selectFrom("documents")
    .select(listed)
    .where("booking_id", "in", [...bookingIds])
    .$if(!all, (query) =>
      query.where((eb) =>
        eb.or([
          ...(promoter ? [eb("buyer_artist_id", "is", null)] : []),
          ...(ownerId === null ? [] : [eb("artist_owner_id", "=", ownerId)]),
        ]),
      ),
    )
    .orderBy("occurred_at")
    .orderBy("issued_at")
    .orderBy("number")
    .execute()) as DocumentRow[];
}

export type StoredDocument = DocumentRow & {
  artist_owner_id: string | null;
  tax_bps: number;
  details: DocumentDetails;
};

export const findDocument = (reader: Reader, id: string): Promise<StoredDocument | undefined> =>
  reader
    .selectFrom("documents")
    .select([...listed, "artist_owner_id", "tax_bps", "details"])
    .$castTo<StoredDocument>()
    .where("id", "=", id)
    .executeTakeFirst();

export const findFile = (reader: Reader, documentId: string) =>
  reader.selectFrom("document_files").select("bytes").where("document_id", "=", documentId).executeTakeFirst();
