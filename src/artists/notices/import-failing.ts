import type { ImportFailing } from "#calendar/events.rules.ts";
import { enqueueMessage } from "#notifications/index.ts";
import type { Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { verifiedMailbox } from "#users/index.ts";

export async function notifyImportFailing(tx: Tx, { config }: Pick<PlatformServices, "config">, event: ImportFailing) {
  const artist = await tx
    .selectFrom("artists")
    .select(["name", "user_id", "time_zone"])
    .where("id", "=", event.artistId)
    .executeTakeFirst();
  const email = artist?.user_id ? await verifiedMailbox(tx, artist.user_id) : null;
  if (!artist || !email) return;
  await enqueueMessage(tx, {
    template: "calendar_failing",
    channel: "email",
    to: email,
    params: {
      artistName: artist.name,
      calendarName: event.name,
      reason: event.message,
      since: { at: new Date(event.failingSince), timeZone: artist.time_zone },
      link: `${config.publicUrl}${paths.artistArea.calendar}`,
    },
  });
}
