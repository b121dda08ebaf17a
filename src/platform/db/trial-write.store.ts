import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { DB } from "./schema.ts";

/** Enough to extend the table. A few bytes would still fit on a full disk. */
const trialBytes = 256 * 1024;
class Undo extends Error {}

/** Writes a row and rolls it back. Returns false if the database accepts no writes. */
export async function trialWrite(db: Kysely<DB>): Promise<boolean> {
  try {
    await db.transaction().execute(async (trx) => {
      const body = sql<object>`${JSON.stringify({ trial: randomBytes(trialBytes).toString("base64") })}::jsonb`;
      await trx.insertInto("event_outbox").values({ topic: "trial", body }).execute();
      throw new Undo();
    });
  } catch (error) {
    return error instanceof Undo;
  }
  return false;
}
