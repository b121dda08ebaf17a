import { sql } from "kysely";
import { retryWaiting } from "#delivery/index.ts";
import type { Database, Tx } from "#platform/db/index.ts";
import type { ComponentName } from "./rules.ts";

/** The result of a test. `message` is for the admin, `details` is the technical response. */
export type TestOutcome = Readonly<{
  name: ComponentName;
  product: string;
  works: boolean;
  message: string;
  details: string | null;
  testedAt: Date;
  tookMs: number;
}>;

/** Records the last test of a component. A change of product resets it. A test that did not reach the product retains the former one. Messages are retried at once when their service works again. */
export async function recordTest(tx: Tx, outcome: TestOutcome): Promise<void> {
  const { name, product, works, message, details, testedAt } = outcome;
  const before = await tx.selectFrom("component_tests").select("works").where("name", "=", name).executeTakeFirst();
  if (works && before?.works === false && (name === "email" || name === "sms")) await retryWaiting(tx, name);
  const row = {
    product,
    works,
    message,
    details,
    tested_at: testedAt,
    took_ms: outcome.tookMs,
    succeeded_at: works ? testedAt : null,
    failed_at: works ? null : testedAt,
  };
  const isSame = sql<boolean>`excluded.product in ('', component_tests.product)`;
  const lastOf = (column: "succeeded_at" | "failed_at") =>
    sql<Date>`coalesce(${sql.ref(`excluded.${column}`)}, case when ${isSame} then ${sql.ref(`component_tests.${column}`)} end)`;
  await tx
    .insertInto("component_tests")
    .values({ name, in_use_since: testedAt, ...row })
    .onConflict((on) =>
      on.column("name").doUpdateSet({
        ...row,
        product: sql<string>`coalesce(nullif(excluded.product, ''), component_tests.product)`,
        in_use_since: sql<Date>`case when ${isSame} then component_tests.in_use_since else excluded.in_use_since end`,
        succeeded_at: lastOf("succeeded_at"),
        failed_at: lastOf("failed_at"),
      }),
    )
    .execute();
}

class Undo extends Error {}

/** Writes a row, reads it and rolls it back. Returns the time of the database's clock. Throws the database's error. */
export async function testWrite(transaction: Database["transaction"]): Promise<Date> {
  let at: Date | undefined;
  await transaction(async (tx) => {
    const moment = sql<Date>`clock_timestamp()`;
    await tx
      .insertInto("component_tests")
      .values({
        name: "trial",
        product: "",
        in_use_since: moment,
        tested_at: moment,
        took_ms: 0,
        works: true,
        message: "",
      })
      .execute();
    at = (
      await tx.selectFrom("component_tests").select("tested_at").where("name", "=", "trial").executeTakeFirstOrThrow()
    ).tested_at;
    throw new Undo();
  }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  if (!at) throw new Error("The row that was written could not be read.");
  return at;
}
