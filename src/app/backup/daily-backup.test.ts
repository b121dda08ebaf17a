import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findWaiting } from "#activity/index.ts";
import { testApp, type TestApp } from "#test/test-app.ts";
import { temporaryFolder } from "../../../scripts/temporary-folder.mjs";
import { backupJob } from "./daily-backup.ts";

const folder = mkdtempSync(path.join(temporaryFolder, "stagedoor-backups-"));
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ env: { BACKUP_DIR: folder, BACKUP_KEEP: "1" } });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const rows = () => app.database.db.selectFrom("backups").selectAll().orderBy("id").execute();
const archives = () => readdirSync(folder).filter((name) => name.startsWith("stagedoor-"));

test("makes a backup, restores it for a trial, keeps as many as the operator wants, and records one that cannot be restored", async () => {
  writeFileSync(path.join(folder, "notes.tar"), "not ours");
  writeFileSync(path.join(folder, "stagedoor-20250101T0000-1.tar"), "an old one");
  await app.make.artist();
  await backupJob.run(app.services);
  expect(await rows()).toMatchObject([
    { failure: null, verified_at: expect.any(Date), file: expect.stringContaining(folder) },
  ]);
  expect(archives()).toHaveLength(1);
  expect(archives()).not.toContain("stagedoor-20250101T0000-1.tar");
  expect(readdirSync(folder)).toContain("notes.tar");

  // A person without a profile breaks a rule of `verify`: the copy is as wrong as the original, and says so.
  const { id } = await app.make.user();
  await app.database.db.deleteFrom("profiles").where("user_id", "=", id).execute();
  app.clock.advance(86_400_000);
  await backupJob.run(app.services);
  expect((await rows())[1]).toMatchObject({
    verified_at: null,
    failure: expect.stringContaining("every person has a profile"),
  });
  expect(archives()).toHaveLength(2);
  expect((await findWaiting(app.database.db)).find(({ kind }) => kind === "backup")?.count).toBe(0);
});
