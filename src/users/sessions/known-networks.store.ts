/** The address blocks of former sign-ins. They outlive sessions, and attempts of strangers elsewhere do not block the owner. */

import { sql } from "kysely";
import { hasRow, type Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { lifetimes } from "../rules.ts";

/** The purpose does not change: the stored hashes were made with it. */
const fingerprint = (services: PlatformServices, block: string): Buffer => services.keys.hmac("place", block);

/** Records a successful sign-in from a block. `secondFactor`: both factors were proven. It remains recorded after a later sign-in with one. */
export async function rememberNetwork(
  tx: Tx,
  services: PlatformServices,
  network: { userId: string; block: string; secondFactor: boolean },
): Promise<void> {
  const values = {
    user_id: network.userId,
    block_hash: fingerprint(services, network.block),
    last_used_at: services.realClock.now(),
  };
  await tx
    .insertInto("known_networks")
    .values({ ...values, second_factor: network.secondFactor })
    .onConflict((on) =>
      on.columns(["user_id", "block_hash"]).doUpdateSet({
        last_used_at: values.last_used_at,
        second_factor: sql<boolean>`known_networks.second_factor or excluded.second_factor`,
      }),
    )
    .execute();
}

export type AccountLookup = { column: "email" | "phone" | "id"; value: string };

/** Returns true if the owner signed in from this block in 90 days (`secondFactor`: with both factors). Always one query. */
export async function isKnownNetwork(
  services: PlatformServices,
  whose: AccountLookup,
  block: string,
  secondFactor: boolean = false,
): Promise<boolean> {
  const account =
    whose.column === "email"
      ? sql`lower(u.email) = ${whose.value}`
      : sql`${sql.ref(`u.${whose.column}`)} = ${whose.value}`;
  return hasRow(services.database.db)`
    select 1 from users u where ${account} and u.deleted_at is null and (
      exists (select from known_networks p where p.user_id = u.id and p.block_hash = ${fingerprint(services, block)}
        and (p.second_factor or not ${secondFactor}))
      or exists (select from sessions s where s.user_id = u.id and s.ip_block = ${block} and s.not_after > ${services.realClock.now()}
        and (s.aal = 'aal2' or not ${secondFactor})))`;
}

export async function deleteOldNetworks(tx: Tx, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - lifetimes.knownNetwork * 1000);
  await tx.deleteFrom("known_networks").where("last_used_at", "<", oldest).execute();
}
