/** Issues what is due: new postings at once, and those of an older version in the background. */
import type { Job } from "#platform/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { issueNext } from "./issue.ts";

export const invoicingJobs: readonly Job<PlatformServices>[] = [
  {
    name: "issue-documents",
    when: { everySeconds: 2, wokenBy: ["money"] },
    // Time alone makes no document; after each stop of the clock the loops run all the same.
    whenMoved: () => Promise.resolve(null),
    leavesWork: false,
    run: async (services) => {
      await issueNext(services);
    },
  },
];
