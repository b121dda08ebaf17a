import type { Database } from "#platform/db/index.ts";
import type { Job } from "#platform/jobs.ts";
import type { Log } from "#platform/log.ts";
import { workThrough } from "#platform/jobs.ts";
import type { Clock } from "#platform/time/clock.ts";
import { nextHoldDeadline, overdueNights, requireHoldArtist } from "./holds.views.ts";
import { advanceNight } from "./queue.ts";
import { lockQueues } from "./queue.store.ts";

type Services = { database: Database; clock: Clock; log: Log; wake(): void };

/** Ends holds and challenges whose time is over, and holds of a removed promoter or artist. The others move up. */
export async function advanceOverdueNights(services: Services): Promise<void> {
  const { database, clock, log } = services;
  await workThrough(services, await overdueNights(database.db, clock.now()), {
    work: ({ artist_id: artistId, night }) =>
      database.transaction(async (tx) => {
        await lockQueues(tx, artistId);
        await advanceNight(tx, { artist: await requireHoldArtist(tx, artistId), night }, clock.now());
      }),
    failed: (error, { artist_id: artistId, night }) => log.error({ err: error, artistId, night }, "holds not advanced"),
  });
}

export const holdsJobs: readonly Job<Services>[] = [
  {
    name: "advance-holds",
    when: { everySeconds: 60 },
    whenMoved: ({ database }, after) => nextHoldDeadline(database.db, after),
    run: advanceOverdueNights,
  },
];
