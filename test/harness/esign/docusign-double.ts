/** A loopback double of DocuSign: tokens by JWT grant, the documented calls that we make, and the notices of Connect. */

import { createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import { jwtVerify } from "jose";
import type { ContractSide } from "#contracts/rules.ts";
import {
  actsOn,
  type Call,
  type Envelope,
  reply,
  requireEnvelope,
  serve,
  type ServiceDouble,
  signedFile,
  refusedMailbox,
} from "./double.ts";

export const docusignKey = "5d2f0b66-integration-key-of-the-test";
const accountId = "8e7c1c7e-account";
const userId = "user-of-the-test";
const secret = "connect-key-of-the-test";

type Created = {
  status: string;
  documents: { documentBase64: string }[];
  recipients: {
    signers: {
      email: string;
      name: string;
      clientUserId: string;
      routingOrder: string;
      tabs: { signHereTabs: object[] };
    }[];
  };
  customFields: { textCustomFields: { name: string; value: string }[] };
};

/** Returns the signers in their routing order. Null if all have the same order. */
function orderOf({ recipients: { signers } }: Created): ContractSide[] | null {
  if (new Set(signers.map(({ routingOrder }) => routingOrder)).size === 1) return null;
  return signers
    .toSorted((one, other) => Number(one.routingOrder) - Number(other.routingOrder))
    .map(({ clientUserId }) => clientUserId as ContractSide);
}

export async function docusignDouble(now: () => Date): Promise<ServiceDouble> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const envelopes: Envelope[] = [];
  const tokens = new Set<string>();
  let origin = "";
  const statuses = { open: "sent", completed: "completed", declined: "declined", voided: "voided", expired: "voided" };
  const envelopeBody = (envelope: Envelope) => ({
    envelopeId: envelope.ref,
    status: statuses[envelope.status],
    voidedReason: envelope.status === "expired" ? "Envelope has expired." : null,
    customFields: { textCustomFields: [{ name: "stagedoor_contract", value: envelope.externalId }] },
    recipients: {
      signers: envelope.parties.map((party) => ({
        clientUserId: party.side,
        recipientId: party.side,
        name: party.name,
        email: party.email,
        status: party.signedAt ? "completed" : party.declinedAt ? "declined" : "sent",
        signedDateTime: party.signedAt?.toISOString(),
        declinedDateTime: party.declinedAt?.toISOString(),
        declinedReason: party.reason ?? undefined,
      })),
    },
  });

  const giveToken = async (call: Call) => {
    const form = new URLSearchParams(call.body);
    try {
      const { payload } = await jwtVerify(form.get("assertion") ?? "", publicKey, {
        audience: new URL(origin).host,
        subject: userId,
        currentDate: now(),
      });
      if (payload.iss !== docusignKey)
        return reply(400, { error: "invalid_grant", error_description: "issuer_not_found" });
    } catch {
      return reply(400, { error: "invalid_grant", error_description: "no_valid_keys_or_signatures" });
    }
    const token = randomUUID();
    tokens.add(token);
    return reply(200, { access_token: token, token_type: "Bearer", expires_in: 3_600 });
  };
  const create = (call: Call) => {
    const body = JSON.parse(call.body) as Created;
    if (body.status !== "sent" || body.recipients.signers.some(({ tabs }) => tabs.signHereTabs.length === 0))
      return reply(400, { errorCode: "INVALID_REQUEST_BODY", message: "The test wants it sent, with a place to sign" });
    const ref = randomUUID();
    const externalId = body.customFields.textCustomFields[0]?.value ?? "";
    envelopes.push({
      ref,
      externalId,
      status: "open",
      parties: body.recipients.signers.map(({ clientUserId, name, email }) => ({
        side: clientUserId as ContractSide,
        name,
        email,
        externalId,
        signedAt: null,
        declinedAt: null,
        reason: null,
        returnUrl: null,
      })),
      order: orderOf(body),
      documents: body.documents.map(({ documentBase64: text }) => Buffer.from(text, "base64")),
      forged: null,
    });
    return reply(201, { envelopeId: ref, status: "sent", uri: `/envelopes/${ref}` });
  };
  const view = (envelope: Envelope, call: Call) => {
    const requested = JSON.parse(call.body) as {
      clientUserId: string;
      email: string;
      userName: string;
      returnUrl: string;
    };
    const party = envelope.parties.find(
      ({ side, email, name }) =>
        side === requested.clientUserId && email === requested.email && name === requested.userName,
    );
    if (!party) return reply(400, { errorCode: "UNKNOWN_ENVELOPE_RECIPIENT", message: "No such recipient" });
    party.returnUrl = requested.returnUrl;
    return reply(201, { url: `${origin}/Signing/${party.side}` });
  };
  const correct = (envelope: Envelope, call: Call) => {
    const [signer] = (
      JSON.parse(call.body) as { signers: { recipientId: string; clientUserId: string; email: string }[] }
    ).signers;
    const party = envelope.parties.find(({ side }) => side === signer?.recipientId && side === signer.clientUserId);
    if (!party || !signer || signer.email === refusedMailbox)
      return reply(400, { errorCode: "INVALID_EMAIL_ADDRESS_FOR_RECIPIENT", message: "This is no mailbox" });
    party.email = signer.email;
    return reply(200, { recipientUpdateResults: [{ recipientId: signer.recipientId }] });
  };
  const voidIt = (envelope: Envelope) => {
    if (envelope.status !== "open")
      return reply(400, {
        errorCode: "ENVELOPE_CANNOT_VOID_INVALID_STATE",
        message: "Only open envelopes may be voided",
      });
    envelope.status = "voided";
    return reply(200, { envelopeId: envelope.ref });
  };

  const root = `/restapi/v2.1/accounts/${accountId}`;
  const server = await serve(
    (call) => call.method === "POST" && call.url.pathname === `${root}/envelopes`,
    async (call) => {
      const { method, url } = call;
      if (url.pathname === "/oauth/token") return giveToken(call);
      if (!tokens.has((call.headers.authorization ?? "").replace("Bearer ", "")))
        return reply(401, {
          errorCode: "USER_AUTHENTICATION_FAILED",
          message: "One or both of token and user are wrong",
        });
      if (url.pathname === "/oauth/userinfo")
        return reply(200, {
          sub: userId,
          accounts: [{ account_id: accountId, account_name: "The Test", is_default: true, base_uri: origin }],
        });
      if (url.pathname === `${root}/envelopes` && method === "POST") return create(call);
      if (url.pathname === `${root}/envelopes`) {
        if (!url.searchParams.get("from_date")) return reply(400, { errorCode: "INVALID_REQUEST_PARAMETER" });
        const wanted = url.searchParams.get("custom_field");
        const found = envelopes.filter(({ externalId }) => wanted === `stagedoor_contract=${externalId}`);
        return reply(200, {
          resultSetSize: String(found.length),
          ...(found.length ? { envelopes: found.map(envelopeBody) } : {}),
        });
      }
      const [, ref, rest = ""] = new RegExp(`^${root}/envelopes/([^/]+)(/.*)?$`).exec(url.pathname) ?? [];
      const envelope = envelopes.find((one) => one.ref === ref);
      if (!envelope) return reply(404, { errorCode: "ENVELOPE_DOES_NOT_EXIST", message: "It does not exist" });
      if (rest === "/documents/combined") return reply(200, await signedFile(envelope));
      if (rest === "/views/recipient") return view(envelope, call);
      if (rest === "/recipients") return correct(envelope, call);
      return method === "PUT" ? voidIt(envelope) : reply(200, envelopeBody(envelope));
    },
  );
  origin = server.origin;
  return {
    env: {
      ESIGN_PROVIDER: "docusign",
      ESIGN_API_KEY: docusignKey,
      ESIGN_AUTH_URL: origin,
      ESIGN_ACCOUNT_ID: accountId,
      ESIGN_USER_ID: userId,
      ESIGN_PRIVATE_KEY: Buffer.from(privateKey.export({ type: "pkcs1", format: "pem" }).toString()).toString("base64"),
      ESIGN_WEBHOOK_SECRET: secret,
    },
    envelopes,
    fail: server.fail,
    ...actsOn(envelopes, now),
    webhook: (ref, at, more = {}) => {
      const { status } = requireEnvelope(envelopes, ref);
      const words = {
        open: "recipient-completed",
        completed: "envelope-completed",
        declined: "envelope-declined",
        voided: "envelope-voided",
        expired: "envelope-voided",
      };
      const body = JSON.stringify({
        event: words[status],
        apiVersion: "v2.1",
        retryCount: 0,
        generatedDateTime: at.toISOString(),
        data: { accountId, userId, envelopeId: ref },
      });
      const signature = createHmac("sha256", more.secret ?? secret)
        .update(body)
        .digest("base64");
      return { body, headers: { "x-docusign-signature-1": signature } };
    },
    close: server.close,
  };
}
