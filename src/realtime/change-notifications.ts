import { sql } from "kysely";
import { z } from "zod";
import { announce, type Database, sentWithNext, type Tx } from "#platform/db/index.ts";
import type { Log } from "#platform/log.ts";
import { type ChangeTopic, changeTopics } from "./api.ts";

const channel = "stagedoor_changes";

const notificationShape = z.object({
  about: z.enum(changeTopics),
  /** The recipients: account ids, and with `admins` every user who is an admin when the notification arrives. */
  to: z.object({ userIds: z.array(z.string()).default([]), admins: z.boolean().default(false) }),
});
export type ChangeNotification = z.infer<typeof notificationShape>;
type Audience = { userIds?: readonly (string | null)[]; admins?: boolean };

/** Notifies an audience at the commit. A payload is limited to 8,000 bytes, which is enough for a few users. */
export async function broadcastChange(tx: Tx, about: ChangeTopic, to: Audience): Promise<void> {
  announce(tx, about);
  const userIds = [...new Set(to.userIds?.filter((id) => id !== null))].sort();
  if (userIds.length === 0 && !to.admins) return;
  const notification: ChangeNotification = { about, to: { userIds, admins: to.admins ?? false } };
  await sql`select pg_notify(${channel}, ${JSON.stringify(notification)}) ${sentWithNext}`.execute(tx);
}

type ChangeListener = { onChange(notification: ChangeNotification): void; onResync(): void };

/** Returns the function that ends listening, after the first attempt to listen. */
export const listenToChanges = ({ database, log }: { database: Database; log: Log }, listener: ChangeListener) =>
  database.listen(channel, {
    onNotification: (payload) => {
      const notification = readNotification(payload);
      if (notification) listener.onChange(notification);
      else log.warn({ payload: payload.slice(0, 200) }, "a change notification is unreadable: a newer version sent it");
    },
    onResync: listener.onResync,
    onError: (error) => log.warn({ err: error }, "change notifications cannot be received; listening is retried"),
  });

function readNotification(payload: string): ChangeNotification | undefined {
  try {
    return notificationShape.parse(JSON.parse(payload));
  } catch {
    return undefined;
  }
}
