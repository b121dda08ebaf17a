import { sql } from "kysely";
import type { Config } from "#platform/config.ts";
import type { Tx } from "#platform/db/index.ts";
import { productVersion } from "#platform/version.ts";
import { archiveFormat } from "./archive.ts";

export async function describe(tx: Tx, { s3 }: Pick<Config, "s3">, now: Date): Promise<Buffer> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(tx);
  const { fingerprint } = await readInstallation(tx);
  const head = {
    format: archiveFormat,
    version: productVersion(),
    createdAt: now.toISOString(),
    migrations: rows.map((row) => row.name),
    bucket: s3?.bucket ?? null,
    keyFingerprint: fingerprint ?? null,
  };
  return Buffer.from(`${JSON.stringify(head, null, 1)}\n`);
}

export async function readInstallation(tx: Tx): Promise<{ fingerprint?: string; installation?: string }> {
  const known = await sql<{ there: boolean }>`select to_regclass('installation_keys') is not null as there`.execute(tx);
  if (!known.rows[0]?.there) return {};
  const { rows } = await sql<{ name: string; value: string }>`select name, value from installation_keys`.execute(tx);
  return Object.fromEntries(rows.map((row) => [row.name, row.value]));
}

/** Returns the ledger's sum by kind of account and currency, in cents, separately for positive and negative entries. */
export async function readSums(tx: Tx): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; sum: string }>`
    select split_part(account, ':', 1) || ' ' || currency || case when amount < 0 then ' -' else ' +' end as name,
           sum(amount)::text as sum
      from ledger_entries group by 1 order by 1`.execute(tx);
  return Object.fromEntries(rows.map((row) => [row.name, row.sum]));
}
