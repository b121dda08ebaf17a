import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ConfigError } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { restrictToOwner } from "../../file-modes.ts";

const ownerOnly = 0o700;

/** Creates the data folder if it is missing, readable by its owner only. Throws ConfigError if it cannot. */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: ownerOnly });
  } catch (error) {
    throw new ConfigError(`DATA_DIR: the folder ${dataDir} cannot be created or read (${errorMessage(error)}).`);
  }
  restrictToOwner(dataDir, ownerOnly);
}

export const restoringFolder = (dataDir: string): string => path.join(dataDir, "restoring");

type DatabaseFolder = Readonly<{ folder: string; opened(): void }>;

/** Checks DATA_DIR/pg before the engine, which would create a new database over remains. Removes an unfinished first database. */
export function prepareDatabaseFolder(dataDir: string): DatabaseFolder {
  const folder = path.join(dataDir, "pg");
  if (!existsSync(folder) && existsSync(restoringFolder(dataDir)))
    throw new ConfigError(
      `DATA_DIR: a restore into ${dataDir} was interrupted. Run it again, or remove ${restoringFolder(dataDir)} to start without data.`,
    );
  const unfinished = path.join(dataDir, "pg.unfinished");
  if (existsSync(unfinished)) rmSync(folder, { recursive: true, force: true });
  const entries = existsSync(folder) ? readdirSync(folder) : [];
  if (entries.length > 0 && !entries.includes("PG_VERSION")) throw damaged(folder, "the file PG_VERSION is missing");
  if (entries.length === 0) writeFileSync(unfinished, "", { mode: 0o600 });
  else restrictToOwner(folder, ownerOnly);
  return {
    folder,
    opened: () => {
      restrictToOwner(folder, ownerOnly);
      rmSync(unfinished, { force: true });
    },
  };
}

export const damaged = (folder: string, reason: string): ConfigError =>
  new ConfigError(
    `DATA_DIR: the database in ${folder} cannot be opened (${reason}). Restore the folder from your backup, or set another DATA_DIR.`,
  );
