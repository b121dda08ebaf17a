import { expect, test } from "vitest";
import { testApp } from "#test/test-app.ts";
import { dumpDatabase } from "./dump.views.ts";

test("names the location of the uploaded files in the head of a dump: the folder, or the bucket without its keys", async () => {
  await using app = await testApp();
  const headOf = async (s3: Parameters<typeof dumpDatabase>[2]["s3"]) => {
    const parts: string[] = [];
    await dumpDatabase(app.database, async (part) => void parts.push(part), { dataDir: app.dataDir, s3 });
    return parts[0] ?? "";
  };
  expect(await headOf(undefined)).toMatch(/Copy the folder ".*files" beside it/);
  const keys = { accessKeyId: "AKIATEST", secretAccessKey: "not-for-a-dump" };
  const head = await headOf({ bucket: "stagedoor-files", region: "eu-1", endpoint: undefined, ...keys });
  expect(head).toContain('They are in the S3 bucket "stagedoor-files"');
  expect(head).not.toMatch(/AKIATEST|not-for-a-dump|Copy the folder/);
});
