/** Shared by the doubles of signing services: a server that can fail, envelopes in memory, signed files. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PDF } from "@libpdf/core";
import type { ContractSide } from "#contracts/rules.ts";

/** How the next call fails. `lost`: it is done, but its response is lost. `down`: it does not arrive. */
export type Failure = "503" | "lost" | "down";

export type Party = {
  side: ContractSide;
  name: string;
  email: string;
  externalId: string;
  signedAt: Date | null;
  declinedAt: Date | null;
  reason: string | null;
  returnUrl: string | null;
};
export type Envelope = {
  ref: string;
  externalId: string;
  status: "open" | "completed" | "declined" | "expired" | "voided";
  parties: Party[];
  /** The required order of signatures. Null: any order. */
  order: readonly ContractSide[] | null;
  documents: Buffer[];
  /** Replaces the signed file. */
  forged: Buffer | null;
};
export type Webhook = { body: string; headers: Record<string, string> };

export type ServiceDouble = {
  env: Record<string, string>;
  envelopes: Envelope[];
  /** Makes the next calls that create an envelope, or any calls, fail. */
  fail(how: Failure, times?: number, on?: "create" | "any"): void;
  sign(ref: string, side: ContractSide): void;
  decline(ref: string, side: ContractSide, reason: string): void;
  expire(ref: string): void;
  webhook(ref: string, now: Date, more?: { secret?: string }): Webhook;
  close(): Promise<void>;
};

/** A mailbox that the services do not accept. */
export const refusedMailbox = "nobody@refused.test";

export const requireEnvelope = (envelopes: readonly Envelope[], ref: string): Envelope => {
  const found = envelopes.find((one) => one.ref === ref);
  if (!found) throw new Error(`the double has no ${ref}`);
  return found;
};
const partyOf = (envelope: Envelope, side: ContractSide): Party => {
  const found = envelope.parties.find((one) => one.side === side);
  if (!found) throw new Error(`${envelope.ref} has no ${side}`);
  return found;
};

export const actsOn = (envelopes: readonly Envelope[], now: () => Date) => ({
  sign: (ref: string, side: ContractSide) => {
    const envelope = requireEnvelope(envelopes, ref);
    if (envelope.status !== "open") throw new Error(`${ref} is ${envelope.status}; nobody can sign it`);
    const before = envelope.order?.slice(0, envelope.order.indexOf(side)) ?? [];
    if (before.some((one) => !partyOf(envelope, one).signedAt))
      throw new Error(`${ref} is not open to the ${side} yet`);
    partyOf(envelope, side).signedAt = now();
    if (envelope.parties.every(({ signedAt }) => signedAt)) envelope.status = "completed";
  },
  decline: (ref: string, side: ContractSide, reason: string) => {
    const envelope = requireEnvelope(envelopes, ref);
    Object.assign(partyOf(envelope, side), { declinedAt: now(), reason });
    envelope.status = "declined";
  },
  expire: (ref: string) => {
    requireEnvelope(envelopes, ref).status = "expired";
  },
});

/** Returns agreement and signature page in one file, stamped and signed like the services' files. */
export async function signedFile(envelope: Envelope): Promise<Buffer> {
  if (envelope.forged) return envelope.forged;
  const pdf = await PDF.merge(envelope.documents);
  for (const page of pdf.getPages()) page.drawText(`Envelope ID: ${envelope.ref}`, { x: 20, y: 825, size: 7 });
  const last = pdf.getPages().at(-1);
  envelope.parties.forEach(({ name, signedAt }, index) => {
    if (signedAt) last?.drawText(`Signed by ${name}`, { x: 60, y: 300 - index * 40, size: 14 });
  });
  return Buffer.from(await pdf.save());
}

export type Call = { method: string; url: URL; headers: IncomingMessage["headers"]; body: string };
type Reply = { status: number; body: object | Buffer };
export const reply = (status: number, body: object | Buffer): Reply => ({ status, body });

/** Serves calls on loopback, with failures on request. */
export async function serve(isCreation: (call: Call) => boolean, respond: (call: Call) => Promise<Reply> | Reply) {
  const failures: { how: Failure; on: "create" | "any" }[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = {
      method: request.method ?? "GET",
      url: new URL(request.url ?? "/", "http://double"),
      headers: request.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    const at = failures.findIndex(({ on }) => on === "any" || isCreation(call));
    const [failure] = at === -1 ? [] : failures.splice(at, 1);
    if (failure?.how === "down") return request.socket.destroy();
    if (failure?.how === "503") return send(response, reply(503, { error: "Down for maintenance" }));
    const made = await respond(call);
    if (failure?.how === "lost") return request.socket.destroy();
    return send(response, made);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => send(response, reply(500, { error: String(error) })));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (how: Failure, times = 1, on: "create" | "any" = "create") => {
      for (let count = 0; count < times; count++) failures.push({ how, on });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, { status, body }: Reply): void {
  const isFile = Buffer.isBuffer(body);
  response.writeHead(status, { "content-type": isFile ? "application/pdf" : "application/json" });
  response.end(isFile ? body : JSON.stringify(body));
}
