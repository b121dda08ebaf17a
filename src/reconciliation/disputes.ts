/** Compares disputes: those that the provider opened, and those that are open here, regardless of age. */
import { recordDispute, fetchDispute, disputeStatuses, openDisputes } from "#disputes/index.ts";
import { type PaymentGateway, type Payments, ProviderFailure, type Span } from "#gateway/gateway.ts";
import type { Reconciliation } from "#payments/provider-sync.ts";

export async function reconcileDisputes(
  services: Payments,
  gateway: PaymentGateway,
  span: Span,
  result: Reconciliation,
): Promise<void> {
  const before = await disputeStatuses(services.database.db);
  const seen = new Set<string>();
  for await (const reported of gateway.listDisputes(span)) {
    seen.add(reported.ref);
    if ((await recordDispute(services, gateway, reported)) === "done") result.compared += 1;
  }
  const open = await openDisputes(services.database.db);
  for (const { provider_ref: ref, amount, currency, opened_at: occurredAt } of open) {
    if (seen.has(ref)) continue;
    result.compared += 1;
    try {
      await fetchDispute(services, gateway, ref);
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.kind !== "missing") throw error;
      const what = "the provider does not know this dispute";
      result.differences.push({ kind: "dispute", what, ref, amount, currency, occurredAt });
    }
  }
  for (const [ref, status] of await disputeStatuses(services.database.db))
    if (before.get(ref) !== status) result.healed += 1;
}
