/** The commands of the operator CLI that need the database (all: usage.ts). They run in the process that has the database open. */

import { randomUUID, createHash } from "node:crypto";
import { createReadStream, mkdirSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { findChainHead } from "#activity/index.ts";
import { certificateFinding } from "#contracts/index.ts";
import { ConfigError } from "#platform/config.ts";
import { Problem, errorMessage } from "#platform/errors.ts";
import { type Files, openFiles } from "#platform/files/adapters/disk.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { makeAdmin, makeFirstAdminToken, rotateSigningKeys } from "#users/index.ts";
import { dumpDatabase } from "../backup/dump.views.ts";
import { acceptMissingFiles, recordMissingFiles } from "../backup/missing-files.store.ts";
import { findMissingFiles, withoutAccepted } from "../backup/named-files.views.ts";
import type { ComponentStatus } from "../components/rules.ts";
import { testComponent } from "../components/test-component.ts";
import { listSetUp, reportComponents } from "../components/views.ts";
import type { Services } from "../services.ts";
import { backUp, lostFilesAdvice, type Outcome, type Print } from "./backup-report.ts";
import { exportData } from "./export.ts";
import { verify } from "./verify.ts";

type Command = (services: Services, args: readonly string[], say: Print) => Promise<Outcome>;

const commands: Readonly<Record<string, Command>> = {
  "make-admin": async (services, [email = ""], say) => {
    const name = await services.database.transaction((tx) => makeAdmin(tx, email, services.realClock.now()));
    services.wake();
    await say(
      `${name} (${email}) is an admin now. The panel opens after setting up a second factor on the Account page.\n`,
    );
    return true;
  },
  "first-admin": async (services, _args, say) => {
    const token = await services.database.transaction((tx) => makeFirstAdminToken(tx, services));
    await say(`Sign in at ${services.config.publicUrl}${paths.account} and enter this token there:\n${token}\n`);
    return true;
  },
  "rotate-keys": async (services, _args, say) => {
    const kid = await rotateSigningKeys(services);
    await say(
      `The key ${kid} is now published and signs in 20 minutes. The old key stays published until its last token expires.\n`,
    );
    return true;
  },
  verify: async (services, knownLinks, say) => {
    const { db } = services.database;
    const findings = await verify(db, knownLinks);
    const missing = await withoutAccepted(db, await findMissingFiles(db, services.files));
    findings.push({
      check: "every file that the database names is stored",
      count: missing.length,
      example: missing[0],
    });
    findings.push(certificateFinding(services.config, services.realClock.now()));
    for (const { check, count, example } of findings)
      await say(count ? `FAILED  ${check}: ${count}, for example ${example}\n` : `ok      ${check}\n`);
    const head = await findChainHead(services.database.db);
    if (head) await say(`The newest link of the activity log: ${head.number}:${head.hash}\n`);
    return findings.every((finding) => finding.count === 0);
  },
  components: (services, _args, say) => componentsCommand(services, say),
  dump: async (services, _args, say) => {
    await throughFile(services, say, (database, write) => dumpDatabase(database, write, services.config));
    return true;
  },
  backup: ({ database, config, realClock }, [file = "", passphrase], say) =>
    backUp({ database, config, now: realClock.now() }, file, { passphrase, say }),
  "missing-files": async (services, [word], say) => {
    if (word !== undefined && word !== "accept") return refuse(say, "Use: missing-files, or missing-files accept.");
    const { database, files, realClock } = services;
    const names = await findMissingFiles(database.db, files);
    const now = realClock.now();
    await database.transaction(async (tx) => {
      await recordMissingFiles(tx, names, now);
      if (word === "accept") await acceptMissingFiles(tx, now);
    });
    if (names.length === 0) await say("The store has every file that the database names.\n");
    const unaccepted = await withoutAccepted(database.db, names);
    for (const name of names) await say(`${unaccepted.includes(name) ? "MISSING " : "accepted"} ${name}\n`);
    if (unaccepted.length > 0) await say(`${lostFilesAdvice}\n`);
    return unaccepted.length === 0;
  },
  "copy-files": (services, [direction], say) =>
    direction === "to-bucket" || direction === "to-folder"
      ? copyFiles(services, direction, say)
      : refuse(say, "Specify a direction: copy-files to-bucket, or copy-files to-folder."),
  export: async (services, _args, say) => {
    await throughFile(services, say, exportData);
    return true;
  },
};

/** Returns false if the command failed, after printing the reason. */
export async function runCommand(services: Services, args: readonly string[], say: Print): Promise<Outcome> {
  const [name = "", ...rest] = args;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return refuse(say, `The server has no command "${name}".`);
  try {
    return await command(services, rest, say);
  } catch (error) {
    if (error instanceof Problem || error instanceof ConfigError) return refuse(say, error.message);
    throw error;
  }
}

async function refuse(say: Print, message: string): Promise<false> {
  await say(`${message}\n`);
  return false;
}

/** Writes to a file first: a slow output must not block the single connection of an embedded database. */
async function throughFile(services: Services, say: Print, writeAll: typeof exportData): Promise<void> {
  const { dataDir } = services.config;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, `copy-${randomUUID()}.part`);
  try {
    const handle = await open(file, "wx", 0o600);
    try {
      await writeAll(services.database, async (part) => handle.writeFile(part));
    } finally {
      await handle.close();
    }
    for await (const part of createReadStream(file, { encoding: "utf8" })) await say(String(part));
  } finally {
    await rm(file, { force: true });
  }
}

