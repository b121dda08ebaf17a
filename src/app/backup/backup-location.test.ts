import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "#platform/config.ts";
import type { Log } from "#platform/log.ts";
import { s3Keys, s3Server } from "#test/harness/servers/s3-server.ts";
import { testApp } from "#test/test-app.ts";
import { checkArchive } from "./archive.ts";
import { checkBackupLocation } from "./backup-location.ts";

test("refuses a folder that cannot be made, and logs what is wrong with a bucket", async () => {
  await using app = await testApp();
  const logged: string[] = [];
  const log = { error: (entry: object) => void logged.push(JSON.stringify(entry)) } as unknown as Log;
  const check = (env: Record<string, string>) =>
    checkBackupLocation({ ...app.services, log, config: readConfig({ DEMO: "1", ...env }) });
  const file = path.join(app.dataDir, "a-file");
  writeFileSync(file, "");
  await expect(check({ BACKUP_DIR: path.join(file, "backups") })).rejects.toThrow(
    `BACKUP_DIR: backups cannot be written to ${file}`,
  );
  await check({ BACKUP_DIR: path.join(app.dataDir, "new", "backups") });
  expect(logged).toEqual([]);

  const s3 = await s3Server();
  const bucket = {
    BACKUP_S3_REGION: s3.region,
    BACKUP_S3_ENDPOINT: s3.endpoint,
    BACKUP_S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
  };
  await check({ ...bucket, BACKUP_S3_BUCKET: s3.bucket });
  expect(logged).toEqual([]);
  await check({ ...bucket, BACKUP_S3_BUCKET: "nowhere" });
  expect(logged.join("")).toMatch(/BACKUP_S3_BUCKET: nowhere at .* cannot be used \(there is no such bucket\)/);
  await s3.close();
  await check({ ...bucket, BACKUP_S3_BUCKET: s3.bucket });
  expect(logged.at(-1)).toMatch(/cannot be used \(the connection was refused\)/);
});

test("names a backup file that does not exist", async () => {
  await expect(checkArchive("/nowhere/nosuch.tar")).rejects.toThrow("There is no file /nowhere/nosuch.tar.");
});
