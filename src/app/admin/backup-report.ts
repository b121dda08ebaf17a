import { type Config, ConfigError } from "#platform/config.ts";
import type { Manifest } from "../backup/archive.ts";
import { type BackupSource, writeBackup } from "../backup/backup.ts";

export type Print = (part: string) => Promise<void>;

/** "incomplete": the backup has everything except files that the store lacks. */
export type Outcome = boolean | "incomplete";

export async function backUp(
  source: BackupSource & { config: Pick<Config, "databaseUrl"> },
  file: string,
  { passphrase, say }: { passphrase: string | undefined; say: Print },
): Promise<Outcome> {
  const manifest = await writeBackup(source, file, passphrase).catch((error: unknown) => {
    if (!(error instanceof ConfigError && error.message.includes("cannot be used"))) throw error;
    throw new ConfigError(`No backup was made. ${error.message} ${withoutBucketAdvice(source.config)}`);
  });
  const bucket = source.config.s3?.bucket;
  const missing = describeMissing(manifest);
  await say(
    [
      `The backup is in ${file}: ${describeContent(manifest, bucket)}.`,
      ...(missing
        ? [
            `WARNING: ${missing}. Check that DATA_DIR or S3_BUCKET of this command has the files of the server.`,
            ...namesOf(manifest),
            lostFilesAdvice,
          ]
        : []),
      passphrase
        ? "It contains the root key, encrypted with BACKUP_PASSPHRASE."
        : "It does not contain the root key: store a copy of secrets.key (or of SECRETS_KEY) elsewhere, or set BACKUP_PASSPHRASE.",
      `Check that it can be restored: npm run backup -- verify ${file}\n`,
    ].join("\n"),
  );
  return missing ? "incomplete" : true;
}

const withoutBucketAdvice = ({ databaseUrl }: Pick<Config, "databaseUrl">) =>
  `Repeat the command when the bucket can be used. To back up the database alone, ${databaseUrl ? "" : "stop the server and "}run it without any S3_ setting (docs/operate/files.md).`;

export const lostFilesAdvice =
  "A file that is lost for good: replace or remove it in the artist’s media, or run npm run admin -- missing-files accept.";

export const namesOf = ({ missing }: Manifest): string[] => missing?.names.map((name) => `  ${name}`) ?? [];

export function describeContent({ rows, files }: Manifest, bucket: string | undefined): string {
  const tables = Object.keys(rows).length;
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const counted = `${files} file${files === 1 ? "" : "s"}`;
  const stored = bucket ? `the list of ${counted} in the bucket ${bucket}` : counted;
  return `${total} rows of ${tables} tables and ${stored}`;
}

/** Undefined if the store had every file that the database names. */
export const describeMissing = ({ missing }: Manifest): string | undefined =>
  missing?.count
    ? `${missing.count === 1 ? "1 file that the database names is" : `${missing.count} files that the database names are`} not in the store, for example ${missing.example}`
    : undefined;
