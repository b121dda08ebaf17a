/** What time asks of the log. */
import type { Job } from "#platform/jobs.ts";
import type { PlatformServices } from "#platform/services.ts";
import { linkActivity } from "./chain.ts";

export const activityJobs: readonly Job<PlatformServices>[] = [
  {
    name: "link-activity",
    purpose: "Links new entries of the log to the chain of hashes by which a later change is noticed.",
    when: { cron: "* * * * *" },
    run: ({ database }) => linkActivity(database),
  },
];
