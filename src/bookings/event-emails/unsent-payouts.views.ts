import { hasRow, type Reader } from "#platform/db/index.ts";

/** Returns true if the posting took a part of what was still to be sent to the artist. */
export const isTakenFromUnsent = (reader: Reader, cause: string): Promise<boolean> =>
  hasRow(reader)`
    select 1 from ledger_groups g join ledger_entries e on e.group_id = g.id
    where g.cause_key = ${cause} and e.account like 'artist_payable:%' and e.amount > 0`;

/** Returns true if at least a part of the booking's payout was paid outside the provider. */
export const isPaidOutside = (reader: Reader, bookingId: string): Promise<boolean> =>
  hasRow(reader)`
    select 1 from transfers t join payouts p on p.id = t.payout_id
    where p.booking_id = ${bookingId} and t.paid_outside_at is not null limit 1`;
