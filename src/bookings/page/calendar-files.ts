/** Calendar files of a show: one event in the venue's time zone. Its UID is stable, because a later file must replace it. */

import { type CalendarMethod, calendarText, showEvent } from "#calendar/event-files/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { isOnlyArtist } from "../policy.ts";
import { type Relation } from "../rules/permissions.rules.ts";
import type { Booking } from "../store.ts";

type Artist = Readonly<{ name: string }>;

export function calendarFile(
  booking: Booking,
  artist: Artist,
  { relation, publicUrl }: Readonly<{ relation: Relation; publicUrl: string }>,
): File {
  const method = booking.status === "canceled" ? "CANCEL" : "PUBLISH";
  const side = isOnlyArtist(relation) ? "artist" : "promoter";
  const page = relation.admin ? paths.admin.booking(booking.id) : pageOf(booking, side);
  const event = showEvent(booking, { side, artistName: artist.name, url: `${publicUrl}${page}` });
  const type = `text/calendar; charset=utf-8; method=${method}`;
  return new File([calendarText([event], { method })], nameOf(booking), { type });
}

type Recipient = Readonly<{
  side: "artist" | "promoter";
  publicUrl: string;
  /** The email address of the entry's first sender. Only the organizer may move or cancel an entry (RFC 5546). */
  organizer: string;
  attendee: { name: string; email: string };
}>;

/** Returns the calendar file of an email: an invitation that the recipient has accepted, or its cancellation. */
export function invitationFile(booking: Booking, artist: Artist, { side, publicUrl, organizer, attendee }: Recipient) {
  const method: CalendarMethod = booking.status === "canceled" ? "CANCEL" : "REQUEST";
  const url = `${publicUrl}${pageOf(booking, side)}`;
  const event = showEvent(booking, { side, artistName: artist.name, url });
  const invitation = { organizer: { name: "Stagedoor", email: organizer }, attendee };
  const text = calendarText([event], { method, invitation });
  return { kind: "calendar", id: booking.id, name: nameOf(booking), text } as const;
}

const nameOf = (booking: Booking): string => `${booking.number}.ics`;

/** The URL omits the secret of a signed link, because calendars are shared. */
function pageOf({ id, promoter_user_id }: Booking, side: "artist" | "promoter"): string {
  if (side === "artist") return paths.artistArea.booking(id);
  return promoter_user_id === null ? paths.guestBooking(id) : paths.promoterArea.booking(id);
}
