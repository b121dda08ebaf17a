import { type Config, ConfigError } from "#platform/config.ts";
import { type Database, firstRowOf } from "#platform/db/index.ts";

/** Throws ConfigError if a demo would use a card provider for payments of the sandbox: it knows none of them, so their refunds, transfers and accounts would all fail. */
export async function refuseSandboxPayments({ db }: Database, { demo, stripe }: Config): Promise<void> {
  if (!demo || !stripe) return;
  const row = await firstRowOf<{ there: boolean }>(db)`select to_regclass('payments') is not null as there`;
  if (!row?.there) return;
  const found = await db
    .selectFrom("payments")
    .select("id")
    .where("provider", "=", "sandbox")
    .where("provider_payment", "is not", null)
    .limit(1)
    .executeTakeFirst();
  if (found)
    throw new ConfigError(
      "STRIPE_SECRET_KEY: this demo has payments of the sandbox, which Stripe does not know. Use another database (DATA_DIR, DATABASE_URL), or remove the key.",
    );
}
