import { sql } from "kysely";
import { matchPlace } from "#artists/gazetteer/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { artistSettings } from "#settings/index.ts";
import type { TravelWarning } from "./travel.api.ts";
import { describeLongDrive, longDrivesOf, type PlacedShow } from "./travel.rules.ts";

/** The days before now from which shows are read. At the slowest speed, no drive on Earth takes longer. */
const maxDriveDays = 42;

/** Returns the warnings about upcoming shows, in order of time. A venue in an unknown town is omitted. */
export async function travelWarningsOf(reader: Reader, artistId: string, now: Date): Promise<TravelWarning[]> {
  const [speed, rows] = await Promise.all([
    artistSettings(reader, artistId),
    reader
      .selectFrom("bookings")
      .select(["id", "status", "event_date as date", "time_zone as zone", "venue_address"])
      .select(["starts_at as startsAt", "ends_at as endsAt"])
      .where("artist_id", "=", artistId)
      .where("status", "!=", "canceled")
      .where("ends_at", ">", sql<Date>`${now}::timestamptz - ${maxDriveDays} * interval '1 day'`)
      .where((at) => at.or([at("status", "!=", "initiated"), at("starts_at", ">", now)]))
      .execute(),
  ]);
  const placed = rows.flatMap(({ status, venue_address, ...show }): PlacedShow[] => {
    const town = matchPlace(venue_address);
    return town ? [{ ...show, isRequest: status === "initiated", town }] : [];
  });
  return longDrivesOf(placed, speed)
    .filter(({ next }) => next.startsAt > now)
    .map(({ first, next, drive }) => ({
      first: sideOf(first),
      next: sideOf(next),
      distance: drive.distance,
      distance_unit: speed.travelSpeedUnit === "mph" ? "mi" : "km",
      needed_minutes: drive.neededMinutes,
      available_minutes: drive.availableMinutes,
      message: describeLongDrive(first, next, drive, speed),
    }));
}

const sideOf = ({ id, date, isRequest, town }: PlacedShow) => ({
  booking_id: id,
  event_date: date,
  is_request: isRequest,
  town: town.name,
});
