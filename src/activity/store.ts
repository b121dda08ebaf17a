import { json, sentWithNext, type Tx } from "#platform/db/index.ts";
import { broadcastChange } from "#realtime/index.ts";
import { type ActivityType, textWithoutSecrets, withoutSecrets } from "./rules.ts";

export type Entry = {
  /** Of an event that is recorded once, even if it is reported again. */
  id?: string;
  type: ActivityType;
  refId?: string | null;
  message: string;
  meta?: object;
  actorId?: string | null;
};

/** Writes an entry in the transaction of its cause. Removes secrets from message and details. */
export async function recordActivity(tx: Tx, entry: Entry): Promise<void> {
  await tx
    .insertInto("activity")
    .values({
      ...(entry.id ? { id: entry.id } : {}),
      type: entry.type,
      ref_id: entry.refId ?? null,
      message: textWithoutSecrets(entry.message).slice(0, 1000),
      meta: json(withoutSecrets(entry.meta ?? {})),
      actor_id: entry.actorId ?? null,
    })
    .onConflict((on) => on.column("id").doNothing())
    .modifyEnd(sentWithNext)
    .execute();
  await broadcastChange(tx, "log", { admins: true });
}
