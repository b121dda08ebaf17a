/** The commands of the operator CLI. They run in the process that has the database open. */
import { randomUUID } from "node:crypto";
import { createReadStream, mkdirSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import path from "node:path";
import { findChainHead } from "#activity/index.ts";
import { certificateFinding } from "#contracts/index.ts";
import { makeAdmin, makeFirstAdminToken, rotateSigningKeys } from "#users/index.ts";
import { ConfigError } from "#platform/config.ts";
import { Problem } from "#platform/errors.ts";
import { paths } from "#platform/site-paths.rules.ts";
import type { Services } from "../services.ts";
import { backUp } from "./backup-report.ts";
import { componentsCommand } from "./components-command.ts";
import { copyFiles } from "./copy-files.ts";
import { dumpDatabase } from "../backup/dump.views.ts";
import { exportMarket } from "./export.ts";
import { verify } from "./verify.ts";
import { verifyContract } from "./verify-contract.ts";

export type Print = (part: string) => Promise<void>;

type Command = {
  /** The npm script and its arguments. */
  readonly usage: string;
  readonly purpose: string;
  run(services: Services, args: readonly string[], say: Print): Promise<boolean>;
};

const commands: Readonly<Record<string, Command>> = {
  "make-admin": {
    usage: "admin -- make-admin EMAIL",
    purpose: "gives the user with this verified email address the role admin",
    run: async (services, [email], say) => {
      if (!email) return refuse(say, "Specify an email address: make-admin EMAIL.");
      const name = await services.database.transaction((tx) => makeAdmin(tx, email, services.realClock.now()));
      services.wake();
      await say(`${name} (${email}) is an admin now.\n`);
      return true;
    },
  },
  "first-admin": {
    usage: "admin -- first-admin",
    purpose: "prints a one-time token, valid for an hour, that makes the signed-in user an admin",
    run: async (services, _args, say) => {
      const token = await services.database.transaction((tx) => makeFirstAdminToken(tx, services));
      await say(`Sign in at ${services.config.publicUrl}${paths.account} and enter this token there:\n${token}\n`);
      return true;
    },
  },
  "rotate-keys": {
    usage: "admin -- rotate-keys",
    purpose: "rotates the key that signs access tokens; no user is signed out",
    run: async (services, _args, say) => {
      const kid = await rotateSigningKeys(services);
      await say(
        `The key ${kid} is now published and signs in 20 minutes. The old key stays published until its last token expires.\n`,
      );
      return true;
    },
  },
  verify: {
    usage: "admin -- verify [LINK …]",
    purpose: "checks the ledger, the dates, the events and the log; fails if a check fails",
    run: async (services, knownLinks, say) => {
      const findings = await verify(services.database.db, knownLinks);
      findings.push(certificateFinding(services.config, services.realClock.now()));
      for (const { check, count, example } of findings)
        await say(count ? `FAILED  ${check}: ${count}, for example ${example}\n` : `ok      ${check}\n`);
      const head = await findChainHead(services.database.db);
      if (head) await say(`The newest link of the activity log: ${head.number}:${head.hash}\n`);
      return findings.every((finding) => finding.count === 0);
    },
  },
  components: {
    usage: "admin -- components",
    purpose: "tests database, files, email and every other component; fails if one of them fails",
    run: (services, _args, say) => componentsCommand(services, say),
  },
  dump: {
    usage: "db:dump -- FILE",
    purpose: "writes the whole database as SQL for PostgreSQL 15 or later",
    run: async (services, _args, say) => {
      await throughFile(services, say, (database, write) => dumpDatabase(database, write, services.config));
      return true;
    },
  },
  backup: {
    usage: "backup -- FILE",
    purpose: "writes database and files into one archive that only its owner can read",
    run: async ({ database, config, realClock }, [file, passphrase], say) => {
      if (!file) return refuse(say, "Specify a file: backup FILE.");
      await backUp({ database, config, now: realClock.now() }, file, { passphrase, say });
      return true;
    },
  },
  "copy-files": {
    usage: "admin -- copy-files to-bucket",
    purpose: "copies uploaded files from DATA_DIR/files to the bucket, or back with to-folder; can be run again",
    run: (services, [direction], say) =>
      direction === "to-bucket" || direction === "to-folder"
        ? copyFiles(services, direction, say)
        : refuse(say, "Specify a direction: copy-files to-bucket, or copy-files to-folder."),
  },
  export: {
    usage: "admin -- export FILE",
    purpose: "writes users, artists, bookings, contracts, payments and the ledger as JSON lines, without secrets",
    run: async (services, _args, say) => {
      await throughFile(services, say, exportMarket);
      return true;
    },
  },
};

/** The commands of `npm run backup` and `npm run restore` that open no services. */
const archiveCommands: readonly Omit<Command, "run">[] = [
  {
    usage: "backup -- verify FILE",
    purpose: "restores an archive into a temporary folder and checks it; works without a server",
  },
  { usage: "restore -- FILE", purpose: "restores an archive into an empty DATA_DIR or DATABASE_URL" },
];

export async function runCommand(services: Services, args: readonly string[], say: Print): Promise<boolean> {
  const [name = "", ...rest] = args;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    await say(commandHelp(name));
    return false;
  }
  try {
    return await command.run(services, rest, say);
  } catch (error) {
    if (error instanceof Problem || error instanceof ConfigError) return refuse(say, error.message);
    throw error;
  }
}

async function refuse(say: Print, message: string): Promise<false> {
  await say(`${message}\n`);
  return false;
}

export function commandHelp(name = ""): string {
  const list = [...Object.values(commands), verifyContract, ...archiveCommands].map(
    ({ usage, purpose }) => `  npm run ${usage.padEnd(40)} ${purpose}`,
  );
  return `${name ? `There is no command "${name}".\n` : ""}Commands:\n${list.join("\n")}\n`;
}

/** Writes to a file first: a slow output must not block the single connection of an embedded database. */
async function throughFile(services: Services, say: Print, writeAll: typeof exportMarket): Promise<void> {
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
