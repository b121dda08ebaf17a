import type { Database, Tx } from "../db/index.ts";
import { minuteMs } from "../time/durations.rules.ts";

/** After this time (ms), an hourly or daily job of a process that died or failed is available to another. A running job renews it. */
export const leaseMs = 15 * minuteMs;

/** Claims the run that was due at `due`. Returns false if another process runs or ran it. A new job waits for its next time. */
export async function claimJobRun(
  { db, transaction }: Pick<Database, "db" | "transaction">,
  name: string,
  { due, now }: { due: Date; now: Date },
): Promise<boolean> {
  const last = await db.selectFrom("job_runs").selectAll().where("name", "=", name).executeTakeFirst();
  // A time far ahead is from a wrong clock and does not count.
  const maxAhead = new Date(now.getTime() + 2 * leaseMs);
  const counts = (at: Date | null | undefined): at is Date => Boolean(at && at <= maxAhead);
  if (last && ((counts(last.ran_at) && last.ran_at >= due) || (counts(last.lease_until) && last.lease_until > now)))
    return false;
  return transaction(async (tx) => {
    if (!last) {
      const first = { name, ran_at: now };
      await tx
        .insertInto("job_runs")
        .values(first)
        .onConflict((on) => on.doNothing())
        .execute();
      return false;
    }
    const claimed = await tx
      .updateTable("job_runs")
      .set({ lease_until: new Date(now.getTime() + leaseMs) })
      .where("name", "=", name)
      .where((eb) => eb.or([eb("ran_at", "<", due), eb("ran_at", ">", maxAhead)]))
      .where((eb) =>
        eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", now), eb("lease_until", ">", maxAhead)]),
      )
      .returning("name")
      .executeTakeFirst();
    return claimed !== undefined;
  });
}

export const renewJobLease = (tx: Tx, name: string, now: Date) =>
  tx
    .updateTable("job_runs")
    .set({ lease_until: new Date(now.getTime() + leaseMs) })
    .where("name", "=", name)
    .where("lease_until", "is not", null)
    .execute();

export const recordJobRun = (tx: Tx, name: string, now: Date) =>
  tx.updateTable("job_runs").set({ ran_at: now, lease_until: null }).where("name", "=", name).execute();
