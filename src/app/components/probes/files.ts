import { randomUUID } from "node:crypto";
import type { Payments } from "#gateway/gateway.ts";
import { errorCode } from "#platform/errors.ts";
import { filesFolder } from "#platform/files/adapters/disk.ts";
import { causesOf } from "#platform/http/outgoing/network-reason.ts";
import type { Component } from "../component.ts";
import { ComponentFailure } from "../rules.ts";

const folder = "component-test";

export const files: Component = {
  inUse: ({ config: { s3 } }) =>
    s3
      ? { product: `S3, bucket ${s3.bucket} at ${hostOf(s3.endpoint)}`, mode: "external" }
      : { product: "Folder in DATA_DIR", mode: "embedded" },
  slowMs: 2_000,
  check: ({ config: { s3 } }) =>
    s3 ? "Check the bucket and its keys." : "Check the folder files in DATA_DIR and its disk.",
  address: ({ config: { s3, dataDir } }) => (s3 ? hostOf(s3.endpoint) : filesFolder(dataDir)),
  test: async (services) => {
    const name = `${folder}/${randomUUID()}`;
    const bytes = Buffer.from(`A test of Stagedoor, ${name}`);
    try {
      await services.files.put(name, bytes);
      const found = await services.files.read(name);
      await services.files.remove(name);
      if (!found?.equals(bytes))
        throw new ComponentFailure("A file was not read back as it was written.", "Check the storage.");
    } catch (error) {
      throw failureOf(error, services);
    }
    return "A small file was written, read back, compared and deleted.";
  },
};

const hostOf = (endpoint: string | undefined) => (endpoint ? new URL(endpoint).host : "Amazon S3");

/** Returns the failure with only the error's name in the details, because the error can include the request with its keys. */
function failureOf(error: unknown, { config: { s3, dataDir } }: Payments): unknown {
  if (error instanceof ComponentFailure) return error;
  const causes = causesOf(error);
  const status = causes.map(statusIn).find((one) => one !== undefined);
  if (s3 && status !== undefined) {
    const details = `${status} ${causes.at(-1)?.name ?? ""}`;
    if (status === 403)
      return new ComponentFailure(
        `The keys may not read and write the bucket ${s3.bucket}.`,
        "Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the rights of the key: get, put, list and delete.",
        details,
      );
    if (status === 404) return new ComponentFailure(`There is no bucket ${s3.bucket}.`, "Check S3_BUCKET.", details);
    return new ComponentFailure(`The storage answers with an error (${status}).`, "Check the service.", details);
  }
  const code = causes.map(errorCode).find((one) => /^(ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EIO)$/.test(one));
  const where = filesFolder(dataDir);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new ComponentFailure("The disk of the files is full.", `Free some space on the disk of ${where}.`, code);
  if (code) return new ComponentFailure("The folder of the files cannot be written.", `Check ${where}.`, code);
  return error;
}

function statusIn(error: Error): number | undefined {
  if (!("$metadata" in error) || typeof error.$metadata !== "object" || error.$metadata === null) return undefined;
  return "httpStatusCode" in error.$metadata ? Number(error.$metadata.httpStatusCode) : undefined;
}
