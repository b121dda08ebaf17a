import type { Config } from "../config.ts";
import { type Files, openFiles } from "./adapters/disk.ts";

/**
 * Opens the configured storage: an S3 bucket with files of this installation only, or the data folder. Loads the S3 client only for a
 * bucket, because it costs memory and start time.
 */
export async function openStorage(
  { s3, dataDir }: Pick<Config, "s3" | "dataDir">,
  installation: string,
): Promise<Files> {
  if (!s3) return openFiles(dataDir);
  const { openBucket } = await import("./adapters/s3.ts");
  return openBucket(s3, installation);
}
