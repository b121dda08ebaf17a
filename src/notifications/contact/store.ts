import type { Tx } from "#platform/db/index.ts";
import type { ContactInput } from "../rules.ts";

export async function insertContactMessage(tx: Tx, message: ContactInput): Promise<string> {
  const row = await tx.insertInto("contact_messages").values(message).returning("id").executeTakeFirstOrThrow();
  return row.id;
}
