/** Signing on this server, without external calls. The evidence is written as the parties act (signatures.ts). */
import { randomUUID } from "node:crypto";
import type { Database, Reader } from "#platform/db/index.ts";
import type { Keys } from "#platform/security/keys.ts";
import { esignProviderNames } from "#settings/rules.ts";
import { type EsignAdapter, type ProviderState, EsignFailure, externalIdOf } from "../providers/provider.ts";
import { signersOf } from "../store.ts";
import { documentOf } from "../views.ts";

/** The contract itself is the provider's object. Its id is the reference. */
export function embeddedSigning(parts: Readonly<{ database: Database; keys: Keys }>): EsignAdapter {
  const { db } = parts.database;
  return {
    name: "embedded",
    label: esignProviderNames.embedded,
    outside: false,
    send: async ({ externalId }) => ({ ref: externalId.split(".")[0] ?? externalId }),
    find: async (externalId) => ({ ref: externalId.split(".")[0] ?? externalId }),
    fetch: (ref) => stateOf(db, ref),
    fetchSigned: async (ref) => {
      const document = await documentOf(db, ref);
      if (!document) throw new EsignFailure("missing", "This contract has no document yet.");
      return document.bytes;
    },
    cancel: async (ref) => ((await stateOf(db, ref)).status === "completed" ? "too_late" : "canceled"),
    signingUrl: async (_ref, _side, returnUrl) => returnUrl,
    verifyWebhook: () => ({ refused: "no_webhook" }),
    signTestEvent: () => null,
    test: () => test(db, parts.keys),
  };
}

async function stateOf(reader: Reader, contractId: string): Promise<ProviderState> {
  const contract = await reader.selectFrom("contracts").selectAll().where("id", "=", contractId).executeTakeFirst();
  if (!contract) throw new EsignFailure("missing", "There is no such contract.");
  const { signed_status: status, document_hash: hash } = contract;
  const signers = await signersOf(reader, contractId);
  const voided = await reader
    .selectFrom("contract_events")
    .select("number")
    .where("contract_id", "=", contractId)
    .where("entry", "like", '%"kind":"voided"%')
    .executeTakeFirst();
  return {
    ref: contractId,
    externalId: hash === null ? null : externalIdOf(contractId, Buffer.from(hash, "hex")),
    status: status === "signed" ? "completed" : status === "declined" ? "declined" : voided ? "voided" : "open",
    signers: signers.map(({ side, name, signed_at: signedAt }) => {
      const declined = contract.declined_by === side;
      return {
        side,
        name,
        signedAt,
        declinedAt: declined ? contract.declined_at : null,
        reason: declined ? contract.decline_reason : null,
      };
    }),
  };
}

/** Tests the installation's keys and the contracts, because there is no service to call. Changes nothing. */
async function test(reader: Reader, keys: Keys): Promise<{ ok: boolean; message: string }> {
  const text = randomUUID();
  if (keys.decrypt("signing test", keys.encrypt("signing test", text)) !== text)
    return { ok: false, message: "The installation's keys cannot decrypt their own data." };
  const { count } = await reader
    .selectFrom("contracts")
    .select((one) => one.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return {
    ok: true,
    message: `Built-in signing runs on this server and needs no API key: its keys work, and it reads its ${Number(count)} contracts.`,
  };
}
