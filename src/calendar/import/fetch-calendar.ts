import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { errorCode } from "#platform/errors.ts";
import { PrivateAddress } from "#platform/security/public-address.ts";
import { openPublic, type PublicRequest } from "#platform/security/public-request.ts";
import { CalendarUnreadable } from "./content-lines.ts";

const maxCalendarBytes = 5 * 1024 * 1024;
const fetchMs = 10_000;
const maxRedirects = 5;

type FetchOptions = Readonly<{ etag: string | null; ms?: number | undefined }> &
  Pick<PublicRequest, "allowHosts" | "resolve">;

export type FetchedCalendar = { unchanged: true } | { unchanged: false; text: string; etag: string | null };

const calendarProtocols: Readonly<Record<string, string>> = {
  "webcal:": "https:",
  "webcals:": "https:",
  "feed:": "https:",
};

/** Returns the address of a calendar as it is fetched. Throws CalendarUnreadable for a text that is no web address. */
export function calendarUrl(text: string): URL {
  const trimmed = text.trim();
  const url = URL.parse(
    /^[a-z]+:/i.test(trimmed)
      ? trimmed.replace(/^[a-z]+:/i, (scheme) => calendarProtocols[scheme.toLowerCase()] ?? scheme)
      : `https://${trimmed}`,
  );
  if (!url || !["http:", "https:"].includes(url.protocol) || url.hostname === "")
    throw new CalendarUnreadable("This is not the address of a calendar. It begins with https:// or webcal://.");
  return url;
}

/** Fetches within 10 s, 5 MB and 5 redirects, from public addresses only. Throws CalendarUnreadable with the reason for the artist. */
export async function fetchCalendar(address: string, options: FetchOptions): Promise<FetchedCalendar> {
  const ms = options.ms ?? fetchMs;
  const signal = AbortSignal.timeout(ms);
  try {
    return await follow(calendarUrl(address), options, signal);
  } catch (error) {
    throw error instanceof CalendarUnreadable
      ? error
      : new CalendarUnreadable(reasonOf(error, signal, ms), { cause: error });
  }
}

async function follow(first: URL, options: FetchOptions, signal: AbortSignal): Promise<FetchedCalendar> {
  let url = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const response = await open(url, options, signal);
    const { statusCode: status = 0, headers } = response;
    if (status === 200) return { unchanged: false, text: await readText(response, signal), etag: headers.etag ?? null };
    response.destroy();
    if (status === 304 && options.etag !== null) return { unchanged: true };
    const isRedirect = status >= 300 && status < 400 && status !== 304;
    if (!isRedirect || !headers.location) throw new CalendarUnreadable(statusReason(status));
    url = redirectedTo(headers.location, url);
  }
  throw new CalendarUnreadable("The address redirects too often.");
}

function redirectedTo(location: string, from: URL): URL {
  const url = URL.parse(location, from);
  if (!url || !["http:", "https:"].includes(url.protocol))
    throw new CalendarUnreadable("The address redirects to an invalid web address.");
  return url;
}

const open = (url: URL, { etag, allowHosts, resolve }: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> =>
  openPublic(url, {
    headers: {
      accept: "text/calendar, text/plain;q=0.5, */*;q=0.1",
      "accept-encoding": "gzip",
      "user-agent": "Stagedoor calendar import",
      ...(etag === null ? {} : { "if-none-match": etag }),
    },
    allowHosts,
    ...(resolve ? { resolve } : {}),
    signal,
  });

function statusReason(status: number): string {
  if (status === 401 || status === 403)
    return "The calendar needs a password. Use its secret or public iCal address instead.";
  if (status === 404 || status === 410) return "There is nothing at this address (404).";
  return `The calendar's server answers with an error (${status}).`;
}

const tooLarge = () => new CalendarUnreadable("The calendar is larger than 5 MB.");

/** Returns the body as text. Throws CalendarUnreadable if it is larger than 5 MB, compressed or decompressed. */
export async function readText(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response) {
      signal.throwIfAborted();
      bytes += (part as Buffer).length;
      if (bytes > maxCalendarBytes) throw tooLarge();
      parts.push(part as Buffer);
    }
  } finally {
    response.destroy();
  }
  return (await unpacked(Buffer.concat(parts), response.headers["content-encoding"])).toString("utf8");
}

const unpackers: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: (bytes) => promisify(gunzip)(bytes, { maxOutputLength: maxCalendarBytes }),
  deflate: (bytes) => promisify(inflate)(bytes, { maxOutputLength: maxCalendarBytes }),
  br: (bytes) => promisify(brotliDecompress)(bytes, { maxOutputLength: maxCalendarBytes }),
};

/** Decompresses with a limit, because a few bytes may expand to very many. */
async function unpacked(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
  if (encoding === undefined || encoding === "identity") return bytes;
  const unpack = unpackers[encoding.toLowerCase()];
  if (!unpack) throw new CalendarUnreadable("The calendar is compressed in a way that we do not know.");
  return unpack(bytes).catch((error: unknown) => {
    throw errorCode(error) === "ERR_BUFFER_TOO_LARGE" ? tooLarge() : error;
  });
}

/** Returns why a server could not be called, for its user. `ms`: the time limit of the signal. */
export function reasonOf(error: unknown, signal: AbortSignal, ms: number): string {
  if (error instanceof PrivateAddress || (error instanceof Error && error.cause instanceof PrivateAddress))
    return "The address leads to a private network, which we do not open.";
  if (signal.aborted) return `The calendar's server did not answer within ${ms / 1_000} seconds.`;
  const code = errorCode(error);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "There is no server at this address.";
  if (/CERT|SSL|TLS|SIGNATURE/.test(code)) return "The calendar's server has no valid certificate.";
  return "The calendar's server cannot be reached.";
}
