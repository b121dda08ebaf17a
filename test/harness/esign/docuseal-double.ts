/** A loopback double of DocuSeal: the documented calls that we make, and its signed webhooks. */

import { createHmac } from "node:crypto";
import type { ContractSide } from "#contracts/rules.ts";
import {
  actsOn,
  type Call,
  type Envelope,
  type Party,
  reply,
  requireEnvelope,
  serve,
  type ServiceDouble,
  signedFile,
  refusedMailbox,
} from "./double.ts";

export const docusealKey = "docuseal-key-of-the-test";
const secret = "whsec-docuseal-of-the-test";

type Created = {
  send_email: boolean;
  merge_documents: boolean;
  order: "random" | "preserved";
  documents: { name: string; file: string; position: number }[];
  submitters: { role: string; name: string; email: string; external_id: string; send_email: boolean }[];
};

export async function docusealDouble(now: () => Date): Promise<ServiceDouble> {
  const envelopes: Envelope[] = [];
  const archived = new Set<string>();
  let origin = "";
  const submitterNumber = (envelope: Envelope, party: Party) =>
    Number(envelope.ref) * 10 + envelope.parties.indexOf(party);
  const submitter = (envelope: Envelope, party: Party) => ({
    id: submitterNumber(envelope, party),
    submission_id: Number(envelope.ref),
    slug: `slug${submitterNumber(envelope, party)}`,
    email: party.email,
    name: party.name,
    external_id: party.externalId,
    role: party.side === "promoter" ? "Promoter" : "Artist",
    status: party.signedAt ? "completed" : party.declinedAt ? "declined" : "awaiting",
    completed_at: party.signedAt?.toISOString() ?? null,
    declined_at: party.declinedAt?.toISOString() ?? null,
    decline_reason: party.reason,
  });
  const statuses = {
    open: "pending",
    voided: "pending",
    completed: "completed",
    declined: "declined",
    expired: "expired",
  };
  const submission = (envelope: Envelope) => ({
    id: Number(envelope.ref),
    status: statuses[envelope.status],
    archived_at: archived.has(envelope.ref) ? now().toISOString() : null,
    submitters: envelope.parties.map((party) => submitter(envelope, party)),
    documents: envelope.status === "completed" ? [{ name: "Agreement", url: `${origin}/file/${envelope.ref}` }] : [],
  });

  const create = (call: Call) => {
    const body = JSON.parse(call.body) as Created;
    if (!body.merge_documents || body.send_email) return reply(422, { error: "The test wants one file and no emails" });
    const ref = String(7_000 + envelopes.length);
    envelopes.push({
      ref,
      externalId: body.submitters[0]?.external_id.split(":")[0] ?? "",
      status: "open",
      parties: body.submitters.map(({ role, name, email, external_id: externalId }) => ({
        side: role.toLowerCase() as ContractSide,
        name,
        email,
        externalId,
        signedAt: null,
        declinedAt: null,
        reason: null,
        returnUrl: null,
      })),
      order: body.order === "preserved" ? body.submitters.map(({ role }) => role.toLowerCase() as ContractSide) : null,
      documents: body.documents.map(({ file }) => Buffer.from(file, "base64")),
      forged: null,
    });
    return reply(200, submission(requireEnvelope(envelopes, ref)));
  };
  const changeSubmitter = (id: number, call: Call) => {
    for (const envelope of envelopes)
      for (const party of envelope.parties)
        if (submitterNumber(envelope, party) === id) {
          const body = JSON.parse(call.body) as { completed_redirect_url?: string; email?: string };
          if (body.email === refusedMailbox) return reply(422, { error: "email is invalid" });
          party.returnUrl = body.completed_redirect_url ?? party.returnUrl;
          party.email = body.email ?? party.email;
          return reply(200, { ...submitter(envelope, party), embed_src: `${origin}/s/slug${id}` });
        }
    return reply(404, { error: "Not found" });
  };

  const server = await serve(
    (call) => call.method === "POST",
    async (call) => {
      const { method, url } = call;
      const file = /^\/file\/(\d+)$/.exec(url.pathname)?.[1];
      if (file) return reply(200, await signedFile(requireEnvelope(envelopes, file)));
      if (call.headers["x-auth-token"] !== docusealKey) return reply(401, { error: "Not authenticated" });
      if (method === "POST" && url.pathname === "/submissions/pdf") return create(call);
      if (method === "GET" && url.pathname === "/submissions")
        return reply(200, { data: [], pagination: { count: 0 } });
      if (method === "GET" && url.pathname === "/submitters") {
        const wanted = url.searchParams.get("external_id");
        const data = envelopes.flatMap((envelope) =>
          envelope.parties.filter((one) => one.externalId === wanted).map((one) => submitter(envelope, one)),
        );
        return reply(200, { data, pagination: { count: data.length } });
      }
      const changed = /^\/submitters\/(\d+)$/.exec(url.pathname)?.[1];
      if (method === "PUT" && changed) return changeSubmitter(Number(changed), call);
      const ref = /^\/submissions\/(\d+)$/.exec(url.pathname)?.[1];
      const envelope = envelopes.find((one) => one.ref === ref);
      if (!envelope) return reply(404, { error: "Not found" });
      if (method === "DELETE") {
        archived.add(envelope.ref);
        if (envelope.status === "open") envelope.status = "voided";
        return reply(200, { id: Number(envelope.ref), archived_at: now().toISOString() });
      }
      return reply(200, submission(envelope));
    },
  );
  origin = server.origin;
  return {
    env: {
      ESIGN_PROVIDER: "docuseal",
      ESIGN_API_KEY: docusealKey,
      ESIGN_API_URL: origin,
      ESIGN_WEBHOOK_SECRET: secret,
    },
    envelopes,
    fail: server.fail,
    ...actsOn(envelopes, now),
    webhook: (ref, at, more = {}) => {
      const envelope = requireEnvelope(envelopes, ref);
      const words = {
        open: "form.completed",
        voided: "submission.archived",
        completed: "submission.completed",
        declined: "form.declined",
        expired: "submission.expired",
      };
      const type = words[envelope.status];
      const [first] = envelope.parties;
      const data = type.startsWith("submission.") || !first ? submission(envelope) : submitter(envelope, first);
      const body = JSON.stringify({ event_type: type, timestamp: at.toISOString(), data });
      const seconds = Math.floor(at.getTime() / 1_000);
      const hex = createHmac("sha256", more.secret ?? secret)
        .update(`${seconds}.${body}`)
        .digest("hex");
      return { body, headers: { "x-docuseal-signature": `${seconds}.${hex}` } };
    },
    close: server.close,
  };
}
