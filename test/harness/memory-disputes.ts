/** Disputes of the provider in memory, as tests set them. */
import { randomUUID } from "node:crypto";
import type { DisputeGateway, ProviderDispute } from "#payments/disputes/dispute-gateway.ts";
import { ProviderFailure } from "#payments/gateway.ts";

/** Disputes by their reference; `failures` make the next submissions fail before or after they have done their work. */
export function memoryDisputes() {
  const disputes = new Map<string, ProviderDispute>();
  const submitted: { dispute: string; key: string; parts: Readonly<Record<string, string>> }[] = [];
  const accepted: { dispute: string; key: string }[] = [];
  const uploads = new Map<string, string>();
  const failures: ("away" | "lost" | "server_error" | "refused")[] = [];
  const need = (ref: string): ProviderDispute => {
    const found = disputes.get(ref);
    if (!found) throw new ProviderFailure("missing", "no such dispute");
    return found;
  };
  const gateway: DisputeGateway = {
    retrieveDispute: async (ref) => need(ref),
    async *listDisputes() {
      yield* disputes.values();
    },
    uploadEvidenceFile: async ({ key }) => {
      uploads.set(key, uploads.get(key) ?? `file_${randomUUID()}`);
      return uploads.get(key) ?? "";
    },
    submitEvidence: async ({ dispute, key, parts }) => {
      const failure = failures.shift();
      if (failure === "refused") throw new ProviderFailure("refused", "This dispute takes no evidence.");
      if (failure === "away") throw new ProviderFailure("no_answer", "the provider is away");
      if (!submitted.some((one) => one.key === key)) {
        const known = need(dispute);
        submitted.push({ dispute, key, parts });
        disputes.set(dispute, { ...known, status: "under_review", submissions: known.submissions + 1 });
      }
      if (failure === "lost") throw new ProviderFailure("no_answer", "the answer was lost");
      if (failure === "server_error") throw new ProviderFailure("server_error", "the provider failed");
      return need(dispute);
    },
    acceptDispute: async ({ dispute, key }) => {
      const failure = failures.shift();
      if (failure === "refused") throw new ProviderFailure("refused", "This dispute cannot be closed.");
      if (failure === "away") throw new ProviderFailure("no_answer", "the provider is away");
      if (need(dispute).status === "lost") throw new ProviderFailure("refused", "This dispute is already closed.");
      accepted.push({ dispute, key });
      disputes.set(dispute, { ...need(dispute), status: "lost" });
      if (failure === "lost") throw new ProviderFailure("no_answer", "the answer was lost");
      if (failure === "server_error") throw new ProviderFailure("server_error", "the provider failed");
      return need(dispute);
    },
  };
  return { gateway, disputes, submitted, accepted, uploads, failures };
}
