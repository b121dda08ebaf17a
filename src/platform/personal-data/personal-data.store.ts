import { type RawBuilder, sql } from "kysely";
import { type Database, json, type Tx } from "../db/index.ts";
import { dayMs } from "../time/durations.rules.ts";
import { type ListedTable, type Person, personRows } from "./data-export.ts";
import { isRetained, type PersonalData } from "./personal-data.ts";

const batchSize = 1_000;

/** Deletes or clears every row of the person. What stays has its reason in the list. */
export async function erasePersonalData(tx: Tx, tables: readonly ListedTable[], person: Person): Promise<void> {
  const conditionOf = personRows(tx, tables, person);
  // All rows are found before the first change, which removes the references to them.
  const found: { list: ListedTable; personal: PersonalData<string>; condition: RawBuilder<boolean> }[] = [];
  for (const list of tables) {
    const { personal } = list;
    if (!personal || personal.erase === "keep" || personal.erase === "module") continue;
    const condition = await conditionOf(personal.found ?? list.rows);
    if (condition) found.push({ list, personal, condition });
  }
  for (const { list, personal, condition } of found) {
    if (personal.deletedWhere)
      await sql`delete from ${sql.table(list.table)} where ${condition} and ${sql.raw(personal.deletedWhere)}`.execute(
        tx,
      );
    const change =
      personal.erase === "delete"
        ? sql`delete from ${sql.table(list.table)} where ${condition}`
        : sql`update ${sql.table(list.table)} set ${assignments(personal)} where ${condition}`;
    await change.execute(tx);
  }
}

/** Enforces the age limits of all tables, in batches with their own transactions. Returns the changed rows by table. */
export async function enforceRetention(database: Database, tables: readonly ListedTable[], now: Date) {
  const changed: Record<string, number> = {};
  for (const { table, personal } of tables) {
    for (const rule of personal?.nightly ?? []) {
      const before = new Date(now.getTime() - rule.days * dayMs);
      const due = sql`${sql.ref(rule.since)} < ${before} and (${sql.raw(rule.where ?? "true")})`;
      for (let count = batchSize; count === batchSize;) {
        count = await database.transaction(async (tx) => {
          const batch = (more: RawBuilder<unknown>) =>
            sql`ctid in (select ctid from ${sql.table(table)} where ${due} and ${more} limit ${batchSize} for update skip locked)`;
          const change =
            rule.action === "delete"
              ? sql`delete from ${sql.table(table)} where ${batch(sql`true`)}`
              : sql`update ${sql.table(table)} set ${assignments(personal)} where ${batch(isUncleared(personal))}`;
          return Number((await change.execute(tx)).numAffectedRows ?? 0n);
        });
        if (count > 0) changed[table] = (changed[table] ?? 0) + count;
      }
    }
  }
  return changed;
}

const clearedColumns = (personal: PersonalData<string> | undefined) =>
  Object.entries(personal?.columns ?? {}).filter(([, value]) => !isRetained(value));

const stored = (value: unknown) =>
  Array.isArray(value) ? sql`'{}'` : typeof value === "object" && value !== null ? sql`${json(value)}` : sql`${value}`;

const assignments = (personal: PersonalData<string> | undefined) =>
  sql.join(clearedColumns(personal).map(([column, value]) => sql`${sql.ref(column)} = ${stored(value)}`));

/** Matches only rows that are not cleared yet, because the job must end. */
const isUncleared = (personal: PersonalData<string> | undefined) =>
  sql`(${sql.join(
    clearedColumns(personal).map(([column, value]) => sql`${sql.ref(column)} is distinct from ${stored(value)}`),
    sql` or `,
  )})`;
