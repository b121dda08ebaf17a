/** Calls DocuSeal's API. Webhooks are signed with HMAC-SHA256 over "timestamp.body" (X-Docuseal-Signature). */

import { createHmac } from "node:crypto";
import { z } from "zod";
import { type Delivery, type RejectedWebhook, webhookTestType } from "#platform/webhooks/receipt.ts";
import { esignProviderNames } from "#settings/choices.rules.ts";
import { callForJson, callForBytes, correctMailbox, tryService } from "../providers/provider-call.ts";
import {
  type EsignEvent,
  EsignFailure,
  inSigningOrder,
  type ProviderState,
  type SendRequest,
  type SigningService,
} from "../providers/provider.ts";
import { makeSignaturePage } from "../providers/signature-page.ts";
import { textOf } from "../providers/signed-document.ts";
import { eventIdOf, isSameText, objectIn, secretIn } from "../providers/webhook-secret.ts";
import { type ContractSide, contractSides } from "../rules/contract.rules.ts";

const label = esignProviderNames.docuseal;
const cloud = "https://api.docuseal.com";
const toleranceSeconds = 300;

export type DocusealParts = Readonly<{
  apiKey: string | undefined;
  apiUrl: string | undefined;
  webhookSecret: string | undefined;
}>;

const moment = z.coerce.date().nullish();
const submitter = z.object({
  id: z.number(),
  submission_id: z.number().optional(),
  name: z.string().nullish(),
  email: z.string().nullish(),
  external_id: z.string().nullish(),
  completed_at: moment,
  declined_at: moment,
  decline_reason: z.string().nullish(),
});
const submission = z.object({
  id: z.number(),
  status: z.enum(["pending", "completed", "declined", "expired"]),
  archived_at: moment,
  submitters: z.array(submitter),
  documents: z.array(z.object({ url: z.string() })).default([]),
});
type Submission = z.output<typeof submission>;

const roles: Record<ContractSide, string> = { promoter: "Promoter", artist: "Artist" };
const submitterId = (externalId: string, side: ContractSide) => `${externalId}:${side}`;

function readSubmitterId(text: string | null | undefined): { externalId: string; side: ContractSide } | undefined {
  const [externalId = "", word] = (text ?? "").split(":");
  const side = contractSides.find((one) => one === word);
  return side && { externalId, side };
}

const tagOf = (side: ContractSide) =>
  `{{Signature of the ${side};role=${roles[side]};type=signature;required=true;width=220;height=60}}`;

export function docuseal(parts: DocusealParts): SigningService {
  const api = parts.apiUrl ?? cloud;
  const headers = () => {
    if (!parts.apiKey) throw new EsignFailure("wrong_key", "No API key is stored for DocuSeal.");
    return { "x-auth-token": parts.apiKey };
  };
  const call = async <T extends z.ZodType>(
    shape: T,
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    body?: object,
  ): Promise<z.output<T>> => callForJson(shape, { label, method, url: `${api}${path}`, headers: headers(), body });
  const read = (ref: string) => call(submission, "GET", `/submissions/${encodeURIComponent(ref)}`);

  return {
    name: "docuseal",
    label,
    outside: true,
    send: async (request) => {
      const made = await call(z.object({ id: z.number() }), "POST", "/submissions/pdf", await submissionFrom(request));
      return { ref: String(made.id) };
    },
    find: async (externalId) => {
      const list = z.object({ data: z.array(submitter) });
      const id = encodeURIComponent(submitterId(externalId, "promoter"));
      const { data } = await call(list, "GET", `/submitters?external_id=${id}`);
      for (const { submission_id: found } of data) {
        if (found === undefined) continue;
        const { archived_at: archived } = await read(String(found));
        if (!archived) return { ref: String(found) };
      }
      return undefined;
    },
    fetch: async (ref) => stateFrom(await read(ref)),
    fetchSigned: async (ref) => {
      const [document] = (await read(ref)).documents;
      if (!document) throw new EsignFailure("missing", "DocuSeal has no signed document yet.");
      const url = requireAddress(document.url, api);
      // The key is sent to the API's own host only. Files have addresses that need no key.
      const ownHost = new URL(url).host === new URL(api).host;
      return callForBytes({ label, method: "GET", url, headers: ownHost ? headers() : {} });
    },
    cancel: async (ref) => {
      if ((await read(ref)).status === "completed") return "too_late";
      await call(z.unknown(), "DELETE", `/submissions/${encodeURIComponent(ref)}`);
      // Signed between the two calls: the signatures stay.
      return (await read(ref)).status === "completed" ? "too_late" : "canceled";
    },
    signingUrl: async (ref, { side, email }, returnUrl) => {
      const { submitters } = await read(ref);
      const mine = submitters.find(({ external_id: id }) => readSubmitterId(id)?.side === side);
      if (!mine) throw new EsignFailure("missing", "DocuSeal has no such signer.");
      const change = (fields: object) =>
        call(z.object({ embed_src: z.string() }), "PUT", `/submitters/${mine.id}`, fields);
      await correctMailbox({ stored: mine.email, email }, (address) => change({ email: address }));
      const changed = await change({ completed_redirect_url: returnUrl });
      return requireAddress(changed.embed_src, api);
    },
    verifyWebhook: (delivery, now) => verifyWebhook(parts.webhookSecret, delivery, now),
    signTestEvent: (now) => {
      if (!parts.webhookSecret) return null;
      const body = { event_type: webhookTestType, timestamp: now.toISOString(), data: {} };
      const raw = Buffer.from(JSON.stringify(body));
      return { raw, headers: { "x-docuseal-signature": signatureFor(parts.webhookSecret, raw, now) } };
    },
    test: () =>
      tryService(async () => {
        await call(z.object({ data: z.array(z.unknown()) }), "GET", "/submissions?limit=1");
        return `DocuSeal answers at ${new URL(api).host} and accepts the key.`;
      }),
  };
}

