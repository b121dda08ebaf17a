import type { CalendarEvent } from "./calendar-file.rules.ts";

export type Show = Readonly<{
  id: string;
  number: string;
  version: number;
  status: string;
  event_type: string;
  promoter_name: string;
  venue_name: string;
  venue_address: string;
  time_zone: string;
  starts_at: Date;
  ends_at: Date;
  created_at: Date;
  updated_at: Date;
}>;

/** `artist`: the event names the promoter and the venue. Otherwise it names the artist. `url` must grant no access: calendars are shared. */
type ShowRecipient = Readonly<{ side: "artist" | "promoter"; artistName: string; url: string }>;

/** Returns the show as an event: tentative while it is a request, canceled when it is canceled. The booking's version is the SEQUENCE. */
export function showEvent(show: Show, { side, artistName, url }: ShowRecipient): CalendarEvent {
  const what =
    side === "artist" ? `${show.event_type}: ${show.venue_name}` : `${artistName}, ${show.event_type.toLowerCase()}`;
  const { venue_name: venue, venue_address: address } = show;
  return {
    ...timesOf(show),
    summary: show.status === "initiated" ? `Request: ${what}` : what,
    location: address === venue ? venue : `${venue}, ${address}`,
    description: `Booking ${show.number}${side === "artist" ? `, ${show.promoter_name}` : ""}. ${url}`,
    url,
  };
}

export const busyEvent = (show: Show, timeZone: string): CalendarEvent => ({
  ...timesOf(show),
  timeZone,
  summary: "Busy",
});

export const isBlockedUid = (uid: string, artistId: string): boolean => uid.toLowerCase().endsWith(`.${artistId}`);

/** Returns a time that the artist blocked, without the note. It has no later version: a change makes another time. */
export const blockedEvent = (
  blocked: Readonly<{ id: string; artist_id: string; starts_at: Date; ends_at: Date; created_at: Date }>,
  timeZone: string,
): CalendarEvent => ({
  uid: `${blocked.id}.${blocked.artist_id}`,
  sequence: 0,
  startsAt: blocked.starts_at,
  endsAt: blocked.ends_at,
  timeZone,
  createdAt: blocked.created_at,
  changedAt: blocked.created_at,
  status: "confirmed",
  summary: "Busy",
});

function timesOf(show: Show) {
  const status =
    show.status === "canceled" ? "canceled" : show.status === "initiated" ? "tentative" : ("confirmed" as const);
  return {
    uid: show.id,
    sequence: show.version,
    startsAt: show.starts_at,
    endsAt: show.ends_at,
    timeZone: show.time_zone,
    createdAt: show.created_at,
    changedAt: show.updated_at,
    status,
  } as const;
}
