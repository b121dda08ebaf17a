import { isDisputed } from "#payouts/index.ts";
import { rowsOf, type Reader } from "#platform/db/index.ts";
import type { RefusedRefund } from "./refused-refunds.api.ts";

/** Returns failed refunds that an admin must resolve, not those whose dispute decides. One that the bank returned has a provider reference and cannot be retried. */
export const refusedRefunds = (reader: Reader): Promise<RefusedRefund[]> =>
  rowsOf<RefusedRefund>(reader)`
    select r.id, r.amount, r.currency, r.last_error as error, r.provider_payment, r.updated_at as refused_at,
      r.provider_ref is null as can_retry, not r.needs_lookup as can_settle, b.id as booking_id, b.number as booking_number,
      coalesce(y.name, b.promoter_name) as payer_name, coalesce(y.email, b.promoter_email) as payer_email
    from refunds r left join payments p on p.id = r.payment_id left join bookings b on b.id = p.booking_id
      left join payment_payers y on y.payment_id = p.id
    where r.status = 'failed' and not ${isDisputed("r.provider_payment")} order by r.updated_at, r.id`;
