/** The show as a file for calendars: one event in the zone of the venue, with an id that stays, so that a later file replaces it. */
import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import { Temporal } from "temporal-polyfill";
import { paths } from "#platform/site-paths.rules.ts";
import { bookingStatusLabel } from "../rules/flow.rules.ts";
import { type Relation } from "../rules/permissions.rules.ts";
import type { Booking } from "../store.ts";

type Reader = Readonly<{ relation: Relation; publicUrl: string }>;

/** Writes the calendar file: tentative while unpaid, canceled when canceled. The booking's version is the SEQUENCE. */
export function calendarFile(booking: Booking, artist: Readonly<{ name: string }>, reader: Reader): File {
  const canceled = booking.status === "canceled";
  const method = canceled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH;
  const calendar = ical({
    prodId: { company: "Stagedoor", product: "Bookings", language: "EN" },
    method,
    // Without a zone of the calendar the moments of the record (DTSTAMP, CREATED, LAST-MODIFIED) are written in UTC (RFC 5545).
    timezone: { name: null, generator: (zone) => zoneComponent(zone, booking.starts_at) },
  });
  const onlyArtist = reader.relation.artist && !reader.relation.promoter && !reader.relation.admin;
  const url = `${reader.publicUrl}${pageOf(booking, reader.relation, onlyArtist)}`;
  calendar.createEvent({
    id: booking.id,
    sequence: booking.version,
    start: inZone(booking.starts_at, booking.time_zone),
    end: inZone(booking.ends_at, booking.time_zone),
    timezone: booking.time_zone,
    stamp: booking.updated_at,
    created: booking.created_at,
    lastModified: booking.updated_at,
    summary: onlyArtist
      ? `${booking.event_type}: ${booking.venue_name}`
      : `${artist.name}, ${booking.event_type.toLowerCase()}`,
    location:
      booking.venue_address === booking.venue_name
        ? booking.venue_name
        : `${booking.venue_name}, ${booking.venue_address}`,
    description: `Booking ${booking.number}, ${bookingStatusLabel(booking.status).toLowerCase()}. ${url}`,
    url,
    status: canceled
      ? ICalEventStatus.CANCELLED
      : booking.status === "initiated"
        ? ICalEventStatus.TENTATIVE
        : ICalEventStatus.CONFIRMED,
  });
  const type = `text/calendar; charset=utf-8; method=${method.toLowerCase()}`;
  return new File([calendar.toString()], `${booking.number}.ics`, { type });
}

/** Without the secret of a signed link: calendars are shared. */
function pageOf({ id, promoter_user_id }: Booking, { admin }: Relation, onlyArtist: boolean): string {
  if (admin) return paths.admin.booking(id);
  if (onlyArtist) return paths.artistArea.booking(id);
  return promoter_user_id === null ? paths.guestBooking(id) : paths.promoterArea.booking(id);
}

const inZone = (at: Date, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);

const compact = (at: Temporal.PlainDateTime): string => at.toString({ smallestUnit: "second" }).replaceAll(/[-:]/g, "");
const offset = (at: Temporal.ZonedDateTime): string => at.offset.replaceAll(":", "").slice(0, 5);

/** The rules of the zone around the event, as RFC 5545 wants them beside it: from the change before it to the one after it. */
function zoneComponent(zone: string, around: Date): string {
  const event = inZone(around, zone);
  const changes = [
    event.add({ nanoseconds: 1 }).getTimeZoneTransition("previous"),
    event.getTimeZoneTransition("next"),
  ];
  const usual = Math.min(...[1, 7].map((month) => event.with({ month, day: 1 }).offsetNanoseconds));
  const parts = changes
    .filter((change) => change !== null)
    .flatMap((change) => part(change.subtract({ nanoseconds: 1 }), change, usual));
  const fixed = [
    "BEGIN:STANDARD",
    "DTSTART:19700101T000000",
    `TZOFFSETFROM:${offset(event)}`,
    `TZOFFSETTO:${offset(event)}`,
    "END:STANDARD",
  ];
  return ["BEGIN:VTIMEZONE", `TZID:${zone}`, ...(parts.length > 0 ? parts : fixed), "END:VTIMEZONE"].join("\r\n");
}

function part(before: Temporal.ZonedDateTime, after: Temporal.ZonedDateTime, usual: number): string[] {
  const name = after.offsetNanoseconds > usual ? "DAYLIGHT" : "STANDARD";
  // The change is written in the time that was valid before it.
  const at = after.toPlainDateTime().subtract({ nanoseconds: after.offsetNanoseconds - before.offsetNanoseconds });
  return [
    `BEGIN:${name}`,
    `DTSTART:${compact(at)}`,
    `TZOFFSETFROM:${offset(before)}`,
    `TZOFFSETTO:${offset(after)}`,
    `END:${name}`,
  ];
}
