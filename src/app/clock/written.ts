/** Counts the transactions of a piece of work that changed something. */
import { sql } from "kysely";
import type { Database, Tx } from "#platform/db/index.ts";

/** The same database, which counts. PostgreSQL gives a transaction an id when it first writes or locks a row. */
export function countWrites(database: Database): { database: Database; writes(): number } {
  let writes = 0;
  const wrote = async (tx: Tx) => {
    const { rows } = await sql<{ wrote: boolean }>`
      select pg_current_xact_id_if_assigned() is not null as wrote`.execute(tx);
    return rows[0]?.wrote ?? false;
  };
  return {
    database: {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          const result = await work(tx);
          if (await wrote(tx)) writes++;
          return result;
        }),
    },
    writes: () => writes,
  };
}
