import type { Reader } from "#platform/db/index.ts";
import { canonicalHash } from "./issue.ts";
import type { DocumentText } from "./rules/document-text.rules.ts";
import { storedText } from "./store.ts";
import { evidenceOf } from "./views.ts";

/** Returns the text of a contract's stored agreement, or null if it does not have the fingerprint of the evidence. */
export async function agreementText(reader: Reader, contractId: string): Promise<DocumentText | null> {
  const stored = await storedText(reader, contractId);
  if (!stored) return null;
  const chain = await evidenceOf(reader, contractId);
  if ("fault" in chain) return null;
  const sent = chain.entries.find(({ kind }) => kind === "sent");
  return canonicalHash(stored) === sent?.details["text"] ? stored : null;
}
