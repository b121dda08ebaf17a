/** Reads an upload (multipart/form-data). A file's content is not kept: its name, type, size and fingerprint are. */
import { createHash } from "node:crypto";
import type { Params } from "./params.ts";

export const boundaryOf = (contentType: string | undefined): string | undefined =>
  /^multipart\/form-data;.*boundary="?([\w'()+,./:=?-]{1,70})"?/i.exec(contentType ?? "")?.[1];

export function parseMultipart(body: Buffer, boundary: string): Params {
  const params: Params = Object.create(null) as Params;
  // Every byte is one character of latin1, so that lengths and contents stay what they are.
  for (const part of body.toString("latin1").split(`--${boundary}`).slice(1, -1)) {
    const split = part.indexOf("\r\n\r\n");
    const head = part.slice(0, split);
    const content = Buffer.from(part.slice(split + 4).replace(/\r\n$/, ""), "latin1");
    const name = /name="([\w-]{1,40})"/.exec(head)?.[1];
    if (split < 0 || name === undefined) continue;
    const filename = /filename="([^"]{0,200})"/.exec(head)?.[1];
    params[name] =
      filename === undefined
        ? content.toString("utf8")
        : {
            name: Buffer.from(filename, "latin1").toString("utf8"),
            type: /content-type:\s*([\w.+/-]+)/i.exec(head)?.[1] ?? "",
            size: String(content.length),
            sha256: createHash("sha256").update(content).digest("hex"),
          };
  }
  return params;
}
