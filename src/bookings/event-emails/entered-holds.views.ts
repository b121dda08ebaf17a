import { firstRowOf, type Reader } from "#platform/db/index.ts";

/** Returns how many messages of the last day notified a recipient of holds that artists entered. Only these refer to a hold. Messages have the database's time. */
export async function enteredHoldMessages(reader: Reader, recipient: string): Promise<number> {
  const row = await firstRowOf<{ sent: number }>(reader)`
    select count(*)::int as sent from messages
    where lower(recipient) = ${recipient.toLowerCase()} and template = 'hold_changed' and ref_id is not null
      and created_at > now() - interval '1 day'`;
  return row?.sent ?? 0;
}
