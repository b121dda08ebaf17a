/** Compares disputes: those that the provider opened, and those that are open here, regardless of age. */

import { recordDispute, fetchDispute, disputeStatuses, openDisputes } from "#disputes/index.ts";
import { unlessMissing } from "#gateway/gateway.ts";
import type { Comparison } from "./missing-state.ts";

export async function reconcileDisputes({ services, gateway, span, result }: Comparison): Promise<void> {
  const { db } = services.database;
  const before = await disputeStatuses(db);
  const seen = new Set<string>();
  for await (const reported of gateway.listDisputes(span)) {
    seen.add(reported.ref);
    if ((await recordDispute(services, gateway, reported)) === "done") result.compared += 1;
  }
  for (const { provider_ref: ref, amount, currency, opened_at: occurredAt } of await openDisputes(db)) {
    if (seen.has(ref)) continue;
    result.compared += 1;
    if (await unlessMissing(fetchDispute(services, gateway, ref))) continue;
    const what = "the provider does not know this dispute";
    result.differences.push({ kind: "dispute", what, ref, amount, currency, occurredAt });
  }
  for (const [ref, status] of await disputeStatuses(db)) if (before.get(ref) !== status) result.healed += 1;
}
