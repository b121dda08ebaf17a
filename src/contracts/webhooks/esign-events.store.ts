import { rowsOf, updateById, announce, type Database, type Tx } from "#platform/db/index.ts";
import { backoffSeconds } from "#platform/time/retry.ts";
import type { EsignEvent } from "../providers/provider.ts";

const batchSize = 20;
export const eventLeaseSeconds = 120;
export const maxEventAttempts = 8;
const backoff = { firstSeconds: 5, maxSeconds: 1_800 };

/** Stores a verified event once by its id. It may be acknowledged after the commit. */
export const storeEsignEvent = (tx: Tx, provider: string, event: EsignEvent, now: Date) => {
  announce(tx, "esign_events");
  return tx
    .insertInto("esign_events")
    .values({
      id: event.id,
      provider,
      type: event.type,
      ref: event.ref,
      external_id: event.externalId,
      received_at: now,
      next_try_at: now,
    })
    .onConflict((on) => on.column("id").doNothing())
    .execute();
};

export type ClaimedEsignEvent = Readonly<{
  id: string;
  provider: string;
  type: string;
  ref: string | null;
  external_id: string | null;
  attempts: number;
}>;

export async function claimEsignEvents(tx: Tx, now: Date): Promise<ClaimedEsignEvent[]> {
  const rows = await rowsOf<ClaimedEsignEvent & { received_at: Date }>(tx)`
    update esign_events set next_try_at = ${new Date(now.getTime() + eventLeaseSeconds * 1_000)}
    where id in (
      select id from esign_events
      where processed_at is null and dead_at is null and next_try_at <= ${now}
      order by next_try_at, received_at, id limit ${batchSize} for update skip locked
    )
    returning id, provider, type, ref, external_id, attempts, received_at`;
  return rows.toSorted((a, b) => a.received_at.getTime() - b.received_at.getTime());
}

export const finishEsignEvent = (database: Database, id: string, now: Date, note: string | null) =>
  database.transaction((tx) => updateById(tx, "esign_events", id, { processed_at: now, last_error: note }));

/** Postpones a failed event, or marks it dead after the last attempt. Returns true if it is dead. */
export async function postponeEsignEvent(
  database: Database,
  event: Pick<ClaimedEsignEvent, "id" | "attempts">,
  failed: { message: string; now: Date },
): Promise<boolean> {
  const attempts = event.attempts + 1;
  const dead = attempts >= maxEventAttempts;
  await database.transaction((tx) =>
    tx
      .updateTable("esign_events")
      .set({
        attempts,
        last_error: failed.message.slice(0, 500),
        next_try_at: new Date(failed.now.getTime() + backoffSeconds(attempts, backoff) * 1_000),
        dead_at: dead ? failed.now : null,
      })
      .where("id", "=", event.id)
      .where("processed_at", "is", null)
      .execute(),
  );
  return dead;
}
