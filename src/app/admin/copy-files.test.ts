import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { filesFolder } from "#platform/files/adapters/disk.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { s3Keys, s3Server } from "#test/harness/servers/s3-server.ts";
import { testApp } from "#test/test-app.ts";
import { runCommand } from "./commands.ts";

const s3 = closeAfterFile(await s3Server());
const keys = { S3_ACCESS_KEY_ID: s3Keys.accessKeyId, S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey };
const app = closeAfterFile(
  await testApp({ env: { S3_BUCKET: s3.bucket, S3_REGION: s3.region, S3_ENDPOINT: s3.endpoint, ...keys } }),
);

const run = async (...args: string[]) => {
  let output = "";
  const succeeded = await runCommand(app.services, ["copy-files", ...args], async (part) => void (output += part));
  return { succeeded, output };
};

test("copies files to the bucket and back, compares checksums, and skips existing files", async () => {
  const folder = filesFolder(app.dataDir);
  const names = ["artist-media/one/photo.webp", "brand/logo.png"];
  for (const name of names) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), `the bytes of ${name}`);
  }
  expect(await run("to-bucket")).toEqual({ succeeded: true, output: "2 files copied, 0 were there already.\n" });
  expect(await run("to-bucket")).toEqual({ succeeded: true, output: "0 files copied, 2 were there already.\n" });
  writeFileSync(path.join(folder, "brand/logo.png"), "cut off");
  expect(await run("to-folder")).toEqual({ succeeded: true, output: "1 files copied, 1 were there already.\n" });
  for (const name of names) expect(readFileSync(path.join(folder, name), "utf8")).toBe(`the bytes of ${name}`);
  expect((await run("sideways")).succeeded).toBe(false);
});

test("reports what to set without a bucket", async () => {
  await using plain = await testApp();
  let output = "";
  expect(await runCommand(plain.services, ["copy-files", "to-bucket"], async (part) => void (output += part))).toBe(
    false,
  );
  expect(output).toContain("Set S3_BUCKET");
});
