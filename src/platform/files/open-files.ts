import type { Config } from "../config.ts";
import { outageRetrySeconds, Problem } from "../errors.ts";
import type { Log } from "../log.ts";
import { openFiles } from "./adapters/disk.ts";

/** Opens the bucket or the data folder, for files of this installation only. The S3 client is loaded only for a bucket, to save memory. */
export async function openStorage({ s3, dataDir }: Pick<Config, "s3" | "dataDir">, installation: string) {
  if (!s3) return openFiles(dataDir);
  const { openBucket } = await import("./adapters/s3.ts");
  return openBucket(s3, installation);
}

/** Uses the storage for a user. Throws unavailable (503) if it fails. */
export async function useStorage<T>({ log }: Readonly<{ log: Log }>, file: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    log.error({ err: error, file }, "the file storage failed");
    throw new Problem(
      "unavailable",
      "The file storage cannot be reached at the moment. Please try again in a few seconds.",
      {
        retryAfterSeconds: outageRetrySeconds,
      },
    );
  }
}
