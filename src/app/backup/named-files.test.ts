import { randomUUID } from "node:crypto";
import path from "node:path";
import { expect, test } from "vitest";
import { testApp } from "#test/test-app.ts";
import { checkBackup } from "../admin/check-backup.ts";
import { runCommand } from "../admin/commands.ts";

test("backup, its check and verify name files that the database needs and the store does not have", async () => {
  await using app = await testApp();
  const { id: userId } = await app.make.user({ role: "artist" });
  const addPicture = (name: string) =>
    app.database.db
      .insertInto("artist_files")
      .values({ name, user_id: userId, kind: "photo", bytes: 4, width: 1, height: 1, thumbhash: "", avif_at: null })
      .execute();
  const run = async (...args: string[]) => {
    let output = "";
    const succeeded = await runCommand(app.services, args, async (part) => void (output += part));
    return { succeeded, output };
  };
  const check = "every file that the database names is stored";

  const [stored, lost] = [`${userId}/photo_1.webp`, `${userId}/photo_2.webp`];
  await app.services.files.put(`artist-media/${stored}`, Buffer.from("here"));
  await addPicture(stored);
  const complete = path.join(app.dataDir, `${randomUUID()}.tar`);
  expect((await run("backup", complete)).output).not.toContain("WARNING");
  expect((await run("verify")).output).toContain(`ok      ${check}`);

  await addPicture(lost);
  const incomplete = path.join(app.dataDir, `${randomUUID()}.tar`);
  const finding = `1 file that the database names is not in the store, for example artist-media/${lost}`;
  expect((await run("backup", incomplete)).output).toContain(`WARNING: ${finding}.`);
  const { findings } = await checkBackup(incomplete, app.dataDir);
  expect(findings).toContainEqual({ check, wrong: finding });
  const verified = await run("verify");
  expect(verified.succeeded).toBe(false);
  expect(verified.output).toContain(`FAILED  ${check}: 1, for example artist-media/${lost}`);
});
