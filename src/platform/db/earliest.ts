import { type RawBuilder, sql } from "kysely";
import type { Reader } from "./handles.ts";

/**
 * The earliest of the moments that a query lists in its column `at`, after `after`; null when there is none. PostgreSQL counts
 * microseconds: what lies between two milliseconds is answered as the later one, at which it is over for programs too.
 */
export async function earliestAfter(reader: Reader, moments: RawBuilder<unknown>, after: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select date_trunc('milliseconds', min(at) + interval '999 microseconds') as at
    from (${moments}) moments where at > ${after}::timestamptz`.execute(reader);
  return rows[0]?.at ?? null;
}
