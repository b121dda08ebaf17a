/** Measures the hourly reconciliation of ten thousand payments of as many bookings at the provider and in the ledger. */

import { sql } from "kysely";
import { openCheckout, reservePayment } from "#payments/index.ts";
import type { Tx } from "#platform/db/index.ts";
import { reconcile } from "#reconciliation/index.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { atMost, type Figure } from "./report.ts";

const bookings = 10_000;
const target = 60;

const addresses = { successUrl: "http://localhost/done", cancelUrl: "http://localhost/back" };

async function payOne(app: TestApp) {
  const { services, database, server, make, settle, clock } = app;
  const { id: bookingId, promoter_email: payerEmail, promoter_name: payerName } = await make.booking();
  const payment = {
    bookingId,
    kind: "deposit",
    amount: 37_500,
    currency: "usd",
    title: "Deposit",
    details: [],
  } as const;
  const { id: paymentId } = await database.transaction((tx) =>
    reservePayment(tx, { ...payment, payerEmail, payerName, saveCardNotice: null, now: clock.now() }),
  );
  const { url } = await openCheckout(services, paymentId, addresses);
  await server.inject({ method: "POST", url: `${new URL(url).pathname}/pay` });
  await services.sandbox?.settle();
  await settle();
  return { bookingId, paymentId };
}

/** Copies the payment with all of its rows, here and at the provider, with new references. */
async function copy({ database }: TestApp, { bookingId, paymentId }: { bookingId: string; paymentId: string }) {
  const refs = await database.db
    .selectFrom("payments")
    .select(["provider_ref", "provider_payment", "provider_charge"])
    .where("id", "=", paymentId)
    .executeTakeFirstOrThrow();
  const replaced = [refs.provider_ref, refs.provider_payment, refs.provider_charge].reduce<string>(
    (value, ref) => `replace(${value}, '${ref}', '${ref}' || n)`,
    `replace(replace(to_jsonb(t)::text, '${paymentId}', md5('payment' || n)::uuid::text), '${bookingId}', md5('booking' || n)::uuid::text)`,
  );
  const numbers = sql`generate_series(1, ${bookings - 1}::int) n`;
  const rowsOf = async (tx: Tx, table: "payments" | "provider_charges" | "sandbox_objects", where: string) => {
    await sql`insert into ${sql.table(table)}
      select copied.* from (select * from ${sql.table(table)} where ${sql.raw(where)}) t, ${numbers},
        lateral jsonb_populate_record(null::${sql.table(table)}, ${sql.raw(replaced)}::jsonb) copied`.execute(tx);
  };
  await database.transaction(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await rowsOf(tx, "payments", `id = '${paymentId}'`);
    await rowsOf(tx, "provider_charges", `payment_id = '${paymentId}'`);
    await rowsOf(
      tx,
      "sandbox_objects",
      `kind in ('checkout.session', 'payment_intent', 'charge') and body::text like '%${paymentId}%'`,
    );
    await sql`insert into ledger_groups (id, cause_key, kind, booking_id, payment_id, posted_at)
      select md5(g.id::text || n)::uuid, g.cause_key || n, g.kind, md5('booking' || n)::uuid, md5('payment' || n)::uuid, g.posted_at
        from ledger_groups g, ${numbers} where g.payment_id = ${paymentId}`.execute(tx);
    await sql`insert into ledger_entries (group_id, account, amount, currency)
      select md5(g.id::text || n)::uuid, replace(e.account, ${bookingId}, md5('booking' || n)::uuid::text), e.amount, e.currency
        from ledger_groups g join ledger_entries e on e.group_id = g.id, ${numbers} where g.payment_id = ${paymentId}`.execute(
      tx,
    );
  });
}

export async function benchReconcile(): Promise<Figure[]> {
  await using app = await testApp({ engine: "postgres" });
  await copy(app, await payOne(app));
  await app.database.exec("vacuum analyze");
  return [await measure(app)];
}

async function measure(app: TestApp): Promise<Figure> {
  const began = performance.now();
  const found = await reconcile(app.services);
  const seconds = (performance.now() - began) / 1_000;
  if (!found || found.compared < 2 * bookings || found.differences.length > 0)
    throw new Error(
      `the comparison saw ${found?.compared} and found ${JSON.stringify(found?.differences.slice(0, 3))}`,
    );
  return atMost("ten thousand bookings reconciled", seconds, target, "s", `PostgreSQL, ${found.compared} compared`);
}
