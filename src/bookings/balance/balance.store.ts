/** SQL of balance schedules and their recorded steps. The caller locks the booking first. */
import type { Selectable } from "kysely";
import type { DB, Reader, Tx } from "#platform/db/index.ts";
import type { BalanceStep } from "../rules/balance-plan.rules.ts";

type Row = Selectable<DB["balance_schedules"]>;
export type BalanceSchedule = Omit<Row, "last_step" | "next_step"> & {
  last_step: BalanceStep | null;
  next_step: BalanceStep | null;
};

export type RecordedStep = BalanceStep | "extended" | "link_created";

export const findSchedule = async (reader: Reader, bookingId: string): Promise<BalanceSchedule | undefined> =>
  (await reader.selectFrom("balance_schedules").selectAll().where("booking_id", "=", bookingId).executeTakeFirst()) as
    | BalanceSchedule
    | undefined;

/** Begins a round. `scheduleNextStep` sets the first step and its time. */
export async function beginRound(
  tx: Tx,
  round: { bookingId: string; round: number; startedAt: Date; dueDay: string | null },
): Promise<BalanceSchedule> {
  const values = { round: round.round, started_at: round.startedAt, due_day: round.dueDay };
  const fresh = { last_step: null, next_step: null, next_at: null };
  return (await tx
    .insertInto("balance_schedules")
    .values({ booking_id: round.bookingId, ...values, ...fresh })
    .onConflict((on) => on.column("booking_id").doUpdateSet({ ...values, ...fresh }))
    .returningAll()
    .executeTakeFirstOrThrow()) as BalanceSchedule;
}

/** Removes the schedule of a balance that can no longer be paid. The next signature begins a new one. */
export const removeSchedule = (tx: Tx, bookingId: string) =>
  tx.deleteFrom("balance_schedules").where("booking_id", "=", bookingId).execute();

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

/** Records a step for the booking's history. Returns false if this round already has it. */
export async function recordStep(
  tx: Tx,
  record: { bookingId: string; round: number; step: RecordedStep; dueDay?: string | null; at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("balance_steps")
    .values({
      booking_id: record.bookingId,
      round: record.round,
      step: record.step,
      due_day: record.dueDay ?? null,
      at: record.at,
    })
    .onConflict((on) => on.columns(["booking_id", "round", "step"]).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
