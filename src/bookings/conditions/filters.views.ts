import { type RawBuilder, sql } from "kysely";
import type { ContractSide } from "#contracts/rules.ts";
import { containing } from "#platform/db/index.ts";
import { platformDefaults } from "#settings/defaults.rules.ts";
import type { BookingStatus } from "../rules/flow.rules.ts";
import type { SavedFilter } from "../rules/list.rules.ts";
import type { ReadingTime } from "../rules/permissions.rules.ts";
import { savedFilter } from "./saved-filters.views.ts";

export type Filters = Readonly<{
  search?: string | undefined;
  status?: BookingStatus | undefined;
  show?: SavedFilter | undefined;
  /** Days of the request, YYYY-MM-DD, in the platform's time zone. */
  from?: string | undefined;
  to?: string | undefined;
}>;

/** The viewer of a list. An admin sees every booking, a party its own. */
export type ListReading = ReadingTime &
  (Readonly<{ side: "admin" }> | Readonly<{ side: ContractSide; userId: string }>);

/** Returns the condition that a booking `b` matches in artist, promoter, venue or number. A party's own name is not searched. Artists are looked up first, because then both parts use an index (migration 0120). */
export function bookingMatches(text: string, side: ListReading["side"]): RawBuilder<boolean> {
  const pattern = sql`without_accents(${containing(text)}::text)`;
  const words = sql`b.venue_name || chr(10) || b.number`;
  const inBooking = sql<boolean>`without_accents(${side === "promoter" ? words : sql`b.promoter_name || chr(10) || ${words}`}) like ${pattern}`;
  if (side === "artist") return inBooking;
  return sql<boolean>`(${inBooking}
    or b.artist_id = any (array(
      select a.id from artists a
      where (a.is_active and a.name_text like ${pattern}) or (not a.is_active and a.name_text like ${pattern}))))`;
}

/** Returns the filters of a viewer's list as a condition on `bookings b`, for a promoter also on `artists a`: the same for its rows, counts and file. */
export function bookingsWhere({ search, status, show, ...days }: Filters, reading: ListReading): RawBuilder<boolean> {
  const conditions = [
    ownedBy(reading),
    search ? bookingMatches(search, reading.side) : undefined,
    show ? savedFilter(show, reading) : undefined,
    status ? sql<boolean>`b.status = ${status}` : undefined,
    ...onPlatformDays(sql`b.created_at`, days),
  ].filter((one) => one !== undefined);
  return conditions.length > 0 ? sql<boolean>`(${sql.join(conditions, sql` and `)})` : sql<boolean>`true`;
}

/** Returns the conditions that a moment is on the days `from` to `to`, YYYY-MM-DD, both included, in the platform's time zone. */
function onPlatformDays(
  moment: RawBuilder<unknown>,
  { from, to }: Pick<Filters, "from" | "to">,
): RawBuilder<boolean>[] {
  const zone = sql`coalesce((select value->>'timeZone' from settings where scope = 'platform'), ${sql.lit(platformDefaults.timeZone)})`;
  const beginOf = (day: string, later: number) => sql`(${day}::date + ${later}::int)::timestamp at time zone ${zone}`;
  return [
    ...(from ? [sql<boolean>`${moment} >= ${beginOf(from, 0)}`] : []),
    ...(to ? [sql<boolean>`${moment} < ${beginOf(to, 1)}`] : []),
  ];
}

function ownedBy(reading: ListReading): RawBuilder<boolean> | undefined {
  if (reading.side === "admin") return undefined;
  return reading.side === "promoter"
    ? sql<boolean>`b.promoter_user_id = ${reading.userId}::uuid`
    : sql<boolean>`b.artist_id in (select own.id from artists own where own.user_id = ${reading.userId}::uuid)`;
}
