import type { Selectable } from "kysely";
import type { DB, Reader, Tx } from "#platform/db/index.ts";
import type { NoShowState } from "../rules/no-show.rules.ts";

export type NoShowReport = Selectable<DB["no_show_reports"]>;

export const findNoShow = (reader: Reader, bookingId: string): Promise<NoShowReport | undefined> =>
  reader.selectFrom("no_show_reports").selectAll().where("booking_id", "=", bookingId).executeTakeFirst();

export const noShowStateOf = (report: NoShowReport | undefined): NoShowState =>
  report === undefined ? "none" : report.decided_at === null ? "open" : "decided";

export const insertNoShow = (tx: Tx, report: { bookingId: string; note: string; now: Date }) =>
  tx
    .insertInto("no_show_reports")
    .values({ booking_id: report.bookingId, note: report.note, reported_at: report.now })
    .onConflict((on) => on.column("booking_id").doNothing())
    .execute();

export const writeStatement = (tx: Tx, bookingId: string, stated: { statement: string; by: string; now: Date }) =>
  tx
    .updateTable("no_show_reports")
    .set({ statement: stated.statement, stated_at: stated.now, stated_by: stated.by })
    .where("booking_id", "=", bookingId)
    .where("decided_at", "is", null)
    .where("stated_at", "is", null)
    .execute();

/** Writes the decision about an open report. `by` is the admin, or null if the booking ended otherwise. */
export const writeDecision = (
  tx: Tx,
  bookingId: string,
  decided: { by: string | null; released: number; refunded: number; decision: string; now: Date },
) =>
  tx
    .updateTable("no_show_reports")
    .set({
      decided_at: decided.now,
      decided_by: decided.by,
      released_cents: decided.released,
      refunded_cents: decided.refunded,
      decision: decided.decision,
    })
    .where("booking_id", "=", bookingId)
    .where("decided_at", "is", null)
    .execute();
