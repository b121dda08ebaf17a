/** Reads an upload (multipart/form-data). Of a file only its name, type, size and hash are stored. */
import { createHash } from "node:crypto";
import busboy from "busboy";
import { ProviderError, type Params } from "./params.ts";

export const isMultipart = (contentType: string | undefined): boolean =>
  /^multipart\/form-data;/i.test(contentType ?? "");

export async function parseMultipart(body: Buffer, contentType: string): Promise<Params> {
  const params: Params = Object.create(null) as Params;
  try {
    await new Promise<void>((resolve, reject) => {
      busboy({ headers: { "content-type": contentType }, defParamCharset: "utf8" })
        .on("field", (name, value) => (params[name] = value))
        .on("file", (name, file, { filename, mimeType: type }) => {
          const hash = createHash("sha256");
          let size = 0;
          file.on("data", (chunk: Buffer) => {
            hash.update(chunk);
            size += chunk.length;
          });
          file.on("error", reject);
          file.on(
            "end",
            () => (params[name] = { name: filename ?? "", type, size: String(size), sha256: hash.digest("hex") }),
          );
        })
        .on("error", reject)
        .on("close", resolve)
        .end(body);
    });
  } catch {
    throw new ProviderError(400, "invalid_request_error", "The upload is not valid multipart/form-data.");
  }
  return params;
}
