/** The embedded PostgreSQL: one process, one connection, one folder. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { btree_gist } from "@electric-sql/pglite/contrib/btree_gist";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { fromPglite } from "pg-boss";
import { type DatabaseConnection, type Dialect, PGliteDialect } from "kysely";
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
export async function embeddedEngine(dataDir: string | undefined, image?: Blob): Promise<Engine> {
  if (!dataDir)
    return engineOf(await PGlite.create({ ...common, ...(image ? { loadDataDir: image } : {}) }), () => undefined);
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
    jobStore: fromPglite(pglite),
    dialect: oneAtATime(new PGliteDialect({ pglite })),
    exec: async (script) => {
      try {
        await pglite.exec(script);
      } catch (error) {
        await pglite.exec("rollback");
        throw error;
      }
    },
    // The engine lives in this process: it cannot be out of reach, so there is never a gap.
    listen: async (channel, listener) => {
      const stop = await pglite.listen(channel, listener.onNotification);
      return async () => {
        if (!pglite.closed) await stop();
      };
    },
    close: async () => {
      if (!pglite.closed) await pglite.close();
      release();
    },
  };
}

/**
 * Queues the users of the one connection, in place of Kysely's own queue: that one stands before every driver, where a
 * use of the outer handle inside a transaction would wait for ever instead of being refused.
 */
function oneAtATime(dialect: Dialect): Dialect {
  return {
    createAdapter: () =>
      new Proxy(dialect.createAdapter(), {
        get(target, name) {
          if (name === "supportsMultipleConnections") return true;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      }),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => {
      const driver = dialect.createDriver();
      const freed = new WeakMap<DatabaseConnection, () => void>();
      let last: Promise<void> = Promise.resolve();
      return new Proxy(driver, {
        get(target, name) {
          if (name === "acquireConnection") {
            return async () => {
              const turn = last;
              const { promise, resolve } = Promise.withResolvers<void>();
              last = promise;
              await turn;
              const connection = await target.acquireConnection();
              freed.set(connection, resolve);
              return connection;
            };
          }
          if (name === "releaseConnection") return async (connection: DatabaseConnection) => freed.get(connection)?.();
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
  };
}

/** A migrated database in memory as an image: opening a copy is five times quicker than making a new one. */
export async function migratedImage(
  migrateIt: (exec: (script: string) => Promise<unknown>) => Promise<void>,
): Promise<Blob> {
  const pglite = await PGlite.create(common);
  try {
    await migrateIt((script) => pglite.exec(script));
    await pglite.exec("checkpoint");
    return await pglite.dumpDataDir("none");
  } finally {
    await pglite.close();
  }
}
