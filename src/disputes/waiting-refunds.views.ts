import { sql } from "kysely";
import { isDisputed } from "#payouts/index.ts";
import { takeFromLast } from "#platform/money.rules.ts";
import type { Reader } from "#platform/db/index.ts";

/** Returns the unsent refunds of a booking that wait until a dispute of their payment has ended, in minor units. */
export async function waitingRefundOf(reader: Reader, bookingId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(r.amount), 0)::int as cents from refunds r join payments p on p.id = r.payment_id
    where p.booking_id = ${bookingId} and r.status = 'requested' and r.requested_at is null and ${isDisputed("r.provider_payment")}`.execute(
    reader,
  );
  return rows[0]?.cents ?? 0;
}

/** Returns the part of a new refund (minor units) of a booking's payments that would wait, by the division of `divideHeld`. */
export async function waitingShareOf(reader: Reader, bookingId: string, refund: number): Promise<number> {
  const { rows } = await sql<{ left: number; disputed: boolean }>`
    select (x.amount
      - (select coalesce(sum(r.amount), 0) from refunds r where r.provider_payment = x.provider_payment)
      - (select coalesce(sum(d.from_held + d.from_artist + d.from_platform - d.returned_artist - d.returned_platform), 0)
         from disputes d where d.provider_payment = x.provider_payment and d.settled_at is not null))::int as left,
      ${isDisputed("x.provider_payment")} as disputed
    from payments x where x.booking_id = ${bookingId} and x.provider_payment is not null
    order by x.created_at, x.id`.execute(reader);
  if (!rows.some(({ disputed }) => disputed)) return 0;
  const left = rows.map((row) => row.left);
  const most = left.reduce((sum, cents) => sum + cents, 0);
  const shares = takeFromLast(Math.min(refund, most), left);
  return shares.reduce((sum, cents, at) => sum + (rows[at]?.disputed ? cents : 0), 0);
}
