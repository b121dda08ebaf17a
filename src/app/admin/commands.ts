/** The commands of the operator CLI that need the database (all: usage.ts). They run in the process that has the database open. */

import { randomUUID } from "node:crypto";
import { createReadStream, mkdirSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { findChainHead } from "#activity/index.ts";
import { certificateFinding } from "#contracts/index.ts";
import { ConfigError } from "#platform/config.ts";
import { Problem } from "#platform/errors.ts";
import { paths } from "#platform/site-paths.rules.ts";
import { makeAdmin, makeFirstAdminToken, rotateSigningKeys } from "#users/index.ts";
import { dumpDatabase } from "../backup/dump.views.ts";
import { findMissingFiles } from "../backup/named-files.views.ts";
import type { Services } from "../services.ts";
import { backUp, type Print } from "./backup-report.ts";
import { componentsCommand } from "./components-command.ts";
import { copyFiles } from "./copy-files.ts";
import { exportData } from "./export.ts";
import { verify } from "./verify.ts";

type Command = (services: Services, args: readonly string[], say: Print) => Promise<boolean>;

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
    const findings = await verify(services.database.db, knownLinks);
    const missing = await findMissingFiles(services.database.db, services.files);
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
  backup: async ({ database, config, realClock }, [file = "", passphrase], say) => {
    await backUp({ database, config, now: realClock.now() }, file, { passphrase, say });
    return true;
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
export async function runCommand(services: Services, args: readonly string[], say: Print): Promise<boolean> {
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
