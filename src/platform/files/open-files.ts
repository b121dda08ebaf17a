import type { Config } from "../config.ts";
import { type Files, openFiles } from "./adapters/disk.ts";

/** Opens the bucket or the data folder, for files of this installation only. The S3 client is loaded only for a bucket, to save memory. */
export async function openStorage(
  { s3, dataDir }: Pick<Config, "s3" | "dataDir">,
  installation: string,
): Promise<Files> {
  if (!s3) return openFiles(dataDir);
  const { openBucket } = await import("./adapters/s3.ts");
  return openBucket(s3, installation);
}
