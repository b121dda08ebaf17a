import type { ServerResponse } from "node:http";
import { addAbortSignal, type Readable } from "node:stream";
import { Problem, invalid } from "../errors.ts";
import { maxUploadBytes } from "./upload.rules.ts";

const uploadSeconds = 60;

export const uploadTimeout = (): AbortSignal => AbortSignal.timeout(uploadSeconds * 1_000);

const interrupted = () => invalid("The upload was interrupted. Nothing was stored. Please try again.");

export function uploadSignal(time: AbortSignal, response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort(interrupted()));
  return AbortSignal.any([time, gone.signal]);
}

const tooLarge = (max: number) =>
  new Problem("too_large", `This file is larger than ${max / 1024 / 1024} MB. Choose a smaller one.`);

/** Reads an upload into memory. Throws above `max` bytes (5 MB), by the announced length first, and if the body ends early. */
export async function readUpload(
  body: Readable,
  announcedBytes: number | undefined,
  max: number = maxUploadBytes,
  signal: AbortSignal = uploadTimeout(),
): Promise<Buffer> {
  if (announcedBytes !== undefined && announcedBytes > max) throw tooLarge(max);
  const parts: Buffer[] = [];
  let bytes = 0;
  addAbortSignal(signal, body);
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > max) throw tooLarge(max);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (signal.aborted) throw invalid("The upload took too long. Nothing was stored. Please try again.");
    throw interrupted();
  }
  if (announcedBytes !== undefined && bytes < announcedBytes) throw interrupted();
  if (bytes === 0) throw invalid("The file is empty.");
  return Buffer.concat(parts, bytes);
}
