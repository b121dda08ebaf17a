import { deleteEndedLimits } from "#platform/db/platform.store.ts";
import type { Job } from "#platform/jobs.ts";
import { enforceRetention } from "#platform/personal-data.store.ts";
import type { Services } from "./services.ts";

export const platformJobs: readonly Job<Services>[] = [
  {
    name: "forget-old-limits",
    when: { everySeconds: 900 },
    whenMoved: "real",
    run: async ({ database, realClock }) => {
      await database.transaction((tx) => deleteEndedLimits(tx, realClock.now()));
    },
  },
  {
    name: "enforce-retention",
    when: { daily: "03:41" },
    whenMoved: "daily",
    leavesWork: false,
    run: async ({ database, clock, personalDataTables, log }) => {
      const changed = await enforceRetention(database, personalDataTables, clock.now());
      if (Object.keys(changed).length > 0) log.info({ changed }, "expired personal data was removed");
    },
  },
];
