/** The size of lists that people leaf through by page number. Pure; the browser reads it too. */

export const rowsPerPage = 25;
/** The last page that can be asked for: for older entries, narrow the list or export it. */
export const lastPage = 400;
/** Rows are counted up to here; a list with more says "more than 10,000", so that no count reads a whole table. */
export const mostCounted = rowsPerPage * lastPage;

/** An order of a list: ascending by a column (`name`) or descending (`-name`). */
export type Sort<Column extends string> = Column | `-${Column}`;

/** Every order of a list, by the names of its columns. */
export const sortsBy = <const Column extends string>(
  ...columns: readonly Column[]
): readonly [Sort<Column>, ...Sort<Column>[]] =>
  columns.flatMap((one): Sort<Column>[] => [one, `-${one}`]) as unknown as [Sort<Column>, ...Sort<Column>[]];

/** The column and direction of an order. */
export const readSort = <Column extends string>(sort: Sort<Column>): { column: Column; down: boolean } => ({
  column: sort.replace(/^-/, "") as Column,
  down: sort.startsWith("-"),
});
