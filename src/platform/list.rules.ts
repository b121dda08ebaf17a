/** The size of lists that people leaf through by page number. Pure; the browser reads it too. */

export const rowsPerPage = 25;
/** The last page that can be asked for: for older entries, narrow the list or export it. */
export const lastPage = 400;
/** Rows are counted up to here; a list with more says "more than 10,000", so that no count reads a whole table. */
export const mostCounted = rowsPerPage * lastPage;
