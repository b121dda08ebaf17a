/**
 * Prepared statements, and statements that travel together. A text that is asked again gets a name, and PostgreSQL parses and plans
 * it once for each connection instead of at each question. Which texts have names is known to the whole pool, what is prepared only
 * to one connection. Statements whose result nobody reads wait for the next one and are sent with it, in the driver's pipeline: they cost no
 * round trip of their own.
 */
import { type PostgresPool, type PostgresPoolClient, type RawBuilder, sql } from "kysely";
import { LRUCache } from "lru-cache";
import type pg from "pg";
import { nameStatement, sqlState } from "./errors.ts";

/** Texts that are remembered, the least recently used one goes first. The product has about two hundred. */
const mostTexts = 500;
/** A connection that holds this many statements is closed when it comes back to the pool: that is what frees them. */
const mostPerConnection = 600;
/** Longer texts are long lists of values: none of them comes a second time. */
const longestText = 20_000;
/** A text is worth preparing when it comes a second time. */
const usesBeforeName = 2;

/** Stands at the start of a statement whose best plan depends on its values: it is planned each time. */
export const planEachTime = "/* plan each time */";

const sentWithNextMark = "/* sent with the next */";

/** Marks a statement whose result nobody reads: it is sent with the next one, at the latest with the commit, in order. */
export const sentWithNext: RawBuilder<unknown> = sql.raw(sentWithNextMark);

type Text = { uses: number; name: string | undefined };

class StatementNames {
  readonly #texts = new LRUCache<string, Text>({ max: mostTexts });
  #last = 0;

  /** The name of a text that is worth preparing. A name belongs to one text for ever. */
  nameOf(text: string): string | undefined {
    if (
      text.length > longestText ||
      text.startsWith(planEachTime) ||
      !/^\s*(select|insert|update|delete|with)\b/i.test(text)
    )
      return undefined;
    const known = this.#texts.get(text) ?? { uses: 0, name: undefined };
    known.uses++;
    if (known.uses >= usesBeforeName) known.name ??= `s${++this.#last}`;
    if (known.uses === 1) this.#texts.set(text, known);
    return known.name;
  }

  /** Gives every text another name the next time: what connections have prepared no longer fits the tables. */
  forget(): void {
    this.#texts.clear();
  }
}

export function preparedPool(pool: pg.Pool): PostgresPool {
  const names = new StatementNames();
  // Kysely recognises a connection by its client: each one gets one wrapper for its life.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      const known = clients.get(client);
      if (known) return known;
      const wrapped = preparedClient(client, names);
      clients.set(client, wrapped);
      return wrapped;
    },
  };
}

type Statement = Readonly<{ text: string; values: readonly unknown[] }>;

function preparedClient(client: pg.PoolClient, names: StatementNames): PostgresPoolClient {
  const prepared = new Set<string>();
  let inTransaction = false;
  /** `begin` waits, too: a transaction costs one round trip less, an empty one none at all. */
  let waiting: Statement[] = [];

  async function ask({ text, values }: Statement) {
    const wanted = names.nameOf(text);
    const name =
      wanted !== undefined && (prepared.has(wanted) || prepared.size < mostPerConnection) ? wanted : undefined;
    if (name === undefined) return client.query(text, [...values]);
    prepared.add(name);
    try {
      return await client.query({ name, text, values: [...values] });
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      names.forget();
      // A transaction has failed as a whole, and is tried again as a whole (platform/db/index.ts).
      if (inTransaction) throw error;
      return client.query(text, [...values]);
    }
  }

  /** Sends statements without waiting in between and returns the result of the last one; throws the first failure, which ends the transaction. */
  async function sendTogether(statements: readonly Statement[]) {
    const answers = statements.map((statement) => {
      const answer = ask(statement);
      // The query builder names the failed statement after the one that it has sent itself.
      return answer.catch((error: unknown) => {
        nameStatement(error, statement.text);
        throw error;
      });
    });
    const results = await Promise.all(answers);
    return results.at(-1);
  }

  async function query(text: string, values: readonly unknown[]) {
    const statement = { text, values };
    const isControl = values.length === 0 && transactionControl.test(text);
    if (isControl && transactionStart.test(text)) {
      [waiting, inTransaction] = [[statement], true];
      return { command: "BEGIN", rowCount: null, rows: [] };
    }
    if (inTransaction && text.endsWith(sentWithNextMark)) {
      waiting.push(statement);
      return { command: "WAITING", rowCount: null, rows: [] };
    }
    if (waiting.length === 0) return ask(statement);
    const before = waiting;
    waiting = [];
    const [first] = before;
    const notBegun = first !== undefined && transactionStart.test(first.text);
    if (isControl && (before.length === 1 || !/^commit/i.test(text)) && notBegun)
      return { command: text.toUpperCase(), rowCount: null, rows: [] };
    if (/^rollback\b/i.test(text)) return ask(statement);
    // Only reads go along before `begin` has answered: should it fail, nothing is written outside a transaction.
    const begunFirst = notBegun && ![...before.slice(1), statement].every((one) => isRead(one.text));
    if (begunFirst) await ask(first);
    return sendTogether([...(begunFirst ? before.slice(1) : before), statement]);
  }

  return {
    ...("processID" in client ? { processID: Number(client.processID) } : {}),
    // Kysely's type knows cursors too, which need a setting of its own that we do not make.
    query: query as unknown as PostgresPoolClient["query"],
    release: (destroy) => {
      [waiting, inTransaction] = [[], false];
      client.release(destroy === true || prepared.size >= mostPerConnection);
    },
  };
}

const transactionStart = /^(begin|start transaction)\b/i;
const isRead = (text: string) => /^\s*(select|commit)\b/i.test(text);
const transactionControl = /^(begin|start transaction|commit|rollback)\b/i;

export const isOutdatedPlan = (error: unknown): boolean =>
  sqlState(error) === "0A000" && error instanceof Error && error.message.includes("cached plan");
