import { ExplainNode, type KyselyPlugin, type SelectQueryNode, sql } from "kysely";
import { expect, test } from "vitest";
import { unsealedContracts } from "#contracts/copies-for-bookings.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { testApp } from "#test/test-app.ts";

const app = closeAfterFile(await testApp());

function planReader(plans: unknown[]): KyselyPlugin {
  return {
    transformQuery: ({ node }) => ({ ...(node as SelectQueryNode), explain: ExplainNode.create("json") }),
    transformResult: async ({ result }) => {
      plans.push(...result.rows);
      return result;
    },
  };
}

test("unsealedContracts finds the unsealed contract by an index among 50,000 sealed ones", async () => {
  const { booking_id: waiting } = await (async () => {
    const { id } = await app.make.booking({ status: "contract_signed" });
    return app.database.db
      .updateTable("contracts")
      .set({ document_hash: "0".repeat(64) })
      .where("booking_id", "=", id)
      .returning("booking_id")
      .executeTakeFirstOrThrow();
  })();
  await app.database.transaction(async (tx) => {
    // The test needs no bookings for these contracts, so foreign keys are not checked.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`
      insert into contracts select (jsonb_populate_record(c, jsonb_build_object(
        'id', gen_random_uuid(), 'booking_id', gen_random_uuid(), 'sealed_at', now()))).*
      from contracts as c, generate_series(1, 50000)`.execute(tx);
  });
  await sql`analyze contracts`.execute(app.database.db);
  expect(await unsealedContracts(app.database.db, 20)).toEqual([waiting]);
  const plans: unknown[] = [];
  await unsealedContracts(app.database.db.withPlugin(planReader(plans)), 20);
  const plan = JSON.stringify(plans);
  expect(plan).toContain("contracts_to_seal");
  expect(plan).not.toContain("Seq Scan");
});
