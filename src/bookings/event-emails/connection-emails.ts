import type { ConnectionFailing } from "#calendar/events.rules.ts";
import { listImportConflicts } from "#calendar/import/index.ts";
import type { Payments } from "#gateway/gateway.ts";
import { enqueueMessage } from "#notifications/index.ts";
import type { Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { verifiedMailbox } from "#users/index.ts";
import { emailContextOf } from "../emails/email-context.ts";
import { notifyParty } from "../emails/notify-party.ts";

/** Emails the artist about shows that overlap an entry of another calendar, once per show and entry. */
export async function notifyImportConflicts(tx: Tx, services: Payments, { artistId }: { artistId: string }) {
  for (const conflict of await listImportConflicts(tx, artistId, services.clock.now())) {
    const context = await emailContextOf(tx, services, conflict.booking_id);
    const { entry_from: from, entry_to: to, calendar_name: calendarName } = conflict;
    await notifyParty(tx, context, "artist", {
      template: "calendar_conflict",
      key: `calendar conflict ${from.toISOString()}`,
      params: { calendarName, entry: { from, to, timeZone: context.booking.time_zone } },
    });
  }
}

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
