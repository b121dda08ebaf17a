import type { z } from "zod";
import { limitedFetch, ResponseTooLarge } from "#platform/http/outgoing/limited-fetch.ts";
import { EsignFailure } from "./provider.ts";

/** Shorter than the lease of a process that sends a contract. */
const timeoutMs = 20_000;
const maxResponseBytes = 30 * 1024 * 1024;

export type ProviderCall = Readonly<{
  label: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON, or as a form if it is URLSearchParams. */
  body?: object | undefined;
}>;

export async function callForBytes(call: ProviderCall): Promise<Buffer> {
  const { label, method, url, body } = call;
  let response: Response;
  let bytes: Buffer;
  try {
    response = await limitedFetch(maxResponseBytes)(url, {
      method,
      headers: {
        accept: "application/json, application/pdf",
        ...(body && !(body instanceof URLSearchParams) ? { "content-type": "application/json" } : {}),
        ...call.headers,
      },
      ...(body ? { body: body instanceof URLSearchParams ? body : JSON.stringify(body) } : {}),
      // A redirect would send the key to another host.
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    bytes = Buffer.from(await response.arrayBuffer());
  } catch (error) {
    if (error instanceof ResponseTooLarge) throw new EsignFailure("refused", `The response of ${label} is too large.`);
    const late = error instanceof Error && error.name === "TimeoutError";
    const why = late ? `did not answer within ${timeoutMs / 1_000} seconds` : "could not be reached";
    throw new EsignFailure("no_answer", `${label} ${why}.`);
  }
  if (response.ok) return bytes;
  throw failureOf(label, response.status, bytes);
}

/** Throws no_answer for a response of another shape. */
export async function callForJson<T extends z.ZodType>(shape: T, call: ProviderCall): Promise<z.output<T>> {
  const bytes = await callForBytes(call);
  const read = shape.safeParse(parseJson(bytes, call.label));
  if (read.success) return read.data;
  const where = read.error.issues[0]?.path.join(".") ?? "";
  throw new EsignFailure("no_answer", `${call.label} answered in an unknown format${where ? ` (${where})` : ""}.`);
}

function parseJson(bytes: Buffer, label: string): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new EsignFailure("no_answer", `${label} answered something that is not JSON.`);
  }
}

/** Stores a party's current mailbox at the service, if it has another. A service that refuses it keeps the former one. */
export async function correctMailbox(
  { stored, email }: { stored: string | null | undefined; email: string | null },
  change: (email: string) => Promise<unknown>,
): Promise<void> {
  if (email === null || stored?.toLowerCase() === email.toLowerCase()) return;
  await change(email).catch((error: unknown) => {
    if (!(error instanceof EsignFailure && error.kind === "refused")) throw error;
  });
}

export async function tryService(attempt: () => Promise<string>): Promise<{ ok: boolean; message: string }> {
  try {
    return { ok: true, message: await attempt() };
  } catch (error) {
    if (error instanceof EsignFailure) return { ok: false, message: error.message };
    throw error;
  }
}

function failureOf(label: string, status: number, bytes: Buffer): EsignFailure {
  const reason = reasonIn(bytes);
  const detail = reason ? `${status}: ${reason}` : String(status);
  if (status === 401 || status === 403)
    return new EsignFailure("wrong_key", `${label} does not accept the key (${detail}).`);
  if (status === 404) return new EsignFailure("missing", `${label} does not know the request (${detail}).`);
  if (status === 408 || status === 429 || status >= 500)
    return new EsignFailure("no_answer", `${label} is not available (${detail}).`);
  return new EsignFailure("refused", `${label} refused (${detail}).`);
}

function reasonIn(bytes: Buffer): string {
  try {
    const body = JSON.parse(bytes.toString("utf8")) as Record<string, unknown>;
    const messages = [body["errorCode"], body["error"], body["message"], body["error_description"]];
    return messages
      .filter((word) => typeof word === "string")
      .join(", ")
      .replaceAll(/\s+/g, " ")
      .slice(0, 200);
  } catch {
    return "";
  }
}
