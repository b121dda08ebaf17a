/** Calls DocuSign's eSignature API. A custom field of the envelope names the contract. Connect signs webhooks with HMAC-SHA256 over the body (base64), without a time, so a replay is accepted: it only causes another fetch. */

import { createHmac } from "node:crypto";
import { z } from "zod";
import { dayMs } from "#platform/time/durations.rules.ts";
import { type Delivery, type RejectedWebhook, webhookTestType } from "#platform/webhooks/receipt.ts";
import { esignProviderNames } from "#settings/choices.rules.ts";
import { callForJson, callForBytes, correctMailbox, tryService } from "../providers/provider-call.ts";
import {
  type EsignEvent,
  EsignFailure,
  type ProviderState,
  type SendRequest,
  type SigningService,
} from "../providers/provider.ts";
import { makeSignaturePage } from "../providers/signature-page.ts";
import { eventIdOf, isSameText, objectIn, secretIn } from "../providers/webhook-secret.ts";
import { type ContractSide, contractSides } from "../rules/contract.rules.ts";
import { type DocusignAccount, type DocusignAccess, dropAccess, openDocusign } from "./docusign-access.ts";

const label = esignProviderNames.docusign;
const contractField = "stagedoor_contract";

export type DocusignParts = Readonly<{
  integrationKey: string | undefined;
  webhookSecret: string | undefined;
  account: DocusignAccount | undefined;
  now: () => Date;
}>;

const moment = z.coerce.date().nullish();
const fields = z.object({ textCustomFields: z.array(z.object({ name: z.string(), value: z.string() })).default([]) });
const envelope = z.object({
  envelopeId: z.string(),
  status: z.string(),
  voidedReason: z.string().nullish(),
  customFields: fields.optional(),
  recipients: z
    .object({
      signers: z.array(
        z.object({
          clientUserId: z.string().nullish(),
          recipientId: z.string().nullish(),
          email: z.string().nullish(),
          name: z.string().nullish(),
          signedDateTime: moment,
          declinedDateTime: moment,
          declinedReason: z.string().nullish(),
        }),
      ),
    })
    .optional(),
});
type Envelope = z.output<typeof envelope>;

const fieldBelowAnchor = { anchorUnits: "pixels", anchorXOffset: "0", anchorYOffset: "40" };
const markOf = (side: ContractSide) => `[Signature of the ${side}]`;

export function docusign(parts: DocusignParts): SigningService {
  const open = (): Promise<DocusignAccess> => openDocusign(parts);
  const call = async <T extends z.ZodType>(
    shape: T,
    method: "GET" | "POST" | "PUT",
    path: string,
    body?: object,
  ): Promise<z.output<T>> => {
    const access = await open();
    const url = `${access.base}${path}`;
    return callForJson(shape, { label, method, url, headers: access.headers, body }).catch((error: unknown) => {
      if (error instanceof EsignFailure && error.kind === "wrong_key") dropAccess(access);
      throw error;
    });
  };
  const at = (ref: string) => `/envelopes/${encodeURIComponent(ref)}`;
  const read = (ref: string) => call(envelope, "GET", `${at(ref)}?include=custom_fields,recipients`);

  return {
    name: "docusign",
    label,
    outside: true,
    send: async (request) => {
      const body = await envelopeFrom(request, parts.now());
      const { envelopeId } = await call(z.object({ envelopeId: z.string() }), "POST", "/envelopes", body);
      return { ref: envelopeId };
    },
    find: async (externalId, since) => {
      const query = new URLSearchParams({
        // The service's clock may be behind ours.
        from_date: new Date(since.getTime() - dayMs).toISOString(),
        custom_field: `${contractField}=${externalId}`,
      });
      const list = z.object({
        envelopes: z.array(z.object({ envelopeId: z.string(), status: z.string() })).default([]),
      });
      const { envelopes } = await call(list, "GET", `/envelopes?${query}`);
      const live = envelopes.find(({ status }) => !["voided", "deleted", "created"].includes(status));
      return live && { ref: live.envelopeId };
    },
    fetch: async (ref) => stateFrom(await read(ref)),
    fetchSigned: async (ref) => {
      const { base, headers } = await open();
      return callForBytes({ label, method: "GET", url: `${base}${at(ref)}/documents/combined`, headers });
    },
    cancel: async (ref, reason) => {
      try {
        await call(z.unknown(), "PUT", at(ref), { status: "voided", voidedReason: reason.slice(0, 200) });
        return "canceled";
      } catch (error) {
        // An ended envelope cannot be voided. Its final status decides.
        if (!(error instanceof EsignFailure && error.kind === "refused")) throw error;
        const { status } = await read(ref);
        if (status === "completed") return "too_late";
        if (status === "voided" || status === "declined") return "canceled";
        throw error;
      }
    },
    signingUrl: async (ref, { side, email }, returnUrl) => {
      const find = async () => (await read(ref)).recipients?.signers.find(({ clientUserId }) => clientUserId === side);
      const before = await find();
      // The service confirms a signature to the signer's mailbox. It sends embedded signers nothing else.
      await correctMailbox({ stored: before?.email, email }, (address) => {
        const corrected = { recipientId: before?.recipientId, clientUserId: side, name: before?.name, email: address };
        return call(z.unknown(), "PUT", `${at(ref)}/recipients`, { signers: [corrected] });
      });
      // The service identifies a signer by the data of the envelope, regardless of the account's current name.
      const signer = await find();
      if (!signer?.email || !signer.name) throw new EsignFailure("missing", "DocuSign has no such signer.");
      const view = await call(z.object({ url: z.url() }), "POST", `${at(ref)}/views/recipient`, {
        returnUrl,
        authenticationMethod: "none",
        email: signer.email,
        userName: signer.name,
        clientUserId: side,
      });
      return view.url;
    },
    verifyWebhook: (delivery) => verifyWebhook(parts, delivery),
    signTestEvent: (now) => {
      if (!parts.webhookSecret) return null;
      const accountId = parts.account?.accountId;
      const body = { event: webhookTestType, generatedDateTime: now.toISOString(), data: { accountId } };
      const raw = Buffer.from(JSON.stringify(body));
      return { raw, headers: { "x-docusign-signature-1": signatureFor(parts.webhookSecret, raw) } };
    },
    test: () =>
      tryService(async () => {
        const { name, base } = await open();
        await call(z.object({ envelopes: z.array(z.unknown()).optional() }), "GET", recentEnvelopes(parts.now()));
        return `DocuSign answers at ${new URL(base).host} for the account “${name}”.`;
      }),
  };
}

