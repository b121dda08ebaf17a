/** The signed bookings whose show is over: what the jobs complete or end. */
import { type RawBuilder, sql } from "kysely";
import type { Payments } from "#payments/index.ts";
import { leastCharge } from "../saved-filters.views.ts";

const batch = 100;
const hourMs = 3_600_000;

/** Nothing is left to be paid on this site: `isBalanceSettled` (permissions.rules.ts) as a condition on `bookings b`. */
export const isSettled = sql<boolean>`(b.balance_paid_at is not null or b.balance_cents < ${leastCharge})`;

/**
 * Signed bookings whose show ended at least `hours` ago, that meet a further condition, and of which no reported no-show waits for a
 * decision; the oldest first.
 */
export const overSince = (services: Payments, hours: number, condition: RawBuilder<boolean>) =>
  services.database.db
    .selectFrom("bookings as b")
    .select("b.id")
    .where("b.status", "=", "contract_signed")
    .where("b.ends_at", "<=", new Date(services.clock.now().getTime() - hours * hourMs))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("no_show_reports as n")
            .select("n.booking_id")
            .whereRef("n.booking_id", "=", "b.id")
            .where("n.decided_at", "is", null),
        ),
      ),
    )
    .where(condition)
    .orderBy("b.ends_at")
    .limit(batch)
    .execute();
