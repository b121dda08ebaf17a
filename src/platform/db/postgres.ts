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

type Options = { poolSize: number; prepare: boolean; directUrl?: string | undefined; statementMs?: number };

/**
 * Connects and checks the version; throws ConfigError otherwise. `statementMs` limits a statement and the wait for a connection. Behind a pooler
 * (`directUrl`) a connection belongs to nobody for longer than a transaction: then no setting is sent for it, and the database has to limit statements.
 */
export async function postgresEngine(
  url: string,
  { poolSize, prepare, directUrl, statementMs = defaultStatementMs }: Options,
): Promise<Engine> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(typeIds.int8, asSafeInteger);
  types.setTypeParser(typeIds.date, asDay);
  const shared: pg.PoolConfig = {
    // Lets the start of a transaction travel with its first question (prepared.ts).
    pipeline: prepare,
    max: poolSize,
    // A visitor after a quiet minute would pay 100 ms for a new connection, whose process knows no table yet.
    min: 1,
    types,
    connectionTimeoutMillis: statementMs,
    keepAlive: true,
    // Networks forget connections that are silent for some minutes.
    keepAliveInitialDelayMillis: 60_000,
    Client: WatchedClient,
  };
  // Compiling a plan takes 100 ms and starting a parallel worker 50 ms; nearly every statement here is shorter.
  const options = "-c jit=off -c parallel_setup_cost=50000";
  // The URL's own options come first.
  const ofSession = { options, statement_timeout: statementMs };
  const open = (settings: pg.PoolConfig) => {
    const opened = new pg.Pool({ ...shared, ...settings });
    // A broken idle connection is replaced by the pool; the query that meets a broken one reports the failure.
    return opened.on("error", () => undefined);
  };
  const pool = open({ connectionString: url, ...(directUrl ? {} : ofSession) });
  // Connects at its first use.
  const direct = directUrl ? open({ connectionString: directUrl, max: 1, ...ofSession }) : pool;
  await checkServer(pool, url, directUrl !== undefined);
  let closed = false;
  return {
    name: "postgres",
    dialect: new PostgresDialect({ pool: prepare ? preparedPool(pool) : pool }),
    exec: async (script) => {
      const client = await direct.connect();
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
    listen: (channel, listener) => listenOnPostgres(directUrl ?? url, channel, listener),
    close: async () => {
      if (closed || pool.ended) return;
      closed = true;
      await pool.end();
      if (direct !== pool) await direct.end();
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

async function checkServer(pool: pg.Pool, url: string, isPooler: boolean): Promise<void> {
  const address = new URL(url);
  const where = `${address.hostname}:${address.port || 5432}${address.pathname}`;
  let [version, limit, role] = [0, "", ""];
  try {
    const answer = await pool.query<{ version: string; statement_limit: string; role: string }>(
      `select current_setting('server_version_num') as version, current_setting('statement_timeout') as statement_limit, current_user as role`,
    );
    if (answer.rows[0])
      [version, limit, role] = [Number(answer.rows[0].version), answer.rows[0].statement_limit, answer.rows[0].role];
  } catch (error) {
    await pool.end();
    throw new ConfigError(
      `DATABASE_URL: the database at ${where} does not answer (${reason(error)}). Check the address, the name and the password.`,
    );
  }
  const isLimited = !isPooler || limit !== "0";
  if (version >= oldestVersion && isLimited) return;
  await pool.end();
  if (!isLimited)
    throw new ConfigError(
      `DATABASE_URL: behind the pooler at ${where} a statement may take for ever. Run on the server: alter role "${role}" set statement_timeout = '5s'; alter role "${role}" set jit = off; then let the pooler connect again.`,
    );
  throw new ConfigError(
    `DATABASE_URL: the server at ${where} is PostgreSQL ${Math.floor(version / 10_000)}; version 15 or later is needed.`,
  );
}

function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0].message;
  return error instanceof Error ? error.message : String(error);
}
