/** Decides whether an artist can drive between two shows in time. The result is only a warning and refuses no request. */

import { milesBetween } from "#artists/nights/travel.rules.ts";
import { formatDay, timeIn } from "#platform/time/calendar.rules.ts";
import { minuteMs } from "#platform/time/durations.rules.ts";
import { distanceUnitNames, speedUnitNames } from "#settings/choices.rules.ts";
import type { ArtistSettings } from "#settings/rules.ts";

export type Speed = Readonly<Pick<ArtistSettings, "travelSpeed" | "travelSpeedUnit">>;

/** A show or request with a known town. `zone` is local to the event. */
export type PlacedShow = Readonly<{
  id: string;
  isRequest: boolean;
  date: string;
  zone: string;
  startsAt: Date;
  endsAt: Date;
  town: Readonly<{ name: string; lat: number; lon: number }>;
}>;

/** `distance` is in a straight line, in kilometers or miles as the speed. */
export type LongDrive = Readonly<{ distance: number; neededMinutes: number; availableMinutes: number }>;

const kilometersPerMile = 1.609344;

/** Returns the drive between two shows, or null if there is time for it. Distances are in a straight line (issue 22, section 1), so a real drive takes longer. */
export function longDriveBetween(first: PlacedShow, next: PlacedShow, speed: Speed): LongDrive | null {
  const miles = milesBetween(first.town, next.town);
  const distance = speed.travelSpeedUnit === "mph" ? miles : Math.round(miles * kilometersPerMile);
  const neededMinutes = Math.ceil((distance / speed.travelSpeed) * 60);
  const availableMinutes = Math.max(0, Math.floor((next.startsAt.getTime() - first.endsAt.getTime()) / minuteMs));
  return neededMinutes > availableMinutes ? { distance, neededMinutes, availableMinutes } : null;
}

/** Returns the pairs of neighboring shows without enough time for the drive, in order. A request is compared only with the shows before and after it. */
export function longDrivesOf(all: readonly PlacedShow[], speed: Speed) {
  const sorted = all.toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime());
  const pairs = sorted.flatMap((one, at) => {
    const before = sorted.slice(0, at).findLast(({ isRequest }) => !isRequest);
    const after = sorted.slice(at + 1).find(({ isRequest }) => !isRequest);
    return [
      ...(before ? [{ first: before, next: one }] : []),
      ...(one.isRequest && after ? [{ first: one, next: after }] : []),
    ];
  });
  return pairs.flatMap((pair) => {
    const drive = longDriveBetween(pair.first, pair.next, speed);
    return drive ? [{ ...pair, drive }] : [];
  });
}

const durationText = (minutes: number): string =>
  [minutes >= 60 ? `${Math.floor(minutes / 60)} h` : "", minutes % 60 > 0 || minutes === 0 ? `${minutes % 60} min` : ""]
    .filter(Boolean)
    .join(" ");

export function describeLongDrive(first: PlacedShow, next: PlacedShow, drive: LongDrive, speed: Speed): string {
  const day = ({ date, town }: PlacedShow) => `${formatDay(date, { short: true })} in ${town.name}`;
  const unit = speed.travelSpeedUnit;
  return (
    `${day(first)} ends at ${timeIn(first.zone, first.endsAt)}, and ${day(next)} begins at ${timeIn(next.zone, next.startsAt)}. ` +
    `The distance is ${drive.distance} ${distanceUnitNames[unit]} in a straight line. ` +
    `At ${speed.travelSpeed} ${speedUnitNames[unit]} the drive takes ${durationText(drive.neededMinutes)}, and there is ${durationText(drive.availableMinutes)} between the shows.`
  );
}