const labels: Readonly<Record<ComponentStatus, string>> = {
  works: "works",
  slow: "slow",
  failing: "FAILING",
  not_set_up: "not set up",
  untested: "not tested",
};

export async function componentsCommand(services: Services, say: Print): Promise<boolean> {
  const failed = new Map<string, { message: string; details: string | null }>();
  // One after the other, because parallel tests slow each other down.
  for (const name of await listSetUp(services)) {
    const { works, message, details } = await testComponent(services, name);
    if (!works) failed.set(name, { message, details });
  }
  // A full disk prevents the record of a failed test.
  const items = (await reportComponents(services)).map((item) =>
    failed.has(item.name) ? { ...item, status: "failing" as const, ...failed.get(item.name) } : item,
  );
  const rows = items.map((item) => [
    item.label,
    item.status === "not_set_up" ? "none" : item.mode,
    labels[item.status],
    item.product,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const [at, { message, details, queue, status, last_success_at: lastSuccess }] of items.entries()) {
    const cells = rows[at]?.map((cell, column) => cell.padEnd(widths[column] ?? 0)) ?? [];
    await say(
      `${cells.join("  ")}  ${message}${details ? ` (${details})` : ""}${queue?.waiting ? ` ${queue.waiting} waiting since ${queue.oldest_at?.toISOString()}.` : ""}${status === "failing" && lastSuccess ? ` It last worked at ${lastSuccess.toISOString()}.` : ""}\n`,
    );
  }
  return items.every(({ status }) => status !== "failing");
}

type CopyDirection = "to-bucket" | "to-folder";

const bucketMark = "installation";
const reportEvery = 100;

/** Copies each file once. Returns false if one was not copied or differs at the target. Throws ConfigError without a bucket. */
export async function copyFiles(
  { config, files: bucket }: Pick<Services, "config" | "files">,
  direction: CopyDirection,
  say: Print,
): Promise<boolean> {
  if (!config.s3) throw new ConfigError("Set S3_BUCKET and its keys first: they name the bucket to copy from or to.");
  const folder = openFiles(config.dataDir);
  const [from, to] = direction === "to-bucket" ? [folder, bucket] : [bucket, folder];
  const counts = { copied: 0, present: 0, failed: 0 };
  for await (const page of from.pages("")) {
    for (const { name } of page) {
      if (name === bucketMark) continue;
      const outcome = await copyOne(from, to, name).catch(async (error: unknown) => {
        await say(`FAILED  ${name}: ${errorMessage(error)}\n`);
        return "failed" as const;
      });
      if (outcome) counts[outcome] += 1;
      if (outcome === "copied" && counts.copied % reportEvery === 0) await say(`${counts.copied} files copied ...\n`);
    }
  }
  await say(
    `${counts.copied} files copied, ${counts.present} were there already${counts.failed ? `, ${counts.failed} failed; run it again` : ""}.\n`,
  );
  return counts.failed === 0;
}

async function copyOne(from: Files, to: Files, name: string): Promise<"copied" | "present" | undefined> {
  const bytes = await from.read(name);
  if (!bytes) return undefined;
  const wanted = checksum(bytes);
  const present = await to.read(name);
  if (present && checksum(present) === wanted) return "present";
  await to.put(name, bytes);
  const written = await to.read(name);
  if (!written || checksum(written) !== wanted) throw new Error("the copy differs from the original");
  return "copied";
}

const checksum = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
