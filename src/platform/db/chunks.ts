/** Splits a long list, because a PostgreSQL statement takes at most 65,535 values. */
export function* chunks<T>(rows: readonly T[], size = 200): Generator<T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}
