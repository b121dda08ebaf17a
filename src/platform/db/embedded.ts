import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { btree_gist } from "@electric-sql/pglite/contrib/btree_gist";
import { cube } from "@electric-sql/pglite/contrib/cube";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { type DatabaseConnection, type Dialect, PGliteDialect } from "kysely";
import { ConfigError } from "../config.ts";
import { errorMessage } from "../errors.ts";
import { damaged, prepareDataDir, prepareDatabaseFolder } from "./data-folder/data-folder.ts";
import { DurableNodeFS, durableStartParams, memoryStartParams } from "./data-folder/durable.ts";
import { type DataDirLock, lockDataDir } from "./data-folder/lock.ts";
import { type Engine, overriding } from "./handles.ts";
import { asDay, asSafeInteger, typeIds } from "./values.ts";

const common = {
  extensions: { btree_gin, btree_gist, cube, pg_trgm },
  parsers: { [typeIds.int8]: asSafeInteger, [typeIds.date]: asDay },
};

export async function embeddedEngine(dataDir: string | undefined, image: Blob | undefined): Promise<Engine> {
  if (!dataDir)
    return engineOf(
      await PGlite.create({ ...common, startParams: memoryStartParams, ...(image ? { loadDataDir: image } : {}) }),
      { check: () => undefined, release: () => undefined },
    );
  prepareDataDir(dataDir);
  const lock = lockDataDir(dataDir);
  try {
    const { folder, opened } = prepareDatabaseFolder(dataDir);
    const fs = new DurableNodeFS(folder);
    const pglite = await PGlite.create({ ...common, fs, startParams: durableStartParams }).catch((error: unknown) => {
      if (isDiskFull(error))
        throw new ConfigError(`DATA_DIR: the disk of ${folder} is full. Free some space and start again.`);
      throw damaged(folder, reasonOf(error));
    });
    opened();
    return engineOf(pglite, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The engine throws ENOSPC as an object with the number of WASI. */
const isDiskFull = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "errno" in error && error.errno === 51;

function reasonOf(error: unknown): string {
  const message = errorMessage(error);
  const aborted = error instanceof WebAssembly.RuntimeError || /Aborted|unreachable|out of bounds/.test(message);
  return aborted ? "its files are damaged" : message;
}

function engineOf(pglite: PGlite, lock: DataDirLock): Engine {
  return {
    name: "embedded",
    dialect: oneAtATime(new PGliteDialect({ pglite }), lock.check),
    exec: async (script) => {
      lock.check();
      try {
        await pglite.exec(script);
      } catch (error) {
        await pglite.exec("rollback");
        throw error;
      }
    },
    listen: async (channel, listener) => {
      const stop = await pglite.listen(channel, listener.onNotification);
      return async () => {
        if (!pglite.closed) await stop();
      };
    },
    close: async () => {
      if (!pglite.closed) {
        // Closing writes too.
        lock.check();
        await pglite.close();
      }
      lock.release();
    },
  };
}

/** Queues the users of the connection instead of Kysely, whose queue would block the outer handle inside a transaction forever. */
function oneAtATime(dialect: Dialect, check: () => void): Dialect {
  return overriding(dialect, {
    createAdapter: () => overriding(dialect.createAdapter(), { supportsMultipleConnections: true }),
    createDriver: () => {
      const driver = dialect.createDriver();
      const freed = new WeakMap<DatabaseConnection, () => void>();
      let last: Promise<void> = Promise.resolve();
      return overriding(driver, {
        acquireConnection: async () => {
          const turn = last;
          const { promise, resolve } = Promise.withResolvers<void>();
          last = promise;
          await turn;
          try {
            check();
            const connection = await driver.acquireConnection();
            freed.set(connection, resolve);
            return connection;
          } catch (error) {
            resolve();
            throw error;
          }
        },
        commitTransaction: async (connection) => {
          check();
          return driver.commitTransaction(connection);
        },
        releaseConnection: async (connection) => freed.get(connection)?.(),
      });
    },
  });
}

/** Returns a migrated in-memory database as an image, which opens five times faster than a new one. */
export async function migratedImage(migrateIt: (exec: (script: string) => Promise<unknown>) => Promise<void>) {
  const pglite = await PGlite.create({ ...common, initDbStartParams: ["--wal-segsize=1"] });
  try {
    await pglite.exec("update pg_database set datistemplate = false where datname like 'template%'");
    for (const template of ["template0", "template1"]) await pglite.exec(`drop database ${template}`);
    await migrateIt((script) => pglite.exec(script));
    await pglite.exec("checkpoint");
    return await pglite.dumpDataDir("none");
  } finally {
    await pglite.close();
  }
}
