import { type RawBuilder, sql } from "kysely";
import { type Payments } from "#gateway/gateway.ts";
import type { TemplateName } from "#notifications/index.ts";
import { hasDispute, hasOpenObjection } from "#payouts/index.ts";
import { firstRowOf, hasRow, type Reader } from "#platform/db/index.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import type { CompletionBlock } from "../rules/completion.rules.ts";
import { noShowReportHours } from "../rules/no-show.rules.ts";
import { minCharge } from "./saved-filters.views.ts";

const batch = 100;

export const isPaidInFull = sql<boolean>`(b.balance_paid_at is not null or b.balance_cents < ${minCharge})`;

/** Returns the first completion block of a booking `b`, or null if it can be completed after its show. */
export const completionBlock = sql<CompletionBlock | null>`(
  select case
    when ${hasOpenObjection} then 'objection'
    when exists (select 1 from no_show_reports n where n.booking_id = b.id and n.decided_at is null) then 'no_show'
    when ${hasDispute} then 'dispute'
    when not ${isPaidInFull} then 'balance'
  end from (select b.id as booking_id) p)`;

/** SQL condition: the promoter of a booking `b` objects to the attested signature, and no admin has decided. */
export const hasPromoterObjection = sql<boolean>`exists (
  select 1 from contracts k join contract_objections o on o.contract_id = k.id
  where k.booking_id = b.id and o.side = 'promoter' and o.decided_at is null)`;

/** Returns true if the promoter may not cancel, because of their own undecided objection. */
export const promoterObjects = (reader: Reader, bookingId: string): Promise<boolean> =>
  hasRow(reader)`select 1 from bookings b where b.id = ${bookingId}::uuid and ${hasPromoterObjection}`;

export async function completionBlockOf(reader: Reader, bookingId: string): Promise<CompletionBlock | null> {
  const row = await firstRowOf<{ block: CompletionBlock | null }>(reader)`
    select ${completionBlock} as block from bookings b where b.id = ${bookingId}::uuid`;
  return row?.block ?? null;
}

export const wasMessageSent = (template: TemplateName): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from messages m where m.ref_id = b.id::text and m.template = ${template})`;

/** Returns the condition that the promoter of a booking `b` can still report a no-show, and has not been requested to confirm the show. */
export const mayRequestConfirmation = (now: Date): RawBuilder<boolean> => sql<boolean>`(
  b.ends_at + ${noShowReportHours} * interval '1 hour' > ${now}::timestamptz
  and not exists (select 1 from no_show_reports n where n.booking_id = b.id)
  and not ${wasMessageSent("show_confirmation")})`;

/** Returns signed bookings whose show ended `hours` ago. In random order, because failing ones must not block the others. */
export const findEndedShows = (services: Payments, hours: number, condition: RawBuilder<boolean>) =>
  services.database.db
    .selectFrom("bookings as b")
    .select("b.id")
    .where("b.status", "=", "contract_signed")
    .where("b.ends_at", "<=", new Date(services.clock.now().getTime() - hours * hourMs))
    .where(condition)
    .orderBy(sql`random()`)
    .limit(batch)
    .execute();
