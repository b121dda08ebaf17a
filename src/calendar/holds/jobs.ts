import type { Database } from "#platform/db/index.ts";
import { publish } from "#platform/event-outbox.ts";
import { type Job, processEach } from "#platform/jobs/jobs.ts";
import type { Log } from "#platform/log.ts";
import type { Clock } from "#platform/time/clock.ts";
import type { HoldChanged } from "../queue.rules.ts";
import { lockQueues, markReminded } from "./queue.store.ts";
import { advanceNight } from "./queue.ts";
import {
  holdDeadlineTimes,
  holdReminderTimes,
  holdsToRemind,
  overdueNights,
  requireHoldArtist,
} from "./queue.views.ts";

type Services = { database: Database; clock: Clock; log: Log; wake(): void };

/** Ends holds and challenges whose time is over, and holds of a removed promoter or artist. The others move up. */
export async function advanceOverdueNights(services: Services): Promise<void> {
  const { database, clock, log } = services;
  await processEach(services, await overdueNights(database.db, clock.now()), {
    work: ({ artist_id: artistId, night }) =>
      database.transaction(async (tx) => {
        await lockQueues(tx, artistId);
        await advanceNight(tx, { artist: await requireHoldArtist(tx, artistId), night }, clock.now());
      }),
    failed: (error, { artist_id: artistId, night }) => log.error({ err: error, artistId, night }, "holds not advanced"),
  });
}

export async function remindOfEnds(services: Services): Promise<void> {
  const { database, clock, log } = services;
  await processEach(services, await holdsToRemind(database.db, clock.now()), {
    work: ({ id, artist_id: artistId }) =>
      database.transaction(async (tx) => {
        await lockQueues(tx, artistId);
        const ending = await markReminded(tx, id, clock.now());
        for (const [until, nights] of Map.groupBy(ending, ({ expires_at }) => expires_at.toISOString()))
          await publish(tx, "hold.changed", {
            holdNightId: nights[0]?.id ?? "",
            change: "ends_soon",
            rank: null,
            until,
            endingNights: nights.map(({ night }) => night),
          } satisfies HoldChanged);
      }),
    failed: (error, { id }) => log.error({ err: error, holdId: id }, "no reminder of the end of a hold"),
  });
}

export const holdsJobs: readonly Job<Services>[] = [
  { name: "advance-holds", when: { everySeconds: 60 }, whenMoved: holdDeadlineTimes, run: advanceOverdueNights },
  { name: "remind-of-hold-ends", when: { everySeconds: 60 }, whenMoved: holdReminderTimes, run: remindOfEnds },
];
