/** The times at which booking jobs have work. The demo's clock stops there (app/clock/advance.ts). */

import { type NotNull, sql } from "kysely";
import { expiredHoldsBefore, holdLimits } from "#calendar/checkout-hold.rules.ts";
import type { Reader } from "#platform/db/index.ts";
import { isPaidInFull } from "./conditions/completion.views.ts";
import { completionHours, lastRequestDays, unpaidBalanceDays } from "./rules/deadlines.rules.ts";

export const unpaidShowTimes = sql`select least(starts_at, answer_due_at) as at from bookings where status = 'initiated'`;

export const holdEndTimes = sql`
  select expires_at + ${holdLimits.graceMinutes} * interval '1 minute' as at
  from date_reservations where kind = 'hold' and booking_id is not null`;

export const showEndTimes = sql`select ends_at as at from bookings where status = 'contract_signed'`;

export const completionTimes = sql`
  select b.ends_at + ${completionHours} * interval '1 hour' as at from bookings b
  where b.status = 'contract_signed' and ${isPaidInFull}`;

export const unpaidBalanceTimes = sql`
  select greatest(b.ends_at, s.started_at) + days * interval '24 hours' as at
  from unnest(array[${sql.lit(unpaidBalanceDays)}, ${sql.lit(unpaidBalanceDays - lastRequestDays)}]) days, bookings b left join balance_schedules s on s.booking_id = b.id
  where b.status = 'contract_signed' and b.balance_unpayable_at is null and not ${isPaidInFull}`;

export const balanceStepTimes = sql`select next_at as at from balance_schedules`;

export const proposalExpiryTimes = sql`select expires_at as at from force_majeure_proposals where closed_at is null`;

/** Returns bookings whose hold should have ended, by its deadline or because the booking was canceled. At most `limit`, in random order, because failing ones must not block the others. */
export const overdueHolds = (reader: Reader, now: Date, limit: number) =>
  reader
    .selectFrom("date_reservations")
    .select(["booking_id", "artist_id"])
    .where("kind", "=", "hold")
    .where("booking_id", "is not", null)
    .$narrowType<{ booking_id: NotNull }>()
    .where((eb) =>
      eb.or([
        eb("expires_at", "<=", expiredHoldsBefore(now)),
        eb("booking_id", "in", eb.selectFrom("bookings").select("id").where("status", "=", "canceled")),
      ]),
    )
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
