import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import Stripe from "stripe";
import type { Currency } from "#payments/rules.ts";
import type { Database, Tx } from "#platform/db/index.ts";
import { bearerOf } from "#platform/http/request-headers.ts";
import type { Log } from "#platform/log.ts";
import { hourMs } from "#platform/time/durations.rules.ts";
import { calls, expand } from "./calls.ts";
import { BankDecline } from "./lookup.ts";
import { newId } from "./objects.ts";
import { parseParams, ProviderError, type Params } from "./params.ts";
import { forgetKey, insertKey, saveResponse } from "./store.ts";

const maxBody = 262_144;
const maxUpload = 6_000_000;
const keyHours = 24;

type Parts = Readonly<{
  database: Database;
  log: Log;
  secretKey: string;
  publicUrl: string;
  received: readonly Currency[];
  now(): number;
  /** Called after each change, because events may be waiting. */
  changed(): void;
}>;

type Answer = { status: number; body: object; replayed?: boolean };

export function startServer(parts: Parts): Promise<Server> {
  const server = createServer((request, response) => void handleRequest(parts, request, response));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

async function handleRequest(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body, replayed } = await handle(parts, request).catch((error: unknown): Answer => {
    if (error instanceof ProviderError) return { status: error.status, body: error.body };
    parts.log.error({ err: error }, "the sandbox provider failed");
    return { status: 500, body: { error: { type: "api_error", message: "The sandbox failed; its log says why." } } };
  });
  response.writeHead(status, {
    "content-type": "application/json",
    "request-id": newId("req"),
    "stripe-version": Stripe.API_VERSION,
    ...(replayed ? { "idempotent-replayed": "true" } : {}),
  });
  response.end(JSON.stringify(body));
}

async function handle(parts: Parts, request: IncomingMessage): Promise<Answer> {
  const method = request.method ?? "GET";
  const { pathname, search } = new URL(request.url ?? "/", "http://sandbox");
  requireKey(parts, request);
  const body = await readBody(request, pathname === "/v1/files" ? maxUpload : maxBody);
  const found = calls
    .map((call) => ({ call, match: call.path.exec(pathname) }))
    .find(({ call, match }) => call.method === method && match !== null);
  if (!found)
    throw new ProviderError(404, "invalid_request_error", `Unrecognized request URL (${method}: ${pathname}).`);
  const { "content-type": type = "" } = request.headers;
  const isUpload = isMultipart(type);
  const text = method === "GET" ? search.slice(1) : body.toString("utf8");
  const params = isUpload ? await parseMultipart(body, type) : parseParams(text);
  const callRequest = {
    params,
    id: found.match?.[1] ?? "",
    now: parts.now(),
    publicUrl: parts.publicUrl,
    received: parts.received,
  };
  const run = async (tx: Tx): Promise<Answer> => {
    const result = await found.call.answer({ ...callRequest, tx });
    if (result instanceof BankDecline) return { status: 402, body: result.body };
    return { status: 200, body: await expand(tx, result, params) };
  };
  const key = request.headers["idempotency-key"];
  if (method !== "POST") return parts.database.transaction(run);
  if (typeof key !== "string")
    throw new ProviderError(400, "invalid_request_error", "The sandbox takes no write without an idempotency key.");
  const fingerprint = createHash("sha256")
    // The boundary between the parts of an upload changes with each attempt.
    .update(`${pathname}\n${isUpload ? JSON.stringify(params) : text}`)
    .digest("hex");
  const result = await parts.database.transaction((tx) =>
    once(tx, { key, fingerprint, now: callRequest.now }, () => run(tx)),
  );
  parts.changed();
  return result;
}

/** Returns the stored response for the same key and parameters. Other parameters are an error. A failed call stores no key. */
async function once(tx: Tx, call: { key: string; fingerprint: string; now: number }, run: () => Promise<Answer>) {
  const { key, fingerprint } = call;
  if (key.length > 255)
    throw new ProviderError(400, "idempotency_error", "Idempotency keys can be up to 255 characters long.");
  const at = new Date(call.now * 1000);
  await forgetKey(tx, key, new Date(at.getTime() - keyHours * hourMs));
  const fresh = await insertKey(tx, key, fingerprint, at);
  if (!fresh) {
    const known = await tx.selectFrom("sandbox_requests").selectAll().where("key", "=", key).executeTakeFirstOrThrow();
    if (known.fingerprint !== fingerprint)
      throw new ProviderError(
        400,
        "idempotency_error",
        "Keys for idempotent requests can only be used with the same parameters they were first used with.",
      );
    return { status: known.status, body: known.body as object, replayed: true };
  }
  const result = await run();
  await saveResponse(tx, key, result);
  return result;
}

function requireKey(parts: Parts, request: IncomingMessage): void {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const given = bearerOf(request.headers) ?? "";
  if (timingSafeEqual(digest(given), digest(parts.secretKey))) return;
  throw new ProviderError(401, "invalid_request_error", "Invalid API Key provided.");
}

async function readBody(request: IncomingMessage, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > max) throw new ProviderError(413, "invalid_request_error", "The request is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const isMultipart = (contentType: string | undefined): boolean => /^multipart\/form-data;/i.test(contentType ?? "");

/** Reads an upload (multipart/form-data). Of a file only its name, type, size and hash are stored. */
async function parseMultipart(body: Buffer, contentType: string): Promise<Params> {
  const upload = new Response(new Uint8Array(body), { headers: { "content-type": contentType } });
  const form = await upload.formData().catch(() => {
    throw new ProviderError(400, "invalid_request_error", "The upload is not valid multipart/form-data.");
  });
  const params: Params = Object.create(null) as Params;
  for (const [name, value] of form) params[name] = typeof value === "string" ? value : await describeFile(value);
  return params;
}

const describeFile = async (file: File): Promise<Params> => ({
  name: file.name,
  type: file.type,
  size: String(file.size),
  sha256: createHash("sha256")
    .update(await file.bytes())
    .digest("hex"),
});
