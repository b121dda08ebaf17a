/** SQL of balance schedules and their recorded steps. The caller locks the booking first. */

import type { Insertable, Selectable } from "kysely";
import type { DB, Reader, Tx } from "#platform/db/index.ts";
import type { BalanceStep } from "../rules/money/balance-plan.rules.ts";

export type BalanceSchedule = Selectable<DB["balance_schedules"]>;

export const findSchedule = (reader: Reader, bookingId: string): Promise<BalanceSchedule | undefined> =>
  reader.selectFrom("balance_schedules").selectAll().where("booking_id", "=", bookingId).executeTakeFirst();

export function beginRound(
  tx: Tx,
  { bookingId, ...begun }: { bookingId: string } & Pick<BalanceSchedule, "round" | "started_at" | "due_day">,
): Promise<BalanceSchedule> {
  const values = { ...begun, last_step: null, next_step: null, next_at: null };
  return tx
    .insertInto("balance_schedules")
    .values({ booking_id: bookingId, ...values })
    .onConflict((on) => on.column("booking_id").doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Removes the schedule of a balance whose signature was withdrawn. The next signature begins a new one, with the same steps. Returns true if the balance was requested before. */
export async function removeSchedule(tx: Tx, bookingId: string, now: Date): Promise<boolean> {
  await tx.deleteFrom("balance_schedules").where("booking_id", "=", bookingId).execute();
  const { numUpdatedRows } = await tx
    .updateTable("balance_steps")
    .set({ withdrawn_at: now })
    .where("booking_id", "=", bookingId)
    .where("withdrawn_at", "is", null)
    .where("step", "<>", "link_created")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores the last step and the next one with its time. A null `next` stops the schedule. */
export const scheduleNextStep = (
  tx: Tx,
  bookingId: string,
  to: { last: BalanceStep | null; next: { step: BalanceStep; at: Date } | null },
) =>
  tx
    .updateTable("balance_schedules")
    .set({ last_step: to.last, next_step: to.next?.step ?? null, next_at: to.next?.at ?? null })
    .where("booking_id", "=", bookingId)
    .execute();

/** Records a step for the booking's history, once per round of a signature. */
export const recordStep = (tx: Tx, row: Insertable<DB["balance_steps"]>) =>
  tx
    .insertInto("balance_steps")
    .values(row)
    .onConflict((on) => on.columns(["booking_id", "round", "step"]).where("withdrawn_at", "is", null).doNothing())
    .execute();
