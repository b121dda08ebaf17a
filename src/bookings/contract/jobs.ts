import type { Payments } from "#gateway/gateway.ts";
import type { Job } from "#platform/jobs.ts";
import { watchContracts } from "./deadlines.ts";
import { sealContracts } from "./document/sealing.ts";
import { nextContractDeadline, nextSending } from "./due.views.ts";
import { providerJobs } from "./provider-jobs.ts";
import { sendContracts } from "./sending.ts";

export const contractJobs: readonly Job<Payments>[] = [
  {
    name: "send-contracts",
    when: { everySeconds: 5, wokenBy: ["booking.status_changed"] },
    whenMoved: ({ database }, after) => nextSending(database.db, after),
    run: sendContracts,
  },
  {
    name: "seal-contracts",
    when: { everySeconds: 5, wokenBy: ["booking.status_changed"] },
    whenMoved: async () => null,
    run: sealContracts,
  },
  {
    name: "watch-contracts",
    when: { everySeconds: 60 },
    whenMoved: ({ database }, after) => nextContractDeadline(database.db, after),
    run: watchContracts,
  },
  ...providerJobs,
];
