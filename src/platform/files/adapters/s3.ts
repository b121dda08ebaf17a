import { HeadBucketCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { Disk } from "flydrive";
import { S3Driver } from "flydrive/drivers/s3";
import { type Config, ConfigError } from "../../config.ts";
import { networkReason } from "../../http/outgoing/network-reason.ts";
import type { Files, FoundFile } from "./disk.ts";
import { filesOn, undefinedIfMissing } from "./stored-files.ts";

type Bucket = NonNullable<Config["s3"]>;

/** In ms. A silent service fails a request soon, and the start of the server with a message. */
const timeouts = { connectionTimeout: 5_000, socketTimeout: 20_000 };

const silent = () => undefined;

/** Opens the bucket. Throws ConfigError if it is unreachable or another installation's. Objects stay private: this server reads them. */
export async function openBucket(s3: Bucket, installation: string): Promise<Files> {
  const client = new S3Client({
    region: s3.region,
    credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
    // Other services know neither buckets as host names nor the newer checksums.
    ...(s3.endpoint ? { endpoint: s3.endpoint, forcePathStyle: true } : {}),
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    // Every failure is thrown and logged by the caller. The client's own lines can name objects.
    logger: { trace: silent, debug: silent, info: silent, warn: silent, error: silent },
    requestHandler: timeouts,
  });
  await requireBucket(client, s3);
  const disk = new Disk(new S3Driver({ client, bucket: s3.bucket, visibility: "private", supportsACL: false }));
  // The list has the dates. A query per object would be a call per picture.
  async function* pages(within: string): AsyncGenerator<FoundFile[]> {
    let from: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: s3.bucket, Prefix: within && `${within}/`, ContinuationToken: from }),
      );
      yield (page.Contents ?? []).flatMap(({ Key: name, LastModified: changedAt }) =>
        name !== undefined && changedAt !== undefined ? [{ name, changedAt }] : [],
      );
      from = page.NextContinuationToken;
    } while (from !== undefined);
  }
  const files = filesOn(disk, undefinedIfMissing(isMissing), pages);
  await claimBucket(files, s3, installation);
  return files;
}

const mark = "installation";

/** Marks the bucket as this installation's, because each installation removes files that its database does not know. */
async function claimBucket(files: Files, { bucket }: Bucket, installation: string): Promise<void> {
  const known = (await files.read(mark))?.toString();
  if (known === undefined) return files.put(mark, Buffer.from(installation));
  if (known !== installation)
    throw new ConfigError(
      `S3_BUCKET: ${bucket} contains the files of another installation, and each installation deletes files that it does not know. Use a separate bucket for every installation. If this installation replaces the other one, delete the object "${mark}" from the bucket first.`,
    );
}

/** Checks the bucket once at the start. The client's error can include the request's headers, so only its name is passed on. */
async function requireBucket(client: S3Client, { bucket, endpoint }: Bucket): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
  } catch (error) {
    client.destroy();
    const status = statusOf(error);
    const why =
      status === 403
        ? "S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not accepted"
        : status === 404
          ? "there is no such bucket"
          : (networkReason(error) ??
            `unknown response: ${error instanceof Error ? error.name : "error"}${status ? ` ${status}` : ""}`);
    throw new ConfigError(`S3_BUCKET: ${bucket} at ${endpoint ?? "Amazon S3"} cannot be used (${why}).`);
  }
}

/** flydrive wraps the service's error as the cause of its own. In a bucket that is gone, no file counts as missing. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && ((statusOf(error) === 404 && error.name !== "NoSuchBucket") || isMissing(error.cause));

function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("$metadata" in error)) return undefined;
  const { $metadata: metadata } = error;
  return typeof metadata === "object" && metadata !== null && "httpStatusCode" in metadata
    ? Number(metadata.httpStatusCode)
    : undefined;
}
