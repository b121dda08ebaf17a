/** What must hold whatever happened: read-only checks that an operator can run on a living installation. */
import { sql } from "kysely";
import type { Db } from "#platform/db/index.ts";

export type Finding = { check: string; count: number; example: string | undefined };

type Check = { name: string; offenders: string };

/** Each query finds the offenders of one rule; the rules are those of the ledger, the dates and the outbox. */
const checks: readonly Check[] = [
  {
    name: "every ledger group sums to zero in each currency",
    offenders: "select group_id::text as id from ledger_entries group by group_id, currency having sum(amount) <> 0",
  },
  {
    name: "every ledger group has entries",
    offenders:
      "select id::text as id from ledger_groups g where not exists (select 1 from ledger_entries e where e.group_id = g.id)",
  },
  {
    name: "every date claim belongs to a booking of the same artist",
    offenders:
      "select c.booking_id::text as id from date_claims c join bookings b on b.id = c.booking_id where b.artist_id <> c.artist_id",
  },
  {
    name: "every person has a profile",
    offenders: "select id::text as id from users u where not exists (select 1 from profiles p where p.user_id = u.id)",
  },
  {
    name: "no event waits for a person",
    offenders: "select id::text || ' ' || topic as id from outbox where dead_at is not null",
  },
];

/** Runs all checks and returns what was found, one entry per check. */
export async function verify(db: Db): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    const { rows } = await sql<{ id: string }>`${sql.raw(check.offenders)}`.execute(db);
    findings.push({ check: check.name, count: rows.length, example: rows[0]?.id });
  }
  return findings;
}
