import type { Job } from "#platform/jobs/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { findChainHead, linkActivity } from "./chain.ts";

export const activityJobs: readonly Job<PlatformServices>[] = [
  {
    name: "link-activity",
    when: { everySeconds: 60 },
    whenMoved: "real",
    run: ({ database }) => linkActivity(database),
  },
  {
    name: "log-activity-chain",
    when: { hourly: 0 },
    whenMoved: "real",
    run: async ({ database, log }) => {
      const head = await findChainHead(database.db);
      if (head) log.info({ activityLink: `${head.number}:${head.hash}` }, "the newest link of the activity log");
    },
  },
];
