/**
 * Hints between processes: "what you may be looking at has changed". A hint leaves with the commit of its cause, or not at
 * all, and reaches every process that listens. It carries no data of people; whoever hears it asks again, with their own rights.
 */
import { sql } from "kysely";
import { z } from "zod";
import type { Database, Tx } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";

const channel = "stagedoor_signals";

/** What can have changed: what a person may do, the lists of people, of claims and of bookings, the sums of money. */
export const topics = ["access", "people", "claims", "bookings", "money"] as const;
export type Topic = (typeof topics)[number];

const hintShape = z.object({
  about: z.enum(topics),
  /** Account ids; and with `admins` everybody who is one when the hint arrives. */
  to: z.object({ userIds: z.array(z.string()).default([]), admins: z.boolean().default(false) }),
});
export type ChangeNotification = z.infer<typeof hintShape>;
type Audience = { userIds?: readonly (string | null)[]; admins?: boolean };

/**
 * Tells the people of an audience at the commit that something has changed. Equal hints of one transaction are one.
 * A payload of PostgreSQL ends at 8,000 bytes: an audience is a handful of people, never a list of everybody.
 */
export async function signal(tx: Tx, about: Topic, to: Audience): Promise<void> {
  const userIds = [...new Set(to.userIds?.filter((id) => id !== null))].sort();
  if (userIds.length === 0 && !to.admins) return;
  const hint: ChangeNotification = { about, to: { userIds, admins: to.admins ?? false } };
  await sql`select pg_notify(${channel}, ${JSON.stringify(hint)})`.execute(tx);
}

export type Signals = { close(): Promise<void> };

/**
 * Listens until closed; returns when the first attempt to listen is over. `resync` is called after every gap: what was
 * said meanwhile is lost, so everything may have changed.
 */
export async function listenToSignals(
  parts: { database: Database; log: Log },
  ear: { hint(hint: ChangeNotification): void; resync(): void },
): Promise<Signals> {
  const { database, log } = parts;
  const close = await database.listen(channel, {
    heard: (payload) => {
      const hint = readHint(payload);
      if (hint) ear.hint(hint);
      else log.warn({ payload: payload.slice(0, 200) }, "a signal could not be read: a newer version may have sent it");
    },
    resync: ear.resync,
    trouble: (error) => log.warn({ err: error }, "signals cannot be heard at the moment; listening is tried again"),
  });
  return { close };
}

function readHint(payload: string): ChangeNotification | undefined {
  try {
    return hintShape.parse(JSON.parse(payload));
  } catch {
    return undefined;
  }
}
