import type { ContractSide } from "./contract.rules.ts";

type Entry = Readonly<{
  kind: string;
  side: ContractSide | null;
  details: Readonly<Record<string, string | number | boolean | null>>;
}>;

/** Returns an entry of the evidence for the activity log, after the show's name. Null for steps that do not change the contract, and for entries that were supplied later. */
export function evidenceText({ kind, side, details }: Entry): string | null {
  if (kind === "sent") return details["supplied"] ? null : "the contract was sent for signature";
  if (kind === "signed" && details["method"] !== "recorded")
    return `${String(details["name"])} ${details["method"] === "clicked" ? "accepted the contract by click" : "signed the contract"}`;
  if (kind === "declined") return `the ${side ?? ""} declined the contract`;
  return kind === "voided" ? "the contract was withdrawn, because its booking ended" : null;
}
