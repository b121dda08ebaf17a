/**
 * A bucket on loopback with the required part of the S3 protocol. It verifies the signature of every request (AWS Signature
 * Version 4), so a client with another key or none gets a real service's error.
 */

import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

type Stored = { bytes: Buffer; type: string; changedAt: Date };
export type S3Server = Awaited<ReturnType<typeof s3Server>>;

export const s3Keys = { accessKeyId: "AKIATESTKEY", secretAccessKey: "a-secret-that-no-log-may-show" };
const region = "eu-test-1";
const bucket = "stagedoor-files";
/** Small enough for more than one page in a test. */
const pageSize = 3;

/** Starts the server. `objects` are its contents by key. */
export async function s3Server() {
  const objects = new Map<string, Stored>();
  const refused: string[] = [];
  const rights = { write: true };
  const faults = { cutsDownloads: false, hasNoBucket: false };
  const server = createServer((request, response) => void handleRequest(request, response));
  async function handleRequest(request: IncomingMessage, response: ServerResponse) {
    const body = await buffer(request);
    const fault = signatureFault(request, body);
    if (fault) {
      refused.push(fault);
      return fail(request, response, 403, "SignatureDoesNotMatch");
    }
    const url = new URL(request.url ?? "/", "http://s3.test");
    const [, name = "", ...rest] = url.pathname.split("/");
    const key = decodeURIComponent(rest.join("/"));
    if (!rights.write && request.method !== "GET" && request.method !== "HEAD")
      return fail(request, response, 403, "AccessDenied");
    if (name !== bucket || faults.hasNoBucket) return fail(request, response, 404, "NoSuchBucket");
    if (key === "") return request.method === "HEAD" ? response.writeHead(200).end() : list(url, response);
    const known = objects.get(key);
    if (request.method === "PUT") {
      objects.set(key, { bytes: body, type: String(request.headers["content-type"] ?? ""), changedAt: new Date() });
      return response.writeHead(200, { etag: etagOf(body) }).end();
    }
    if (request.method === "DELETE") {
      objects.delete(key);
      return response.writeHead(204).end();
    }
    if (!known) return fail(request, response, 404, "NoSuchKey");
    response.writeHead(200, {
      "content-type": known.type,
      "content-length": known.bytes.length,
      "last-modified": known.changedAt.toUTCString(),
      etag: etagOf(known.bytes),
    });
    if (request.method === "GET" && faults.cutsDownloads) return response.write("RIFF", () => response.destroy());
    return response.end(request.method === "HEAD" ? undefined : known.bytes);
  }
  function list(url: URL, response: ServerResponse) {
    const prefix = url.searchParams.get("prefix") ?? "";
    const after = url.searchParams.get("continuation-token") ?? "";
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
    const left = keys.filter((key) => key > after);
    const page = left.slice(0, pageSize);
    const more = left.length > page.length;
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>${objects.get(key)?.changedAt.toISOString()}</LastModified><Size>${objects.get(key)?.bytes.length}</Size></Contents>`,
    );
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    response.writeHead(200, { "content-type": "application/xml" });
    return response.end(
      `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${more}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
    );
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    bucket,
    region,
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    /** The permissions of the key. */
    rights,
    faults,
    /** The reasons of refused requests. */
    refused,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const etagOf = (bytes: Buffer) => `"${createHash("md5").update(bytes).digest("hex")}"`;

function fail(request: IncomingMessage, response: ServerResponse, status: number, code: string) {
  response.writeHead(status, { "content-type": "application/xml" });
  return response.end(
    request.method === "HEAD" ? undefined : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`,
  );
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();

/** Recomputes the signature of a request. Returns undefined if it matches. */
function signatureFault(request: IncomingMessage, body: Buffer): string | undefined {
  const header = request.headers.authorization ?? "";
  const [, access, day, where, signed = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    ) ?? [];
  if (!access || !day || !where || !signature) return "not signed";
  if (access !== s3Keys.accessKeyId) return "unknown key";
  if (where !== region) return "another region";
  const claimed = String(request.headers["x-amz-content-sha256"] ?? "");
  if (claimed !== "UNSIGNED-PAYLOAD" && claimed !== sha256(body)) return "another body";
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://s3.test");
  const query = [...searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted()
    .join("&");
  const headers = signed.split(";").map((name) => `${name}:${String(request.headers[name] ?? "").trim()}\n`);
  const canonical = [request.method, pathname, query, headers.join(""), signed, claimed].join("\n");
  const scope = `${day}/${where}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", request.headers["x-amz-date"], scope, sha256(canonical)].join("\n");
  const key = [day, where, "s3", "aws4_request"].reduce<string | Buffer>(
    (made, part) => hmac(made, part),
    `AWS4${s3Keys.secretAccessKey}`,
  );
  return hmac(key, text).toString("hex") === signature ? undefined : "wrong signature";
}
