export const rowsPerPage = 25;
export const lastPage = 400;
/** Rows are counted up to here, because a full count reads a whole table. A list with more shows "more than 10,000". */
export const maxCounted = rowsPerPage * lastPage;

export type Sort<Column extends string> = Column | `-${Column}`;

export const sortsBy = <const Column extends string>(
  ...columns: readonly Column[]
): readonly [Sort<Column>, ...Sort<Column>[]] =>
  columns.flatMap((one): Sort<Column>[] => [one, `-${one}`]) as unknown as [Sort<Column>, ...Sort<Column>[]];

export const readSort = <Column extends string>(sort: Sort<Column>): { column: Column; down: boolean } => ({
  column: sort.replace(/^-/, "") as Column,
  down: sort.startsWith("-"),
});
