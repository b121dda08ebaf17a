import { randomUUID } from "node:crypto";
import path from "node:path";
import { expect, test } from "vitest";
import { findWaiting } from "#activity/index.ts";
import { testApp } from "#test/test-app.ts";
import { verifyCommand } from "../admin/backup-command.ts";
import { runCommand } from "../admin/commands.ts";

test("backup, its check and verify name files that the store lacks, until the operator accepts the loss", async () => {
  await using app = await testApp();
  const { id: userId } = await app.make.user({ role: "artist" });
  const addPicture = (name: string) =>
    app.database.db
      .insertInto("artist_files")
      .values({ name, user_id: userId, kind: "photo", bytes: 4, width: 1, height: 1, thumbhash: "", avif_at: null })
      .execute();
  const run = async (...args: string[]) => {
    let output = "";
    const outcome = await runCommand(app.services, args, async (part) => void (output += part));
    return { outcome, output };
  };
  const check = "every file that the database names is stored";

  const [stored, lost] = [`${userId}/photo_1.webp`, `${userId}/photo_2.webp`];
  await app.services.files.put(`artist-media/${stored}`, Buffer.from("here"));
  await addPicture(stored);
  const complete = path.join(app.dataDir, `${randomUUID()}.tar`);
  expect(await run("backup", complete)).toEqual({ outcome: true, output: expect.not.stringContaining("WARNING") });
  expect((await run("verify")).output).toContain(`ok      ${check}`);

  await addPicture(lost);
  const incomplete = path.join(app.dataDir, `${randomUUID()}.tar`);
  const finding = `1 file that the database names is not in the store, for example artist-media/${lost}`;
  const made = await run("backup", incomplete);
  expect(made.outcome).toBe("incomplete");
  expect(made.output).toContain(`WARNING: ${finding}.`);
  let checked = "";
  expect(await verifyCommand(incomplete, async (part) => void (checked += part))).toBe("incomplete");
  expect(checked).toContain(`INCOMPLETE  ${finding}\n  artist-media/${lost}\n`);
  expect(checked).not.toContain("FAILED");
  const verified = await run("verify");
  expect(verified.outcome).toBe(false);
  expect(verified.output).toContain(`FAILED  ${check}: 1, for example artist-media/${lost}`);

  expect(await run("missing-files")).toEqual({
    outcome: false,
    output: expect.stringContaining(`MISSING  artist-media/${lost}\n`),
  });
  const listed = async () => (await findWaiting(app.database.db)).find(({ kind }) => kind === "file");
  expect(await listed()).toMatchObject({ count: 1, example: `artist-media/${lost}` });
  expect((await run("missing-files", "accept")).outcome).toBe(true);
  expect(await listed()).toMatchObject({ count: 0 });
  expect((await run("verify")).output).toContain(`ok      ${check}`);
  expect((await run("backup", path.join(app.dataDir, `${randomUUID()}.tar`))).outcome).toBe(true);

  // It is found again, and lost again.
  await app.services.files.put(`artist-media/${lost}`, Buffer.from("here"));
  expect((await run("missing-files")).output).toBe("The store has every file that the database names.\n");
  await app.services.files.remove(`artist-media/${lost}`);
  expect((await run("missing-files")).outcome).toBe(false);
});
