import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { type Bucket, ConfigError } from "#platform/config.ts";
import { openStorage } from "#platform/files/open-files.ts";
import { expiredArchives, fetchedPrefix } from "./archive-names.ts";

const folder = "backups";
/** In bytes, the maximum of one upload of the protocol. */
const maxBytes = 5 * 1024 ** 3;

/** Opens the bucket for the backups of this installation only. Throws ConfigError if it is unusable. */
export async function openBackupBucket(s3: Bucket, installation: string) {
  const files = await openStorage({ s3, dataDir: "" }, installation).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(error.message.replaceAll(/\bS3_/g, "BACKUP_S3_"), { cause: error });
  });
  const keyOf = (name: string) => `${folder}/${name}`;
  return {
    addressOf: (name: string) => `s3://${s3.bucket}/${keyOf(name)}`,
    store: async (name: string, file: string): Promise<void> => {
      const { size } = await stat(file);
      if (size > maxBytes)
        throw new ConfigError("The backup is larger than 5 GB, the maximum of one upload to a bucket. Use BACKUP_DIR.");
      await files.putFile(keyOf(name), file).catch((cause: unknown) => {
        throw new ConfigError(
          `The bucket ${s3.bucket} did not accept the backup. Check that its key may put, get, list and delete objects, and that it has space.`,
          { cause },
        );
      });
    },
    fetch: async (name: string, into: string): Promise<string> => {
      const found = await files.open(keyOf(name));
      if (!found) throw new ConfigError(`The backup ${name} is not in the bucket ${s3.bucket} after its upload.`);
      const copy = path.join(into, `${fetchedPrefix}${name}`);
      await pipeline(found.stream, createWriteStream(copy, { mode: 0o600 }));
      return copy;
    },
    removeOldest: async (start: string, keep: number): Promise<void> => {
      const names = (await files.list(folder)).map((one) => one.name.slice(folder.length + 1));
      for (const name of expiredArchives(names, start, keep)) await files.remove(keyOf(name));
    },
  };
}
