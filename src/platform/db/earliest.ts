import { type RawBuilder, sql } from "kysely";
import type { Reader } from "./handles.ts";

/** Returns the earliest time in column `at` after `after`, or null. Microseconds are rounded up to milliseconds. */
export async function earliestAfter(reader: Reader, moments: RawBuilder<unknown>, after: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select date_trunc('milliseconds', min(at) + interval '999 microseconds') as at
    from (${moments}) moments where at > ${after}::timestamptz`.execute(reader);
  return rows[0]?.at ?? null;
}
