import type { Payments } from "#gateway/gateway.ts";
import type { Job } from "#platform/jobs/jobs.ts";
import { webhookJob } from "#platform/webhooks/processing.ts";
import { reconcile, reconcileRecent } from "./reconcile.ts";
import { processEvents } from "./webhooks/provider-events.ts";

/** Returns false if nothing was applied or found, because its locks and its stored run are no work for other jobs. */
async function reconcileAsJob(services: Payments, how: "hourly" | "nightly"): Promise<void | false> {
  const result = await reconcile(services, how);
  if (!result?.healed && !result?.differences.length) return false;
}

export const reconciliationJobs: readonly Job<Payments>[] = [
  webhookJob("payment-events", "payments", processEvents),
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
