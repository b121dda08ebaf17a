import { type RawBuilder, sql } from "kysely";
import { maxCounted, readSort, rowsPerPage, type Sort } from "../list.rules.ts";
import type { Reader } from "./handles.ts";

export const onPage = (page: number): RawBuilder<unknown> =>
  sql`limit ${rowsPerPage}::int offset ${(page - 1) * rowsPerPage}::int`;

/** Counts the rows of a query (`select … from … where …`), up to the last page. */
export async function countRows(reader: Reader, question: RawBuilder<unknown>) {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (${question} limit ${maxCounted + 1}::int) counted`.execute(reader);
  const total = rows[0]?.total ?? 0;
  return { total: Math.min(total, maxCounted), capped: total > maxCounted };
}

export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Returns the order of a list: the chosen column, then `id`, both in its direction. `otherwise` applies if none is chosen. */
export function orderOf<Column extends string>(
  sort: Sort<Column> | undefined,
  columns: Readonly<Record<Column, RawBuilder<unknown>>>,
  id: RawBuilder<unknown>,
  otherwise: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!sort) return otherwise;
  const { column, down } = readSort(sort);
  const direction = sql.raw(down ? "desc" : "asc");
  return sql`${columns[column]} ${direction}, ${id} ${direction}`;
}
