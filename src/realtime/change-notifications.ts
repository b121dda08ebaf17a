/**
 * Notifications between processes: "what you may be looking at has changed". A notification is sent when its transaction commits,
 * or not at all, and reaches every listening process. It carries no personal data; the receiver reads again, with its own rights.
 */
import { sql } from "kysely";
import { z } from "zod";
import type { Database, Tx } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";

const channel = "stagedoor_signals";

/** What can have changed: a person's access, the lists of people, of claims and of bookings, the sums of money. */
export const topics = ["access", "people", "claims", "bookings", "money"] as const;
export type Topic = (typeof topics)[number];

const notificationShape = z.object({
  about: z.enum(topics),
  /** Account ids; and with `admins` everybody who is one when the notification arrives. */
  to: z.object({ userIds: z.array(z.string()).default([]), admins: z.boolean().default(false) }),
});
export type ChangeNotification = z.infer<typeof notificationShape>;
type Audience = { userIds?: readonly (string | null)[]; admins?: boolean };

/**
 * Notifies the people of an audience, at the commit, that something has changed. Equal notifications of one transaction are one.
 * A payload of PostgreSQL ends at 8,000 bytes: an audience is a handful of people, never a list of everybody.
 */
export async function broadcastChange(tx: Tx, about: Topic, to: Audience): Promise<void> {
  const userIds = [...new Set(to.userIds?.filter((id) => id !== null))].sort();
  if (userIds.length === 0 && !to.admins) return;
  const notification: ChangeNotification = { about, to: { userIds, admins: to.admins ?? false } };
  await sql`select pg_notify(${channel}, ${JSON.stringify(notification)})`.execute(tx);
}

export type ChangeListener = { close(): Promise<void> };

/**
 * Listens until closed; returns when the first attempt to listen is over. `onResync` is called after every interruption:
 * what was sent meanwhile is lost, so everything may have changed.
 */
export async function listenToChanges(
  parts: { database: Database; log: Log },
  listener: { onChange(notification: ChangeNotification): void; onResync(): void },
): Promise<ChangeListener> {
  const { database, log } = parts;
  const close = await database.listen(channel, {
    onNotification: (payload) => {
      const notification = readNotification(payload);
      if (notification) listener.onChange(notification);
      else
        log.warn(
          { payload: payload.slice(0, 200) },
          "a notification could not be read: a newer version may have sent it",
        );
    },
    onResync: listener.onResync,
    onError: (error) => log.warn({ err: error }, "notifications cannot be received; the connection is tried again"),
  });
  return { close };
}

function readNotification(payload: string): ChangeNotification | undefined {
  try {
    return notificationShape.parse(JSON.parse(payload));
  } catch {
    return undefined;
  }
}
