/** SQL that writes or locks how a balance is asked for. The booking is locked first, by whoever calls this. */
import type { Selectable } from "kysely";
import type { DB, Reader, Tx } from "#platform/db/index.ts";
import type { BalanceStep } from "../rules/ladder.rules.ts";

type Row = Selectable<DB["balance_schedules"]>;
export type BalanceSchedule = Omit<Row, "last_step" | "next_step"> & {
  last_step: BalanceStep | null;
  next_step: BalanceStep | null;
};

/** A step as it is kept: one of the ladder, the artist's extension, or the link that the artist has made. */
export type RecordedStep = BalanceStep | "extended" | "link_created";

export const findSchedule = async (reader: Reader, bookingId: string): Promise<BalanceSchedule | undefined> =>
  (await reader.selectFrom("balance_schedules").selectAll().where("booking_id", "=", bookingId).executeTakeFirst()) as
    | BalanceSchedule
    | undefined;

/** Begins a round, the first one or the next; the step and the moment of its first one follow with `scheduleNextStep`. */
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

/** Removes the schedule of a balance that cannot be paid any more; it begins again with the next signature. */
export const removeSchedule = (tx: Tx, bookingId: string) =>
  tx.deleteFrom("balance_schedules").where("booking_id", "=", bookingId).execute();

/** Stores which step was done last and when the ladder is looked at again; without `next` it is not. */
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

/** Keeps a step for the booking's history; false when this round has it already. */
export async function recordStep(
  tx: Tx,
  kept: { bookingId: string; round: number; step: RecordedStep; dueDay?: string | null; at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("balance_steps")
    .values({
      booking_id: kept.bookingId,
      round: kept.round,
      step: kept.step,
      due_day: kept.dueDay ?? null,
      at: kept.at,
    })
    .onConflict((on) => on.columns(["booking_id", "round", "step"]).doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
