import { sql } from "kysely";
import type { Database, Tx } from "#platform/db/index.ts";

/** Returns the same database with a counter. PostgreSQL gives a transaction an id when it first writes or locks a row. */
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

/** Returns the ended transactions of the database: equal texts mean that no process committed a change. */
export async function transactionsSoFar({ db }: Pick<Database, "db">): Promise<string> {
  const { rows } = await sql<{ ended: string }>`select pg_current_snapshot()::text as ended`.execute(db);
  return rows[0]?.ended ?? "";
}
