import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import { completed } from "#settings/rules.ts";
import type { DuePosting, Original } from "./draft.ts";
import type { DocumentDetails, DocumentKind } from "./rules.ts";

const uuids = (ids: readonly string[]) => sql.join(ids.map((id) => sql`${id}::uuid`));

type PostingRow = {
  group_id: string;
  kind: DuePosting["kind"];
  cause_key: string;
  posted_at: Date;
  currency: string;
  clearing: string;
  refunded: string;
  commission: string;
  artist_share: string;
  booking: Omit<DuePosting["booking"], "organization"> & { organization: string | null };
  payment:
    | (Omit<NonNullable<DuePosting["payment"]>, "reference" | "chargeCause"> & {
        reference: string | null;
        chargeCause: string | null;
      })
    | null;
  refund_reason: string | null;
  payout_id: string | null;
  payout_amount: string | null;
  paid_at: Date | null;
  sent: string | null;
  sent_currency: string | null;
  returned_dispute_id: string | null;
  refunded_before: string | null;
  released_commission: string | null;
  released_artist: string | null;
};

export async function postingsOf(reader: Reader, groupIds: readonly string[]): Promise<DuePosting[]> {
  if (groupIds.length === 0) return [];
  const { rows } = await sql<PostingRow>`
    select g.id as group_id, g.kind, g.cause_key, g.posted_at, b.currency,
      coalesce(sums.clearing, 0) as clearing, coalesce(sums.refunded, 0) as refunded,
      coalesce(sums.commission, 0) as commission, coalesce(sums.artist_share, 0) as artist_share,
      jsonb_build_object('id', b.id, 'number', b.number, 'artistId', b.artist_id, 'artistName', a.name, 'promoterName', b.promoter_name,
        'promoterEmail', b.promoter_email, 'eventDate', b.event_date, 'venue', b.venue_name, 'organization', s.value->>'organizationName') as booking,
      case when p.id is not null then jsonb_build_object('id', p.id, 'kind', p.kind, 'reference', p.provider_payment,
        'payer', (select jsonb_build_object('name', y.name, 'email', y.email, 'company', y.company, 'taxId', y.tax_id) from payment_payers y where y.payment_id = p.id),
        'chargeCause', (select c.cause_key from ledger_groups c where c.payment_id = p.id and c.kind = 'charge' limit 1)) end as payment,
      r.reason as refund_reason, o.id as payout_id, parts.amount as payout_amount, parts.paid_at, parts.sent, parts.sent_currency, t.returned_dispute_id,
      released.refunded as refunded_before,
      released.commission as released_commission, released.artist as released_artist
    from ledger_groups g
    join bookings b on b.id = g.booking_id
    join artists a on a.id = b.artist_id
    left join settings s on s.scope = 'promoter' and s.owner_id = b.promoter_user_id
    left join payments p on p.id = g.payment_id
    left join refunds r on g.kind like 'refund_%' and r.id::text = split_part(g.cause_key, ':', 2)
    left join transfers t on g.kind = 'payout' and t.id::text = split_part(g.cause_key, ':', 2)
    left join payouts o on o.id = t.payout_id
    left join lateral (
      select sum(e.amount) filter (where e.account = 'psp_clearing') as clearing,
        sum(e.amount) filter (where e.account = 'refund_in_flight') as refunded,
        -sum(e.amount) filter (where e.account = 'platform_revenue') as commission,
        -sum(e.amount) filter (where e.account like 'artist_payable:%' or e.account like 'artist_receivable:%') as artist_share
      from ledger_entries e where e.group_id = g.id and e.currency = b.currency) sums on true
    left join lateral (
      select sum(x.amount) as amount, sum(x.settled_amount) filter (where x.settled_currency <> x.currency) as sent,
        min(x.settled_currency) filter (where x.settled_currency <> x.currency) as sent_currency, case when bool_and(x.status = 'succeeded') then max(x.sent_at) end as paid_at
      from transfers x where x.payout_id = o.id and x.returned_dispute_id is not distinct from t.returned_dispute_id) parts on true
    left join lateral (
      select coalesce(-sum(e.amount) filter (where x.kind = 'release' and e.account = 'platform_revenue'), 0) as commission,
        coalesce(-sum(e.amount) filter (where x.kind = 'release' and e.account like 'artist_payable:%'), 0) as artist,
        coalesce(sum(e.amount) filter (where x.kind = 'refund_planned' and e.account like 'artist_payable:%'), 0) as refunded
      from ledger_groups x join ledger_entries e on e.group_id = x.id
      where o.id is not null and x.booking_id = o.booking_id and x.kind in ('release', 'refund_planned')) released on true
    where g.id in (${uuids(groupIds)})
    order by g.posted_at, case g.kind when 'charge' then 0 when 'release' then 1 else 2 end, g.id`.execute(reader);
  return rows.map(postingOf);
}

