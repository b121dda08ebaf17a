/** Routes for uploads: the body stays a stream, and is read after the access check. */

import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { invalid } from "../errors.ts";
import { readUpload } from "../files/upload.ts";

/** Headers of a served upload: its name is never reused, and nothing in it may run or load, even when it is opened as a page. */
export const uploadHeaders = {
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "cross-origin",
} as const;

export function acceptStreams(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, body, done) => done(null, body));
}

/** Replies with the result of an upload (201). After an error the connection closes, because part of the body may not have been read. */
export async function replyToUpload(request: FastifyRequest, reply: FastifyReply, receive: () => Promise<unknown>) {
  reply.header("cache-control", "no-store");
  try {
    return await reply.code(201).send(await receive());
  } catch (error) {
    if (!request.raw.complete) reply.header("connection", "close");
    throw error;
  }
}

/** Reads the uploaded file. Throws invalid input (400) if there is none. */
export function readBody(request: FastifyRequest, max?: number, signal?: AbortSignal): Promise<Buffer> {
  const body = request.body as Readable | undefined;
  if (!body?.readable) throw invalid("The file is empty.");
  const announced = request.headers["content-length"];
  return readUpload(body, announced === undefined ? undefined : Number(announced), max, signal);
}
