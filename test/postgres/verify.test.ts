import { expect, test } from "vitest";
import { verify } from "#app/admin/verify.ts";
import { openDatabase } from "#platform/db/index.ts";
import { freshDatabase } from "#test/database.ts";
import { withClient } from "#test/served-databases.ts";

test("the check of all data may take longer than other statements", { timeout: 120_000 }, async () => {
  const place = await freshDatabase("postgres");
  const limited = await openDatabase({ url: place.url ?? "", poolSize: 2, statementMs: 10_000 });
  try {
    await withClient(place.url ?? "", async (other) => {
      await other.query("begin; lock table ledger_groups in access exclusive mode");
      const check = verify(limited.db);
      const waits = async () => {
        const { rows } = await other.query<{ long: boolean }>(
          "select clock_timestamp() - query_start > interval '11 s' as long from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.some(({ long }) => long);
      };
      const hasWaited = async () => {
        await expect.poll(waits, { timeout: 60_000, interval: 200 }).toBe(true);
      };
      await Promise.race([check, hasWaited()]);
      await other.query("commit");
      expect((await check).filter(({ count }) => count > 0)).toEqual([]);
    });
  } finally {
    await limited.close();
    await place.drop();
  }
});
