import { sql } from "kysely";
import type { Database, Tx } from "#platform/db/index.ts";

/** Calls `second` in the open transaction of `first`, which commits once `second` waits for it or has ended. The embedded engine runs them one after the other. `waiting`: runs in the transaction before the commit. */
export async function overlapping<T>(
  { database }: { database: Database },
  first: (tx: Tx) => Promise<unknown>,
  second: () => Promise<T>,
  waiting: (tx: Tx) => Promise<unknown> = async () => undefined,
): Promise<T> {
  const begun = Promise.withResolvers<void>();
  let isOver = database.engine === "embedded";
  const ended = begun.promise.then(second).finally(() => {
    isOver = true;
  });
  const open = database.transaction(async (tx) => {
    await first(tx);
    // A lock may be sent with the next statement only.
    await sql`select 1`.execute(tx);
    begun.resolve();
    // A transaction sees connections that were opened later in pg_locks, and not in pg_stat_activity.
    const blocked = sql`select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
    while (!isOver && (await blocked.execute(tx)).rows.length === 0) await sql`select pg_sleep(0.02)`.execute(tx);
    await waiting(tx);
  });
  return (await Promise.all([ended, open]))[0];
}
