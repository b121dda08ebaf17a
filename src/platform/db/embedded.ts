/** The embedded PostgreSQL: one process, one connection, one folder. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { btree_gist } from "@electric-sql/pglite/contrib/btree_gist";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { PGliteDialect } from "kysely";
import { ConfigError } from "../config.ts";
import { DurableNodeFS, durableStartParams } from "./durable.ts";
import type { Engine } from "./handles.ts";
import { lockDataDir } from "./lock.ts";
import { asDay, asSafeInteger, typeIds } from "./values.ts";

const common = {
  extensions: { btree_gin, btree_gist, pg_trgm },
  parsers: { [typeIds.int8]: asSafeInteger, [typeIds.date]: asDay },
};

/** Opens the folder under its lock, or a database in memory when there is no folder. */
export async function embeddedEngine(dataDir: string | undefined): Promise<Engine> {
  if (!dataDir) return engineOf(await PGlite.create(common), () => undefined);
  makeFolder(dataDir);
  const lock = lockDataDir(dataDir);
  try {
    const folder = path.join(dataDir, "pg");
    return engineOf(
      await PGlite.create({ ...common, fs: new DurableNodeFS(folder), startParams: durableStartParams }),
      lock.release,
    );
  } catch (error) {
    lock.release();
    throw error;
  }
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR: the folder ${dataDir} cannot be made or read (${error instanceof Error ? error.message : String(error)}).`,
    );
  }
}

function engineOf(pglite: PGlite, release: () => void): Engine {
  return {
    name: "embedded",
    dialect: new PGliteDialect({ pglite }),
    exec: async (script) => {
      try {
        await pglite.exec(script);
      } catch (error) {
        await pglite.exec("rollback");
        throw error;
      }
    },
    close: async () => {
      if (!pglite.closed) await pglite.close();
      release();
    },
  };
}
