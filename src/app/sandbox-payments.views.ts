import { type Config, ConfigError } from "#platform/config.ts";
import { type Database, firstRowOf, hasRow, hasTable } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";

/** Throws ConfigError if a demo would use a card provider for payments of the sandbox: it knows none of them, so their refunds, transfers and accounts would all fail. */
export async function refuseSandboxPayments({ db }: Database, { demo, stripe }: Config): Promise<void> {
  if (!demo || !stripe) return;
  if (!(await hasTable(db, "payments"))) return;
  if (await hasRow(db)`select 1 from payments where provider = 'sandbox' and provider_payment is not null limit 1`)
    throw new ConfigError(
      "STRIPE_SECRET_KEY: this demo has payments of the sandbox, which Stripe does not know. Use another database (DATA_DIR, DATABASE_URL), or remove the key.",
    );
}

/** Warns if open bookings were paid in the sandbox or in test mode: with a live key their refunds and payouts fail, because the money does not exist. */
export async function warnOfTestPayments({
  database,
  config,
  log,
}: Pick<PlatformServices, "database" | "config" | "log">): Promise<void> {
  if (!config.stripe?.live) return;
  const row = await firstRowOf<{ bookings: number }>(database.db)`
    select count(distinct b.id)::int as bookings from bookings b join payments p on p.booking_id = b.id
    where b.status in ('deposit_paid', 'contract_sent', 'contract_signed') and p.provider_payment is not null
      and (p.provider = 'sandbox' or p.provider_ref like 'cs\\_test\\_%')`;
  if (row?.bookings)
    log.warn(
      { bookings: row.bookings },
      "open bookings were paid in test mode: a live key can neither refund nor pay them out (docs/operate/move.md)",
    );
}
