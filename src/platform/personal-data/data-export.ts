/** Lists each table's columns as exported or withheld, and what happens to personal data (personal-data.ts). Names decide nothing. */

import { sql } from "kysely";
import { type DB, type Reader, rowsOf } from "../db/index.ts";
import type { DeclaredPersonalData, PersonalData, RetentionReason } from "./personal-data.ts";

export const withheldReasons = {
  secret: "A secret that opens an account, a checkout or a document, or its hash: never exported.",
  internal: "Internal state without information about a user.",
  others: "About another user.",
} as const;
type WithheldReason = keyof typeof withheldReasons;

type Table = keyof DB;
type Column<T extends Table> = keyof DB[T] & string;

/** How rows belong to an account: columns with its id, a proven address or its number, or references to such rows, of which `where` (SQL) selects some. */
export type PersonRows<C extends string> = Readonly<{
  userId?: readonly C[];
  email?: readonly C[];
  phone?: readonly C[];
  through?: Readonly<Partial<Record<C, Table | Readonly<{ table: Table; where: string }>>>>;
}>;

export type ListedTable = Readonly<{
  table: Table;
  /** "nobody": no row of this table is personal data. */
  rows: PersonRows<string> | "nobody";
  exported: readonly string[];
  withheld: Readonly<Record<string, WithheldReason>>;
  jsonKeys: Readonly<Record<string, readonly string[]>>;
  personal: PersonalData<string> | undefined;
}>;

/** Lists a table. Columns are names separated by spaces. test/architecture finds missing, unknown and secret ones. */
export const listTable = <T extends Table>(
  table: T,
  list: {
    rows: PersonRows<Column<T>> | "nobody";
    exported?: string;
    withheld?: Readonly<Partial<Record<WithheldReason, string>>>;
    jsonKeys?: Readonly<Partial<Record<Column<T>, readonly string[]>>>;
    personal?: DeclaredPersonalData<Column<T>>;
  },
): ListedTable => ({
  table,
  rows: list.rows as PersonRows<string> | "nobody",
  exported: columnsIn(list.exported ?? ""),
  withheld: Object.fromEntries(
    Object.entries(list.withheld ?? {}).flatMap(([reason, columns]) =>
      columnsIn(columns).map((column) => [column, reason as WithheldReason]),
    ),
  ),
  jsonKeys: (list.jsonKeys ?? {}) as Record<string, readonly string[]>,
  personal: list.personal && toPersonalData(list.personal),
});

const toPersonalData = ({
  retained = {},
  columns = {},
  ...data
}: DeclaredPersonalData<string>): PersonalData<string> => ({
  erase: "keep",
  ...data,
  columns: {
    ...Object.fromEntries(
      Object.entries(retained).flatMap(([reason, names]) =>
        columnsIn(names).map((column) => [column, { retained: reason as RetentionReason }]),
      ),
    ),
    ...columns,
  },
});

const columnsIn = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** Lists a table that no export includes: it has keys, tokens, counters or queues. */
export const unexportedTable = <T extends Table>(table: T, personal?: DeclaredPersonalData<Column<T>>): ListedTable =>
  listTable(table, { rows: "nobody", ...(personal ? { personal } : {}) });

/** `emails`: the current and former verified addresses, in lower case. `phone`: verified, digits without the plus sign. */
export type Person = Readonly<{ userId: string; emails: readonly string[]; phone: string | null }>;
type ExportedRow = Record<string, unknown>;

export function personRows(reader: Reader, tables: readonly ListedTable[], person: Person) {
  const ownIds = new Map<string, Promise<string[]>>();
  const conditionOf = async (rows: PersonRows<string> | "nobody") => {
    if (rows === "nobody") return undefined;
    const { userId = [], email = [], phone = [], through = {} } = rows;
    const conditions = userId.map((column) => sql<boolean>`${sql.ref(column)} = ${person.userId}`);
    conditions.push(...email.map((column) => sql<boolean>`lower(${sql.ref(column)}) = any (${person.emails}::text[])`));
    if (person.phone)
      conditions.push(
        ...phone.map((column) => sql<boolean>`${sql.ref(column)} in (${person.phone}, ${`+${person.phone}`})`),
      );
    for (const [column, target] of Object.entries(through)) {
      if (!target) continue;
      const { table, where } = typeof target === "string" ? { table: target, where: "true" } : target;
      const finding = ownIds.get(table) ?? findOwnIds(table);
      ownIds.set(table, finding);
      const ids = await finding;
      if (ids.length > 0)
        conditions.push(sql<boolean>`(${sql.ref(column)} in (${sql.join(ids)}) and ${sql.raw(where)})`);
    }
    return conditions.length > 0 ? sql<boolean>`(${sql.join(conditions, sql` or `)})` : undefined;
  };
  const findOwnIds = async (target: string): Promise<string[]> => {
    const list = tables.find(({ table }) => table === target);
    const condition = list && (await conditionOf(list.rows));
    if (!condition) return [];
    const rows = await rowsOf<{ id: string }>(reader)`
      select id from ${sql.table(target)} where ${condition}`;
    return rows.map(({ id }) => id);
  };
  return conditionOf;
}

export async function exportPersonalData(reader: Reader, tables: readonly ListedTable[], person: Person) {
  const conditionOf = personRows(reader, tables, person);
  const result: Record<string, ExportedRow[]> = {};
  for (const list of tables) {
    const condition = list.exported.length > 0 ? await conditionOf(list.rows) : undefined;
    if (!condition) continue;
    const columns = sql.join(list.exported.map((name) => sql.ref(name)));
    const rows = await rowsOf<{ row: ExportedRow }>(reader)`
      select to_jsonb(own) as row from (
        select ${columns} from ${sql.table(list.table)} where ${condition}
      ) own`;
    if (rows.length > 0) result[list.table] = rows.map(({ row }) => withAllowedKeys(row, list.jsonKeys));
  }
  return result;
}

export function withAllowedKeys(row: ExportedRow, jsonKeys: ListedTable["jsonKeys"]): ExportedRow {
  const selected = Object.entries(jsonKeys).map(([column, keys]) => {
    const value = row[column];
    const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
    return [column, Object.fromEntries(entries.filter(([key]) => keys.includes(key)))];
  });
  return { ...row, ...Object.fromEntries(selected) };
}

export const operatorColumns = ({ exported, withheld }: ListedTable): string[] => [
  ...exported,
  ...Object.entries(withheld).flatMap(([column, reason]) => (reason === "secret" ? [] : [column])),
];
