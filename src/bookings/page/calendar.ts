/** The show as a file for calendars: one event in the zone of the venue, with an id that stays, so that a later file replaces it. */
import { calendarText } from "#calendar/calendar-file.rules.ts";
import { showEvent } from "#calendar/show-event.rules.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { type Relation } from "../rules/permissions.rules.ts";
import type { Booking } from "../store.ts";

type Reader = Readonly<{ relation: Relation; publicUrl: string }>;

/** Writes the calendar file: tentative while unpaid, canceled when canceled. */
export function calendarFile(booking: Booking, artist: Readonly<{ name: string }>, reader: Reader): File {
  const method = booking.status === "canceled" ? "CANCEL" : "PUBLISH";
  const { relation } = reader;
  const onlyArtist = relation.artist && !relation.promoter && !relation.admin;
  const event = showEvent(booking, {
    side: onlyArtist ? "artist" : "promoter",
    artistName: artist.name,
    url: `${reader.publicUrl}${pageOf(booking, relation, onlyArtist)}`,
  });
  return new File([calendarText([event], { method })], `${booking.number}.ics`, {
    type: `text/calendar; charset=utf-8; method=${method}`,
  });
}

/** Without the secret of a signed link: calendars are shared. */
function pageOf({ id, promoter_user_id }: Booking, { admin }: Relation, onlyArtist: boolean): string {
  if (admin) return paths.admin.booking(id);
  if (onlyArtist) return paths.artistArea.booking(id);
  return promoter_user_id === null ? paths.guestBooking(id) : paths.promoterArea.booking(id);
}
