import type { ConnectionFailing } from "#calendar/import.rules.ts";
import { enqueueMessage } from "#notifications/index.ts";
import type { Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { verifiedMailbox } from "#users/index.ts";

export async function notifyConnectionFailing(
  tx: Tx,
  { config }: Pick<PlatformServices, "config">,
  event: ConnectionFailing,
): Promise<void> {
  const email = await verifiedMailbox(tx, event.userId);
  if (!email) return;
  const page = event.side === "artist" ? paths.artistArea.calendar : paths.promoterArea.settings("calendar");
  await enqueueMessage(tx, {
    template: "calendar_connection_failing",
    channel: "email",
    to: email,
    params: {
      host: event.host,
      reason: event.message,
      since: new Date(event.failingSince),
      link: `${config.publicUrl}${page}`,
    },
  });
}
