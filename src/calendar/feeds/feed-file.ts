import type { Reader } from "#platform/db/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { type CalendarEvent, calendarText } from "../event-files/calendar-file.rules.ts";
import { blockedEvent, busyEvent, showEvent } from "../event-files/show-event.rules.ts";
import { refreshMinutes } from "./rules.ts";
import { type Feed, type FeedShow, listBlockedTimes, listFeedShows } from "./views.ts";

export const eventOf = (show: FeedShow, publicUrl: string): CalendarEvent =>
  showEvent(show, {
    side: show.is_own_act ? "artist" : "promoter",
    artistName: show.artist_name,
    url: `${publicUrl}${(show.is_own_act ? paths.artistArea : paths.promoterArea).booking(show.id)}`,
  });

/** Returns the text of a feed, with the artist's blocked times. The public one has busy times only, without title, venue and promoter. */
export async function feedText(reader: Reader, feed: Feed, at: { publicUrl: string; now: Date }): Promise<string> {
  const shows = await listFeedShows(reader, feed, at.now);
  const zone = feed.time_zone ?? "UTC";
  const blocked = (await listBlockedTimes(reader, feed, at.now)).map((time) => blockedEvent(time, zone));
  const own = feed.artist_name ?? "Stagedoor";
  const isPublic = feed.kind === "public";
  const events = shows.map((show) =>
    isPublic ? busyEvent(show, feed.time_zone ?? show.time_zone) : eventOf(show, at.publicUrl),
  );
  const name = isPublic ? `${own}: busy` : feed.artist_name === null ? "Stagedoor bookings" : `${own}: shows`;
  return calendarText([...events, ...blocked], { method: "PUBLISH", feed: { name, refreshMinutes } });
}
