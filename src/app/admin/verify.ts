import { readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { findActivityViolations, findWaiting, hasLink, parseChainHead } from "#activity/index.ts";
import { rowsOf, type Db, type Reader } from "#platform/db/index.ts";

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

const contractChecks: readonly Check[] = [
  {
    name: "every entry of a contract's evidence has its hash",
    violations: `select contract_id || ' ' || number as id from (
      select *, lag(hash, 1, ''::bytea) over (partition by contract_id order by number) as previous from contract_events) e
      where hash <> sha256(previous || convert_to(entry, 'UTF8'))`,
  },
  {
    name: "every contract has the agreement with its fingerprint",
    violations: `select id::text as id from contracts c where document_hash is not null and not exists (
      select 1 from contract_documents d
      where d.contract_id = c.id and d.kind = 'agreement' and encode(d.sha256, 'hex') = c.document_hash)`,
  },
];

const pdfTables = { contract_documents: "id", document_files: "document_id" };
const pdfsAtOnce = 200;

async function findChangedPdfs(db: Db): Promise<string[]> {
  const changed: string[] = [];
  for (const [table, name] of Object.entries(pdfTables)) {
    const id = sql.ref(name);
    let last: string | undefined = "00000000-0000-0000-0000-000000000000";
    while (last) {
      const rows: { id: string; same: boolean }[] = await rowsOf<{ id: string; same: boolean }>(db)`
        select ${id} as id, sha256(bytes) = sha256 as same from ${sql.table(table)}
        where ${id} > ${last}::uuid order by ${id} limit ${pdfsAtOnce}`;
      changed.push(...rows.filter(({ same }) => !same).map((row) => `${table} ${row.id}`));
      last = rows.at(-1)?.id;
    }
  }
  return changed;
}

/** Runs a check that reads whole tables, without the time limit of statements. */
const unlimited = <T>(db: Db, check: (reader: Reader) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    return check(tx);
  });

async function findViolations(db: Db, rules: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, violations } of rules) {
    const rows = await unlimited(db, (reader) => rowsOf<{ id: string }>(reader)`${sql.raw(violations)}`);
    findings.push({ check: name, count: rows.length, example: rows[0]?.id });
  }
  return findings;
}

export async function verify(db: Db, knownLinks: readonly string[] = []): Promise<Finding[]> {
  const findings = [...(await checkIntegrity(db, knownLinks)), ...(await findViolations(db, contractChecks))];
  const changed = await findChangedPdfs(db);
  findings.push({
    check: "every PDF of a contract, a receipt or an invoice has its fingerprint",
    count: changed.length,
    example: changed[0],
  });
  for (const { message, count, example } of await unlimited(db, findWaiting))
    findings.push({ check: `no ${message}`, count, example: example ?? undefined });
  return findings;
}

/** Checks the rules that data must follow, without stored PDFs and evidence: a backup with a changed one is complete. `knownLinks`: links of the activity log that the operator stored elsewhere, as "NUMBER:HASH". */
export async function checkIntegrity(db: Db, knownLinks: readonly string[] = []): Promise<Finding[]> {
  const findings = await findViolations(db, checks);
  const violations = await unlimited(db, findActivityViolations);
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
