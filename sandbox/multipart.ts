/** Reads an upload (multipart/form-data). Of a file only its name, type, size and hash are stored. */

import { createHash } from "node:crypto";
import { ProviderError, type Params } from "./params.ts";

export const isMultipart = (contentType: string | undefined): boolean =>
  /^multipart\/form-data;/i.test(contentType ?? "");

export async function parseMultipart(body: Buffer, contentType: string): Promise<Params> {
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
