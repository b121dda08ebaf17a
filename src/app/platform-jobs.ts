/** Housekeeping of the platform's own tables. */
import type { Job } from "#platform/jobs.ts";
import { deleteEndedLimits } from "#platform/store.ts";
import type { PlatformServices } from "#platform/services.ts";

export const platformJobs: readonly Job<PlatformServices>[] = [
  {
    name: "forget-old-limits",
    purpose: "Removes the counts of windows that are over.",
    when: { cron: "*/15 * * * *" },
    whenMoved: "real",
    run: async ({ database, realClock }) => {
      await database.transaction((tx) => deleteEndedLimits(tx, realClock.now()));
    },
  },
];
