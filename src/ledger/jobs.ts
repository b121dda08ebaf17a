import type { Job } from "#platform/jobs/jobs.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { addToDailySums } from "./daily-sums.store.ts";

export const ledgerJobs: readonly Job<PlatformServices>[] = [
  {
    name: "sum-ledger",
    when: { everySeconds: 60 },
    whenMoved: "real",
    run: ({ database }) => addToDailySums(database),
  },
];
