import type { Payments } from "#gateway/gateway.ts";
import type { Job } from "#platform/jobs/jobs.ts";
import { watchContracts } from "./deadlines.ts";
import { sealContracts } from "./document/sealing.ts";
import { contractDeadlineTimes, sendingTimes } from "./due.views.ts";
import { providerJobs } from "./provider/jobs.ts";
import { sendContracts } from "./sending.ts";

export const contractJobs: readonly Job<Payments>[] = [
  {
    name: "send-contracts",
    when: { everySeconds: 5, wokenBy: ["booking.status_changed"] },
    whenMoved: sendingTimes,
    run: sendContracts,
  },
  {
    name: "seal-contracts",
    when: { everySeconds: 5, wokenBy: ["booking.status_changed"] },
    whenMoved: "never",
    run: sealContracts,
  },
  { name: "watch-contracts", when: { everySeconds: 60 }, whenMoved: contractDeadlineTimes, run: watchContracts },
  ...providerJobs,
];
