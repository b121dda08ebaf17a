import { createHash } from "node:crypto";
import { findArtistOf } from "#artists/index.ts";
import type { Reader } from "#platform/db/index.ts";
import { calendarText } from "../event-files/calendar-file.rules.ts";
import { eventOf } from "../feeds/feed-file.ts";
import { listFeedShows } from "../feeds/views.ts";
import type { CalendarConnection } from "./store.ts";
import type { WantedShow } from "./write-shows.ts";

/** Returns the shows for the calendar, by booking: those of the private feed without the canceled ones. */
export async function wantedShows(
  reader: Reader,
  { user_id }: Pick<CalendarConnection, "user_id">,
  at: { publicUrl: string; now: Date },
): Promise<Map<string, WantedShow>> {
  const artist = await findArtistOf(reader, user_id);
  const shows = await listFeedShows(reader, { user_id, kind: "private", artist_id: artist?.id ?? null }, at.now);
  return new Map(
    shows
      .filter(({ status }) => status !== "canceled")
      .map((show) => {
        const text = calendarText([eventOf(show, at.publicUrl)], {});
        return [show.id, { version: show.version, text, digest: createHash("sha256").update(text).digest("hex") }];
      }),
  );
}
