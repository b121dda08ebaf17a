import { sql } from "kysely";
import type { Payments } from "#gateway/gateway.ts";
import type { Job } from "#platform/jobs/jobs.ts";
import { reconcile, reconcileRecent } from "./reconcile.ts";
import { processEvents } from "./webhooks/provider-events.ts";

/** Returns false if nothing was applied or found, because its locks and its stored run are no work for other jobs. */
async function reconcileAsJob(services: Payments, how: "hourly" | "nightly"): Promise<void | false> {
  const result = await reconcile(services, how);
  if (!result?.healed && !result?.differences.length) return false;
}

export const reconciliationJobs: readonly Job<Payments>[] = [
  {
    name: "payment-events",
    when: { everySeconds: 2, wokenBy: ["provider_events"] },
    whenMoved: sql`select next_try_at as at from provider_events where processed_at is null and dead_at is null`,
    run: processEvents,
  },
  {
    name: "payment-heal",
    when: { everySeconds: 600 },
    // Webhooks are lost in real time only. The job locks what it compares, so with a moved clock every round would count as work.
    whenMoved: "real",
    run: reconcileRecent,
  },
  {
    name: "payment-reconcile-night",
    when: { daily: "03:41" },
    whenMoved: "daily",
    run: (services) => reconcileAsJob(services, "nightly"),
  },
  {
    name: "payment-reconcile",
    when: { hourly: 7 },
    whenMoved: "daily",
    run: (services) => reconcileAsJob(services, "hourly"),
  },
];
