/** A served PostgreSQL >= 15. */
import { PostgresDialect } from "kysely";
import pg from "pg";
import { ConfigError } from "../config.ts";
import type { Engine } from "./handles.ts";
import { listenOnPostgres } from "./listen.ts";
import { asDay, asSafeInteger, typeIds } from "./values.ts";

const oldestVersion = 150_000;
/** Bad queries end after this time (design, section 12). */
const statementTimeoutMs = 5_000;

/** Connects and checks the version; throws ConfigError with one sentence when that fails. */
export async function postgresEngine(url: string, poolSize: number): Promise<Engine> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(typeIds.int8, asSafeInteger);
  types.setTypeParser(typeIds.date, asDay);
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types,
    statement_timeout: statementTimeoutMs,
    connectionTimeoutMillis: 10_000,
  });
  // A broken idle connection is replaced by the pool; the query that meets it reports the failure.
  pool.on("error", () => undefined);
  await checkServer(pool, url);
  let closed = false;
  return {
    name: "postgres",
    dialect: new PostgresDialect({ pool }),
    exec: async (script) => {
      const client = await pool.connect();
      try {
        await client.query("set statement_timeout = 0");
        await client.query(script);
        await client.query(`set statement_timeout = ${statementTimeoutMs}`);
      } catch (error) {
        await client.query("rollback").catch(() => undefined);
        throw error;
      } finally {
        client.release();
      }
    },
    listen: (channel, listener) => listenOnPostgres(url, channel, listener),
    close: async () => {
      if (closed || pool.ended) return;
      closed = true;
      await pool.end();
    },
  };
}

async function checkServer(pool: pg.Pool, url: string): Promise<void> {
  const address = new URL(url);
  const where = `${address.hostname}:${address.port || 5432}${address.pathname}`;
  let version: number;
  try {
    const answer = await pool.query<{ server_version_num: string }>("show server_version_num");
    version = Number(answer.rows[0]?.server_version_num);
  } catch (error) {
    await pool.end();
    throw new ConfigError(
      `DATABASE_URL: the database at ${where} does not answer (${reason(error)}). Check the address, the name and the password.`,
    );
  }
  if (version >= oldestVersion) return;
  await pool.end();
  throw new ConfigError(
    `DATABASE_URL: the server at ${where} is PostgreSQL ${Math.floor(version / 10_000)}; version 15 or later is needed.`,
  );
}

function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0].message;
  return error instanceof Error ? error.message : String(error);
}