const postingOf = (row: PostingRow): DuePosting => ({
  groupId: row.group_id,
  kind: row.kind,
  cause: row.cause_key,
  postedAt: row.posted_at,
  currency: row.currency,
  clearing: Number(row.clearing),
  refunded: Number(row.refunded),
  commission: Number(row.commission),
  artistShare: Number(row.artist_share),
  booking: { ...row.booking, organization: row.booking.organization ?? "" },
  payment: row.payment && {
    ...row.payment,
    reference: row.payment.reference ?? "",
    chargeCause: row.payment.chargeCause ?? "",
  },
  refundReason: row.refund_reason,
  payout:
    row.payout_id === null
      ? null
      : {
          id: row.payout_id,
          amount: Number(row.payout_amount ?? 0),
          paidAt: row.paid_at,
          disputeId: row.returned_dispute_id,
          refundedBefore: Number(row.refunded_before ?? 0),
          sent: row.sent_currency === null ? null : { amount: Number(row.sent), currency: row.sent_currency },
          released: { commission: Number(row.released_commission), artist: Number(row.released_artist) },
        },
});

type OriginalRow = Omit<Original, "kind" | "taxLabel" | "taxBps" | "issuedOn" | "credited" | "creditedTax"> & {
  kind: DocumentKind;
  cause_key: string;
  tax_label: string;
  tax_bps: number;
  issued_on: string;
  credited: string;
  credited_tax: string;
};

export async function originalsOf(reader: Reader, causes: readonly string[]): Promise<Map<string, Original>> {
  if (causes.length === 0) return new Map();
  const { rows } = await sql<OriginalRow>`
    select d.id, d.number, d.kind, d.cause_key, d.gross, d.tax, d.tax_label, d.tax_bps, d.details->>'issuedOn' as issued_on,
      coalesce(-notes.gross, 0) as credited, coalesce(-notes.tax, 0) as credited_tax
    from documents d left join lateral (
      select sum(n.gross + coalesce(c.gross, 0)) as gross, sum(n.tax + coalesce(c.tax, 0)) as tax
      from documents n left join documents c on c.corrects_id = n.id where n.corrects_id = d.id) notes on true
    where d.cause_key in (${sql.join(causes.map((cause) => sql`${cause}`))})`.execute(reader);
  return new Map(
    rows.map(({ cause_key, tax_label, tax_bps, issued_on, credited, credited_tax, ...row }) => [
      cause_key,
      {
        ...row,
        taxLabel: tax_label,
        taxBps: tax_bps,
        issuedOn: issued_on,
        credited: Number(credited),
        creditedTax: Number(credited_tax),
      },
    ]),
  );
}

/** Returns the settings of several artists by id, in one query. Artists without any have the defaults. */
export async function settingsOfArtists(reader: Reader, artistIds: readonly string[]) {
  const rows =
    artistIds.length === 0
      ? []
      : await reader
          .selectFrom("settings")
          .select(["owner_id", "value"])
          .where("scope", "=", "artist")
          .where("owner_id", "in", [...artistIds])
          .execute();
  const stored = new Map(rows.map((row) => [row.owner_id, row.value]));
  return new Map(artistIds.map((id) => [id, completed("artist", stored.get(id))]));
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
  "id",
  "number",
  "kind",
  "booking_id",
  "payment_id",
  "seller_artist_id",
  "buyer_artist_id",
  "currency",
  "gross",
  "tax",
  "tax_label",
  "occurred_at",
] as const;

export type ListedDocument = {
  id: string;
  number: string;
  kind: DocumentKind;
  booking_id: string;
  payment_id: string | null;
  seller_artist_id: string | null;
  buyer_artist_id: string | null;
  currency: string;
  gross: number;
  tax: number;
  tax_label: string;
  occurred_at: Date;
};

/** The access to documents. `all`: an admin. `promoter`: documents with the promoter as buyer. `ownerId`: issued while this user owned the artist. */
export type DocumentViewer = Readonly<{ all?: boolean; promoter?: boolean; ownerId?: string | null }>;

export async function documentsOf(
  reader: Reader,
  bookingIds: readonly string[],
  { all = false, promoter = false, ownerId = null }: DocumentViewer,
): Promise<ListedDocument[]> {
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
    .execute()) as ListedDocument[];
}

export type StoredDocument = ListedDocument & {
  artist_owner_id: string | null;
  tax_bps: number;
  details: DocumentDetails;
};

export const findDocument = async (reader: Reader, id: string): Promise<StoredDocument | undefined> =>
  (await reader
    .selectFrom("documents")
    .select([...listed, "artist_owner_id", "tax_bps", "details"])
    .where("id", "=", id)
    .executeTakeFirst()) as StoredDocument | undefined;

export const findFile = (reader: Reader, documentId: string) =>
  reader
    .selectFrom("document_files")
    .select(["bytes", "sha256"])
    .where("document_id", "=", documentId)
    .executeTakeFirst();
