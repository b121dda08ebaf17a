import { sql } from "kysely";
import { matchPlace } from "#artists/index.ts";
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
      .select(["id", "status", "event_date", "time_zone", "starts_at", "ends_at", "venue_address"])
      .where("artist_id", "=", artistId)
      .where("status", "!=", "canceled")
      .where("ends_at", ">", sql<Date>`${now}::timestamptz - ${maxDriveDays} * interval '1 day'`)
      .where((at) => at.or([at("status", "!=", "initiated"), at("starts_at", ">", now)]))
      .execute(),
  ]);
  const placed = rows.flatMap((row): PlacedShow[] => {
    const town = matchPlace(row.venue_address);
    return town ? [{ ...placeless(row), town }] : [];
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

type Row = {
  id: string;
  status: string;
  event_date: string;
  time_zone: string;
  starts_at: Date;
  ends_at: Date;
};

const placeless = ({ id, status, event_date, time_zone, starts_at, ends_at }: Row): Omit<PlacedShow, "town"> => ({
  id,
  isRequest: status === "initiated",
  date: event_date,
  zone: time_zone,
  startsAt: starts_at,
  endsAt: ends_at,
});

const sideOf = ({ id, date, isRequest, town }: PlacedShow) => ({
  booking_id: id,
  event_date: date,
  is_request: isRequest,
  town: town.name,
});
