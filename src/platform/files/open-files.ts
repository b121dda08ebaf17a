/** Opens the storage of uploaded files that the configuration names: an S3 bucket, or the data folder. */
import type { Config } from "../config.ts";
import { type Files, openFiles } from "./adapters/disk.ts";

/** Opens it for this installation, whose files alone a bucket may hold. The client of S3 is loaded with the first bucket: an installation without one pays neither its memory nor its start. */
export async function openStorage(
  { s3, dataDir }: Pick<Config, "s3" | "dataDir">,
  installation: string,
): Promise<Files> {
  if (!s3) return openFiles(dataDir);
  const { openBucket } = await import("./adapters/s3.ts");
  return openBucket(s3, installation);
}
