import type { Job } from "#platform/jobs/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { issueNext } from "./issue.ts";

export const invoicingJobs: readonly Job<PlatformServices>[] = [
  {
    name: "issue-documents",
    when: { everySeconds: 2, wokenBy: ["money"] },
    // Time alone makes no document. The job's own loop runs after each step of the clock.
    whenMoved: "never",
    leavesWork: false,
    run: async (services) => {
      await issueNext(services);
    },
  },
];
