import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { closeAfterFile } from "#test/close-after-file.ts";
import { freePort } from "#test/free-ports.ts";
import { testApp } from "#test/test-app.ts";
import { backUp } from "./backup-report.ts";

const app = closeAfterFile(await testApp());

test.each([
  ["postgres://localhost/market", "To back up the database alone, run it without any S3_ setting"],
  [undefined, "To back up the database alone, stop the server and run it without any S3_ setting"],
])("says what to do while the bucket of files cannot be used, with the database %s", async (databaseUrl, advice) => {
  const { database, clock } = app.services;
  const bucket = { bucket: "files", region: "us-east-1", accessKeyId: "key", secretAccessKey: "secret" };
  const s3 = { ...bucket, endpoint: `http://127.0.0.1:${await freePort()}` };
  const source = { database, config: { ...app.services.config, databaseUrl, s3 }, now: clock.now() };
  const file = path.join(app.dataDir, "stagedoor.tar");
  const refused = backUp(source, file, { passphrase: undefined, say: async () => undefined });
  await expect(refused).rejects.toThrow(/^No backup was made\. S3_BUCKET: files at .* cannot be used \(.+\)\. Repeat/);
  await expect(refused).rejects.toThrow(advice);
  expect(existsSync(file)).toBe(false);
});
