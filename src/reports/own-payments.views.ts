import { type RawBuilder, sql } from "kysely";
import { bookingMatches } from "#bookings/index.ts";
import { documentsOf } from "#invoicing/index.ts";
import { paymentFigures } from "#ledger/index.ts";
import { type Reader, countRows, onPage, orderOf } from "#platform/db/index.ts";
import { artistColumn, paymentTables } from "./lists/columns.ts";
import type { OwnPaymentSort, PromoterPayment } from "./own-payments.api.ts";

type Filters = Readonly<{ search?: string | undefined; status?: string | undefined }>;

const paidOn = sql`coalesce(p.payment_date, p.created_at)`;
const columns = {
  artist: sql`lower(a.name)`,
  event: sql`b.event_date`,
  venue: sql`lower(b.venue_name)`,
  paid: paidOn,
  status: sql`p.status`,
  amount: sql`f.amount`,
};

export const ownPaymentsWhere = (userId: string, { search, status }: Filters): RawBuilder<boolean> => sql<boolean>`
  b.promoter_user_id = ${userId}::uuid ${search ? sql`and ${bookingMatches(search, "promoter")}` : sql``}
  ${status ? sql`and p.status = ${status}` : sql``}`;

/** Returns one page of a promoter's payments. All of them are selected first, because in the order of an index most would be of others. */
export async function listPromoterPayments(
  reader: Reader,
  userId: string,
  query: Filters & Readonly<{ sort?: OwnPaymentSort | undefined; page: number }>,
) {
  const found = sql`from ${paymentTables} where ${ownPaymentsWhere(userId, query)}`;
  const order = orderOf(query.sort, columns, sql`p.id`, sql`${paidOn} desc, p.id desc`);
  const [{ rows }, { rows: sums }, counted] = await Promise.all([
    sql<Omit<PromoterPayment, "documents">>`
      with own as materialized (select p.id, row_number() over (order by ${order}) as place ${found})
      select p.id, p.kind, f.amount, p.currency, p.status, ${paymentFigures.declined} as declined, p.payment_date, p.created_at, f.refunded_cents, ${paymentFigures.refunding} as refunding_cents, f.disputed_cents,
        jsonb_build_object('id', b.id, 'number', b.number, 'event_date', b.event_date, 'venue_name', b.venue_name) as booking,
        ${artistColumn}
      from ${paymentTables} where p.id in (select id from own order by place ${onPage(query.page)}) order by ${order}`.execute(
      reader,
    ),
    sql<{ currency: string; amount: number }>`
      select p.currency, sum(${paymentFigures.kept})::bigint as amount ${found} and p.status = 'succeeded'
      group by p.currency order by p.currency`.execute(reader),
    countRows(reader, sql`select 1 ${found}`),
  ]);
  const bookingIds = [...new Set(rows.map((row) => row.booking.id))];
  const documents = await documentsOf(reader, bookingIds, { promoter: true });
  return {
    items: rows.map((row) => ({ ...row, documents: documents.filter((one) => one.payment_id === row.id) })),
    sums,
    ...counted,
  };
}
