import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { findWaiting } from "#activity/index.ts";
import { readConfig } from "#platform/config.ts";
import { dayMs, hourMs } from "#platform/time/durations.rules.ts";
import { closeAfterFile } from "#test/close-after-file.ts";
import { s3Keys, s3Server } from "#test/harness/servers/s3-server.ts";
import { testApp } from "#test/test-app.ts";
import { temporaryFolder } from "../../../scripts/temporary-folder.mjs";
import { runCommand } from "../admin/commands.ts";
import { reportBackups } from "../components/views.ts";
import { backupJob } from "./daily-backup.ts";

const folder = mkdtempSync(path.join(temporaryFolder, "stagedoor-backups-"));
const s3 = closeAfterFile(await s3Server());
const app = closeAfterFile(
  await testApp({
    env: {
      BACKUP_DIR: folder,
      BACKUP_KEEP: "1",
      BACKUP_S3_BUCKET: s3.bucket,
      BACKUP_S3_REGION: s3.region,
      BACKUP_S3_ENDPOINT: s3.endpoint,
      BACKUP_S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    },
  }),
);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const rows = () => app.database.db.selectFrom("backups").selectAll().orderBy("id").execute();
const archives = () => readdirSync(folder).filter((name) => /^stagedoor-.*\.tar$/.test(name));
const stored = () => [...s3.objects.keys()].filter((key) => key.startsWith("backups/"));
const old = "stagedoor-20250101T0000-1.tar";

/** What an aborted backup has left in the folder, last changed so many hours ago. */
const leave = (name: string, hours: number) => {
  const at = new Date(app.clock.now().getTime() - hours * hourMs);
  const place = path.join(folder, name);
  if (name.startsWith("stagedoor-restore-")) mkdirSync(path.join(place, "pg"), { recursive: true });
  else writeFileSync(place, "a part");
  utimesSync(place, at, at);
};

test("makes a backup, verifies it from the bucket, retains the configured number, removes what aborted ones left, and records one that cannot be restored", async () => {
  writeFileSync(path.join(folder, "notes.tar"), "not ours");
  writeFileSync(path.join(folder, old), "an old one");
  for (const key of [`backups/${old}`, "backups/notes.tar"])
    s3.objects.set(key, { bytes: Buffer.from("old"), type: "", changedAt: new Date() });
  leave("stagedoor-20270101T0241-7.tar.part", 13);
  leave("fetched-stagedoor-20270101T0241-7.tar", 13);
  leave("stagedoor-restore-x1Yz9a", 13);
  const others = ["fetched-stagedoor-20270102T0241-8.tar", "notes.tar.part", "stagedoor-restore-2027"];
  for (const [at, other] of others.entries()) leave(other, 1 + 12 * at); // the first may still be in use
  await app.make.artist();
  await backupJob.run(app.services);
  const [name = ""] = archives();
  expect(await rows()).toMatchObject([
    {
      failure: null,
      verified_at: expect.any(Date),
      file: `s3://${s3.bucket}/backups/${name}`,
      compared_tables: expect.any(Number),
    },
  ]);
  expect(archives()).toHaveLength(1);
  expect(name).not.toBe(old);
  expect(readdirSync(folder).toSorted()).toEqual(["notes.tar", ...others, name].toSorted());
  expect(stored().toSorted()).toEqual(["backups/notes.tar", `backups/${name}`]);
  expect(await reportBackups(app.services)).toMatchObject({
    state: "verified",
    keep: 1,
    place: `${folder} and the bucket ${s3.bucket}`,
  });

  // A user without a profile breaks a rule of `verify`, in the original and in the copy.
  const { id } = await app.make.user();
  await app.database.db.deleteFrom("profiles").where("user_id", "=", id).execute();
  app.clock.advance(dayMs);
  await backupJob.run(app.services);
  expect((await rows())[1]).toMatchObject({
    verified_at: null,
    failure: expect.stringContaining("every user has a profile"),
  });
  expect([archives().length, stored().length]).toEqual([2, 3]);
  expect((await findWaiting(app.database.db)).find(({ kind }) => kind === "backup")?.count).toBe(0);

  // The bucket is read-only now: older backups stay, and the reason is recorded without a key.
  s3.rights.write = false;
  app.clock.advance(dayMs);
  await backupJob.run(app.services);
  const report = await reportBackups(app.services);
  expect([report.state, report.last_failure?.message]).toEqual([
    "failed",
    expect.stringMatching(/^The bucket .* did not accept the backup/),
  ]);
  expect(report.last_failure?.message).not.toMatch(/a-secret|AKIA/);
  expect(stored()).toHaveLength(3);
});

test("verifies a backup without a lost file, keeps older ones until the loss is accepted, and ignores open work", async () => {
  s3.rights.write = true;
  const { id } = await app.make.user({ role: "artist" });
  await app.database.db
    .insertInto("artist_files")
    .values({ name: `${id}/photo_9.webp`, user_id: id, kind: "photo", bytes: 4, width: 1, height: 1, thumbhash: "" })
    .execute();
  await app.database.db
    .deleteFrom("users")
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("profiles").select("user_id").whereRef("user_id", "=", "users.id"))),
    )
    .execute();
  const work = { recipient: "a@b.test", template: "contact_note", text: "" };
  await app.database.db
    .insertInto("messages")
    .values({ ...work, channel: "email", status: "failed" })
    .execute();
  const makeNext = async () => {
    app.clock.advance(dayMs);
    await backupJob.run(app.services);
    const [last] = (await rows()).slice(-1);
    return { failure: last?.failure, archives: archives().length };
  };
  const before = archives().length;
  expect(await makeNext()).toEqual({ failure: null, archives: before + 1 });
  const lost = (await findWaiting(app.database.db)).find(({ kind }) => kind === "file");
  expect(lost).toMatchObject({ count: 1, example: `artist-media/${id}/photo_9.webp` });
  await runCommand(app.services, ["missing-files", "accept"], async () => {});
  expect(await makeNext()).toEqual({ failure: null, archives: 1 });

  s3.rights.write = false;
  expect(await makeNext()).toEqual({ failure: expect.stringContaining("did not accept"), archives: 1 });
});

test("uses the keys of the bucket of files by default, and refuses the same bucket", () => {
  const files = { S3_BUCKET: "files-of-ours", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "key", S3_REGION: "eu-1" };
  expect(readConfig({ ...files, BACKUP_S3_BUCKET: "backups-of-ours", BACKUP_S3_REGION: "eu-2" }).backup.bucket).toEqual(
    {
      bucket: "backups-of-ours",
      region: "eu-2",
      endpoint: undefined,
      accessKeyId: "id",
      secretAccessKey: "key",
    },
  );
  expect(() => readConfig({ ...files, BACKUP_S3_BUCKET: "files-of-ours" })).toThrow("another bucket than S3_BUCKET");
  expect(() => readConfig({ BACKUP_S3_BUCKET: "alone" })).toThrow(/BACKUP_S3_ACCESS_KEY_ID.*belong together/);
});
