import type { Insertable } from "kysely";
import type { DB, Tx } from "#platform/db/index.ts";

export const insertSigningKey = (tx: Tx, key: Insertable<DB["signing_keys"]>) =>
  tx.insertInto("signing_keys").values(key).execute();

export const retireSigningKeys = (tx: Tx, retiredAt: Date) =>
  tx.updateTable("signing_keys").set({ retired_at: retiredAt }).where("retired_at", "is", null).execute();

export const deleteRetiredSigningKeys = (tx: Tx, now: Date) =>
  tx.deleteFrom("signing_keys").where("retired_at", "<", now).execute();