async function submissionFrom(request: SendRequest): Promise<object> {
  const { title, agreement, externalId, endsAt } = request;
  const texts = await textOf(agreement);
  if (texts.some((lines) => lines.some((line) => line.includes("{{"))))
    throw new EsignFailure("refused", "The agreement contains “{{”, which DocuSeal would treat as a form field.");
  const signatures = await makeSignaturePage(request, tagOf);
  return {
    name: title,
    send_email: false,
    send_sms: false,
    // "preserved": in the order of the submitters, each after the ones before.
    order: request.firstSigner === null ? "random" : "preserved",
    merge_documents: true,
    expire_at: endsAt.toISOString(),
    documents: [
      { name: "Agreement", file: agreement.toString("base64"), position: 0 },
      { name: "Signatures", file: signatures.bytes.toString("base64"), position: 1 },
    ],
    submitters: inSigningOrder(request.signers, request.firstSigner).map(({ side, name, email }) => ({
      role: roles[side],
      name,
      email,
      external_id: submitterId(externalId, side),
      send_email: false,
      send_sms: false,
    })),
  };
}

function stateFrom(found: Submission): ProviderState {
  const signers = found.submitters.flatMap((one) => {
    const id = readSubmitterId(one.external_id);
    if (!id) return [];
    return [
      {
        side: id.side,
        externalId: id.externalId,
        name: one.name ?? null,
        signedAt: one.completed_at ?? null,
        declinedAt: one.declined_at ?? null,
        reason: one.decline_reason ?? null,
      },
    ];
  });
  const ids = new Set(signers.map(({ externalId }) => externalId));
  const status = found.status === "pending" ? (found.archived_at ? "voided" : "open") : found.status;
  return {
    ref: String(found.id),
    externalId: ids.size === 1 && signers.length === contractSides.length ? ([...ids][0] ?? null) : null,
    status,
    signers: signers.map(({ externalId: _id, ...signer }) => signer),
  };
}

const signatureFor = (secret: string, raw: Uint8Array, now: Date): string => {
  const seconds = Math.floor(now.getTime() / 1_000);
  return `${seconds}.${createHmac("sha256", secret).update(`${seconds}.`).update(raw).digest("hex")}`;
};

function verifyWebhook(
  secret: string | undefined,
  { raw, headers }: Delivery,
  now: Date,
): EsignEvent | RejectedWebhook {
  if (!secret) return { refused: "no_secret" };
  const header = headers["x-docuseal-signature"];
  const [, seconds = ""] = /^(\d{1,12})\.[0-9a-f]{64}$/.exec(typeof header === "string" ? header : "") ?? [];
  if (seconds === "") return { refused: "bad_signature" };
  const signedAt = new Date(Number(seconds) * 1_000);
  if (!isSameText(String(header), signatureFor(secret, raw, signedAt))) return { refused: "bad_signature" };
  if (Math.abs(now.getTime() - signedAt.getTime()) > toleranceSeconds * 1_000) return { refused: "wrong_time" };
  const body = objectIn(raw);
  const type = secretIn(body?.["event_type"]);
  const data = z.looseObject({}).safeParse(body?.["data"]).data;
  if (!type || !data) return { refused: "not_ours" };
  // A form is one submitter's part of a submission. Events about templates name neither.
  const submissionId = type.startsWith("submission.") ? data["id"] : data["submission_id"];
  const named = [data, ...z.array(z.looseObject({})).catch([]).parse(data["submitters"])];
  const externalId = named.map((one) => readSubmitterId(secretIn(one["external_id"]))).find((one) => one !== undefined);
  return {
    id: eventIdOf("docuseal", type, body?.["timestamp"], data["id"]),
    type,
    objectId: Number.isSafeInteger(submissionId) ? String(submissionId) : null,
    externalId: externalId?.externalId ?? null,
  };
}

/** Throws unless an address of the service uses TLS, or the API itself is plain HTTP (a service on the same host). */
function requireAddress(text: string, api: string): string {
  const allowed = ["https:", new URL(api).protocol];
  if (URL.canParse(text) && allowed.includes(new URL(text).protocol)) return text;
  throw new EsignFailure("refused", "DocuSeal returned an address that cannot be opened.");
}
