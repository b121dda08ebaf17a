import { readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { findActivityViolations, findWaiting, hasLink, parseChainHead } from "#activity/index.ts";
import { rowsOf, type Db } from "#platform/db/index.ts";

type Finding = { check: string; count: number; example: string | undefined };

type Check = { name: string; violations: string };

const invariantsOf = (file: string) => readFileSync(path.resolve(import.meta.dirname, "../..", file), "utf8");
const invariants = invariantsOf("ledger/invariants.sql");
const ofDocuments = invariantsOf("invoicing/invariants.sql");

const checks: readonly Check[] = [
  {
    name: "every ledger group sums to zero, and payments, charges and refunds agree with it",
    violations: `select rule || ' ' || ref as id from (${invariants}) violations`,
  },
  {
    name: "every payment, refund and release has its document, and the numbers of each seller have no gaps",
    violations: `select rule || ' ' || ref as id from (${ofDocuments}) violations`,
  },
  {
    name: "every date reservation belongs to a booking of the same artist",
    violations:
      "select c.booking_id::text as id from date_reservations c join bookings b on b.id = c.booking_id where b.artist_id <> c.artist_id",
  },
  {
    name: "every user has a profile",
    violations: "select id::text as id from users u where not exists (select 1 from profiles p where p.user_id = u.id)",
  },
];

export async function verify(db: Db, knownLinks: readonly string[] = []): Promise<Finding[]> {
  const findings = await checkIntegrity(db, knownLinks);
  for (const { message, count, example } of await findWaiting(db))
    findings.push({ check: `no ${message}`, count, example: example ?? undefined });
  return findings;
}

/** Checks the rules that data must follow. `knownLinks`: links of the activity log that the operator stored elsewhere, as "NUMBER:HASH". */
export async function checkIntegrity(db: Db, knownLinks: readonly string[] = []): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    const rows = await rowsOf<{ id: string }>(db)`${sql.raw(check.violations)}`;
    findings.push({ check: check.name, count: rows.length, example: rows[0]?.id });
  }
  const violations = await findActivityViolations(db);
  findings.push({
    check: "no entry of the activity log was changed or removed",
    count: violations.length,
    example: violations[0],
  });
  if (knownLinks.length > 0) {
    const missing: string[] = [];
    for (const text of knownLinks) {
      const link = parseChainHead(text);
      if (!link || !(await hasLink(db, link))) missing.push(text);
    }
    findings.push({
      check: "the log has the links that were written down",
      count: missing.length,
      example: missing[0],
    });
  }
  return findings;
}
