import { PostgresDialect } from "kysely";
import pg from "pg";
import { ConfigError } from "../config.ts";
import { errorCode, errorMessage } from "../errors.ts";
import { minuteMs } from "../time/durations.rules.ts";
import { jitteredBackoffMs } from "../time/retry.ts";
import type { Engine, ChannelListener } from "./handles.ts";
import { preparedPool } from "./prepared.ts";
import { asDay, asSafeInteger, typeIds } from "./values.ts";

const oldestVersion = 150_000;
const defaultStatementMs = 5_000;
/** A server that is silent for this much longer than the statement limit is lost: it should have ended the statement. */
const silenceMs = 3_000;
const maxSilenceMs = 30 * minuteMs;
/** A transaction that is silent for this long ends: its process is stopped or cut off, and others wait for its locks. */
const idleMs = 30_000;
const limitIsOff = /^set (local )?statement_timeout = 0$/;
const limitIsBack = /^(commit|rollback|set statement_timeout = [1-9]\d*)$/;

type Options = { poolSize: number; prepare: boolean; directUrl?: string | undefined; statementMs?: number };

/** Connects and checks the version, or throws ConfigError. `statementMs` also limits the wait for a connection. Behind a pooler (`directUrl`) no settings are sent, because connections change clients: the database limits statements. */
export async function postgresEngine(
  url: string,
  { poolSize, prepare, directUrl, statementMs = defaultStatementMs }: Options,
): Promise<Engine> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(typeIds.int8, asSafeInteger);
  types.setTypeParser(typeIds.date, asDay);
  const shared: pg.PoolConfig = {
    // Sends the start of a transaction with its first query (prepared.ts).
    pipeline: prepare,
    max: poolSize,
    // After a quiet minute, a visitor would wait 100 ms for a new connection, whose process has no table cached.
    min: 1,
    types,
    connectionTimeoutMillis: statementMs,
    keepAlive: true,
    // Networks drop connections that are silent for some minutes.
    keepAliveInitialDelayMillis: 60_000,
    Client: WatchedClient,
  };
  // Compiling a plan takes 100 ms and starting a parallel worker 50 ms. Nearly every statement here is shorter.
  const options = "-c jit=off -c parallel_setup_cost=50000";
  const ofSession = { options, statement_timeout: statementMs, idle_in_transaction_session_timeout: idleMs };
  const open = (settings: pg.PoolConfig) => {
    const opened = new pg.Pool({ ...shared, ...settings });
    // The pool replaces a broken idle connection. The query that uses a broken one reports the failure.
    return opened.on("error", () => undefined);
  };
  const pool = open({ connectionString: url, ...(directUrl ? {} : ofSession) });
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

/** Reports a loss by the statement that uses the connection, and limits the wait for a silent server. */
class WatchedClient extends pg.Client {
  #unlimited = false;
  readonly #limitMs: number;
  readonly #isPooled: boolean;

  constructor(options?: string | pg.ClientConfig) {
    super(options);
    const limit = typeof options === "object" ? options.statement_timeout : undefined;
    this.#isPooled = !limit;
    this.#limitMs = (limit || defaultStatementMs) + silenceMs;
    this.on("error", () => undefined);
  }