const recentEnvelopes = (now: Date) =>
  `/envelopes?${new URLSearchParams({ from_date: new Date(now.getTime() - dayMs).toISOString(), count: "1" })}`;

/** Makes an envelope. Signers of equal routing order sign in any order. Embedded signers get no emails from the service. */
async function envelopeFrom(request: SendRequest, now: Date): Promise<object> {
  const { title, agreement, signers, firstSigner, externalId, endsAt } = request;
  const signatures = await makeSignaturePage(request, markOf);
  const days = Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / dayMs));
  const document = (documentId: string, name: string, bytes: Buffer) => ({
    documentId,
    name,
    fileExtension: "pdf",
    documentBase64: bytes.toString("base64"),
  });
  return {
    status: "sent",
    emailSubject: title.slice(0, 100),
    documents: [document("1", "Agreement", agreement), document("2", "Signatures", signatures.bytes)],
    recipients: {
      signers: signers.map(({ side, name, email }) => ({
        email,
        name: name.slice(0, 100),
        clientUserId: side,
        recipientId: String(contractSides.indexOf(side) + 1),
        routingOrder: firstSigner === null || side === firstSigner ? "1" : "2",
        tabs: { signHereTabs: [{ documentId: "2", anchorString: markOf(side), ...fieldBelowAnchor }] },
      })),
    },
    customFields: { textCustomFields: [{ name: contractField, value: externalId, show: "false", required: "false" }] },
    notification: {
      useAccountDefaults: "false",
      expirations: { expireEnabled: "true", expireAfter: String(days), expireWarn: "0" },
    },
  };
}

function statusOf({ status, voidedReason }: Envelope): ProviderState["status"] {
  if (status === "completed" || status === "declined") return status;
  // The service voids an expired envelope, with the expiry as the reason.
  if (status === "voided") return /expired/i.test(voidedReason ?? "") ? "expired" : "voided";
  return "open";
}

function stateFrom(found: Envelope): ProviderState {
  const ids = found.customFields?.textCustomFields.filter(({ name }) => name === contractField) ?? [];
  return {
    ref: found.envelopeId,
    externalId: ids.length === 1 ? (ids[0]?.value ?? null) : null,
    status: statusOf(found),
    signers: (found.recipients?.signers ?? []).flatMap((signer) => {
      const side = contractSides.find((one) => one === signer.clientUserId);
      if (!side) return [];
      return [
        {
          side,
          name: signer.name ?? null,
          signedAt: signer.signedDateTime ?? null,
          declinedAt: signer.declinedDateTime ?? null,
          reason: signer.declinedReason ?? null,
        },
      ];
    }),
  };
}

const signatureFor = (secret: string, raw: Uint8Array) => createHmac("sha256", secret).update(raw).digest("base64");

/** Verifies a webhook. Connect sends one header per active key, numbered from 1. One match is enough. */
function verifyWebhook(
  { webhookSecret: secret, account }: DocusignParts,
  { raw, headers }: Delivery,
): EsignEvent | RejectedWebhook {
  if (!secret) return { refused: "no_secret" };
  const expected = signatureFor(secret, raw);
  const given = Object.entries(headers).filter(([name]) => /^x-docusign-signature-\d{1,3}$/.test(name));
  if (!given.some(([, value]) => typeof value === "string" && isSameText(value, expected)))
    return { refused: "bad_signature" };
  const body = objectIn(raw);
  const type = secretIn(body?.["event"]);
  const data = z.looseObject({}).safeParse(body?.["data"]).data;
  if (!type || !data) return { refused: "not_ours" };
  if (account && data["accountId"] !== undefined && data["accountId"] !== account.accountId)
    return { refused: "not_ours" };
  const objectId = secretIn(data["envelopeId"]) ?? null;
  return {
    id: eventIdOf("docusign", type, objectId, data["recipientId"], body?.["generatedDateTime"]),
    type,
    objectId,
    externalId: null,
  };
}
