import { PostgresDialect } from "kysely";
import pg from "pg";
import { ConfigError } from "../config.ts";
import type { Engine } from "./handles.ts";
import { listenOnPostgres } from "./listen.ts";
import { preparedPool } from "./prepared.ts";
import { asDay, asSafeInteger, typeIds } from "./values.ts";

const oldestVersion = 150_000;
/** Bad queries end after this time (design, section 12). */
const defaultStatementMs = 5_000;
/** A server that is silent for this much longer than a statement may take is lost: it should have ended the statement. */
const silenceMs = 3_000;
/** For scripts and transactions that switch the server's own limit off: migrations, copies, a change of the root key. */
const longestSilenceMs = 30 * 60_000;
const limitIsOff = /^set (local )?statement_timeout = 0$/;
const limitIsBack = /^(commit|rollback|set statement_timeout = [1-9]\d*)$/;

/** Connects and checks the version; throws ConfigError otherwise. `statementMs` limits a statement and the wait for a connection. */
export async function postgresEngine(
  url: string,
  { poolSize, prepare, statementMs = defaultStatementMs }: { poolSize: number; prepare: boolean; statementMs?: number },
): Promise<Engine> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(typeIds.int8, asSafeInteger);
  types.setTypeParser(typeIds.date, asDay);
  const settings: pg.PoolConfig = {
    // Lets the start of a transaction travel with its first question (prepared.ts).
    pipeline: prepare,
    connectionString: url,
    // Compiling a plan takes a tenth of a second, and every statement here is shorter. The URL's own options come first.
    options: "-c jit=off",
    max: poolSize,
    types,
    statement_timeout: statementMs,
    connectionTimeoutMillis: statementMs,
    keepAlive: true,
    Client: WatchedClient,
  };
  const pool = new pg.Pool(settings);
  // A broken idle connection is replaced by the pool; the query that meets a broken one reports the failure.
  pool.on("error", () => undefined);
  await checkServer(pool, url);
  let closed = false;
  return {
    name: "postgres",
    dialect: new PostgresDialect({ pool: prepare ? preparedPool(pool) : pool }),
    exec: async (script) => {
      const client = await pool.connect();
      try {
        await client.query("set statement_timeout = 0");
        await client.query(script);
        await client.query(`set statement_timeout = ${statementMs}`);
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

/**
 * A connection whose loss is reported by the statement that meets it. Without a listener of its own, a connection that is lost
 * while it is checked out of the pool would end the process; and without a limit here, a server that falls silent would keep its
 * callers waiting for ever.
 */
class WatchedClient extends pg.Client {
  #unlimited = false;
  readonly #limitMs: number;

  constructor(options?: string | pg.ClientConfig) {
    super(options);
    const limit = typeof options === "object" ? options.statement_timeout : undefined;
    this.#limitMs = (limit || defaultStatementMs) + silenceMs;
    this.on("error", () => undefined);
  }

  override query(...given: unknown[]): never {
    const [first, values] = given;
    const config = typeof first === "string" ? { text: first, ...(Array.isArray(values) ? { values } : {}) } : first;
    if (typeof given.at(-1) === "function" || !isTextQuery(config)) return this.#send(given) as never;
    if (limitIsOff.test(config.text)) this.#unlimited = true;
    else if (limitIsBack.test(config.text)) this.#unlimited = false;
    const limit = { query_timeout: this.#unlimited ? longestSilenceMs : this.#limitMs };
    return this.#send([{ ...limit, ...config }]).catch((error: unknown) => {
      // The answer may still come, for a query that was given up: this connection cannot be used any more.
      if (error instanceof Error && error.message === "Query read timeout") void this.end();
      throw error;
    }) as never;
  }

  readonly #send = (given: unknown[]): Promise<unknown> =>
    (super.query as unknown as (...given: unknown[]) => Promise<unknown>).apply(this, given);
}

type TextQuery = { text: string; query_timeout?: number };
const isTextQuery = (value: unknown): value is TextQuery =>
  typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";

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