  override query(...given: unknown[]): never {
    const [first, values] = given;
    const config = typeof first === "string" ? { text: first, ...(Array.isArray(values) ? { values } : {}) } : first;
    if (typeof given.at(-1) === "function" || !isTextQuery(config)) return this.#send(given) as never;
    if (this.#isPooled && config.text === "begin")
      config.text = `begin; set local idle_in_transaction_session_timeout = ${idleMs}`;
    if (limitIsOff.test(config.text)) this.#unlimited = true;
    else if (limitIsBack.test(config.text)) this.#unlimited = false;
    const limit = { query_timeout: this.#unlimited ? maxSilenceMs : this.#limitMs };
    return this.#send([{ ...limit, ...config }]).catch((error: unknown) => {
      // The response to an abandoned query may still arrive, so this connection is unusable.
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

const certificateCodes = /CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE/;

async function checkServer(pool: pg.Pool, url: string, isPooler: boolean): Promise<void> {
  const address = new URL(url);
  const where = `${address.hostname}:${address.port || 5432}${address.pathname}`;
  let [version, limit, role] = [0, "", ""];
  try {
    const result = await pool.query<{ version: string; statement_limit: string; role: string }>(
      `select current_setting('server_version_num') as version, current_setting('statement_timeout') as statement_limit, current_user as role`,
    );
    if (result.rows[0])
      [version, limit, role] = [Number(result.rows[0].version), result.rows[0].statement_limit, result.rows[0].role];
  } catch (error) {
    await pool.end();
    if (errorMessage(error).includes("unsupported startup parameter"))
      throw new ConfigError(
        `DATABASE_URL: ${where} is a connection pooler. Set DATABASE_DIRECT_URL to the PostgreSQL server behind it (docs/operate/scale.md).`,
      );
    if (certificateCodes.test(errorCode(error)))
      throw new ConfigError(
        `DATABASE_URL: the certificate of the server at ${where} is not accepted (${errorCode(error)}). Add the certificate of its authority with sslrootcert=FILE (docs/operate/database.md#tls).`,
      );
    if (errorMessage(error).startsWith("could not write init file"))
      throw new ConfigError(
        `DATABASE_URL: the disk of the database at ${where} is full. Free some space and start again.`,
      );
    throw new ConfigError(
      `DATABASE_URL: the database at ${where} cannot be opened (${reason(error)}). Check the address, the name, the password and the number of connections that the server allows.`,
    );
  }
  const isLimited = !isPooler || limit !== "0";
  if (version >= oldestVersion && isLimited) return;
  await pool.end();
  if (!isLimited)
    throw new ConfigError(
      `DATABASE_URL: behind the pooler at ${where} a statement has no time limit. Run on the server: alter role "${role}" set statement_timeout = '5s'; alter role "${role}" set jit = off; then let the pooler connect again.`,
    );
  throw new ConfigError(
    `DATABASE_URL: the server at ${where} is PostgreSQL ${Math.floor(version / 10_000)}; version 15 or later is needed.`,
  );
}

function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0].message;
  return errorMessage(error);
}

const backoff = { firstSeconds: 0.1, maxSeconds: 5 };
/** The interval of the connection check: a connection that a firewall dropped stays silent forever. */
const probeEveryMs = 15_000;
const patienceMs = 5_000;

/** Listens on a channel until the returned function is called. Returns after the first try, even if it failed. */
async function listenOnPostgres(url: string, channel: string, listener: ChannelListener): Promise<() => Promise<void>> {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let tries = 0;
  let gap = false;

  const again = (error: unknown) => {
    if (closed) return;
    gap = true;
    if (tries === 0) listener.onError(error);
    timer = setTimeout(() => void connect(), jitteredBackoffMs(++tries, backoff)).unref();
  };

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: "stagedoor signals",
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      keepAlive: true,
    });
    client = next;
    let over = false;
    const lost = (error: unknown) => {
      if (over) return;
      over = true;
      clearInterval(probing);
      void end(next);
      again(error);
    };
    const probing = setInterval(() => void next.query("select 1").catch(lost), probeEveryMs).unref();
    next.on("error", lost);
    next.on("end", () => lost(new Error("the connection that listens for notifications has ended")));
    next.on("notification", (notice) => listener.onNotification(notice.payload ?? ""));
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      return lost(error);
    }
    tries = 0;
    if (gap) listener.onResync();
    gap = false;
  }

  await connect();
  return async () => {
    closed = true;
    clearTimeout(timer);
    if (client) await end(client);
  };
}

/** Ends a connection that may be broken. Ignores errors and waits at most 1 second. */
const end = (client: pg.Client): Promise<void> =>
  Promise.race([
    client.end().catch(() => undefined),
    new Promise<void>((resolve) => void setTimeout(resolve, 1_000).unref()),
  ]);
