import { sql } from "kysely";
import type { Payments } from "#gateway/gateway.ts";
import type { Job } from "#platform/jobs/jobs.ts";
import { sendEvidence } from "./response/evidence.ts";

export const disputesJobs: readonly Job<Payments>[] = [
  {
    name: "payment-disputes",
    when: { everySeconds: 5, wokenBy: ["evidence"] },
    whenMoved: sql`select next_try_at as at from dispute_evidence where status in ('requested', 'submitted')`,
    run: sendEvidence,
  },
];
