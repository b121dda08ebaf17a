/** Prepared and pipelined statements: a repeated text is planned once per connection, unread results cost no round trip. */

import { type PostgresPool, type PostgresPoolClient, type RawBuilder, sql } from "kysely";
import { LRUCache } from "lru-cache";
import type pg from "pg";
import { nameStatement, sqlState } from "./errors.ts";

/** How many texts are stored. The least recently used one is dropped first. The product has about two hundred. */
const maxTexts = 500;
/** A connection with this many statements is closed when it returns to the pool, which frees them. */
const maxPerConnection = 600;
const maxTextLength = 20_000;
const usesBeforeName = 2;

/** Starts a statement whose best plan depends on its values: it is planned each time. */
export const planEachTime = "/* plan each time */";

const sentWithNextMark = "/* sent with the next */";

/** Marks a statement whose result is not read: it is sent with the next one, at the latest with the commit, in order. */
export const sentWithNext: RawBuilder<unknown> = sql.raw(sentWithNextMark);

type Text = { uses: number; name: string | undefined };

class StatementNames {
  readonly #texts = new LRUCache<string, Text>({ max: maxTexts });
  #last = 0;

  /** Returns the name of a text that is worth preparing. A name is never reused for another text. */
  nameOf(text: string): string | undefined {
    if (
      text.length > maxTextLength ||
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

  /** Gives every text a new name: what connections have prepared no longer fits the tables. */
  forget(): void {
    this.#texts.clear();
  }
}

export function preparedPool(pool: pg.Pool): PostgresPool {
  const names = new StatementNames();
  // Kysely recognises a connection by its client: each client has one permanent wrapper.
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
  /** `begin` waits too: a transaction saves one round trip, an empty one needs none. */
  let waiting: Statement[] = [];

  async function runQuery({ text, values }: Statement) {
    const wanted = names.nameOf(text);
    const name =
      wanted !== undefined && (prepared.has(wanted) || prepared.size < maxPerConnection) ? wanted : undefined;
    if (name === undefined) return client.query(text, [...values]);
    prepared.add(name);
    try {
      return await client.query({ name, text, values: [...values] });
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      names.forget();
      if (inTransaction) throw error;
      return client.query(text, [...values]);
    }
  }

  /** Sends statements in one round trip. Returns the last result, or throws the first failure, which ends the transaction. */
  async function sendTogether(statements: readonly Statement[]) {
    const answers = statements.map((statement) => {
      const result = runQuery(statement);
      // The query builder names the statement that it sent itself as the failed one.
      return result.catch((error: unknown) => {
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
    if (waiting.length === 0) return runQuery(statement);
    const before = waiting;
    waiting = [];
    const [first] = before;
    const notBegun = first !== undefined && transactionStart.test(first.text);
    if (isControl && (before.length === 1 || !/^commit/i.test(text)) && notBegun)
      return { command: text.toUpperCase(), rowCount: null, rows: [] };
    if (/^rollback\b/i.test(text)) return runQuery(statement);
    // Only reads are sent before `begin` is confirmed: if it fails, nothing is written outside a transaction.
    const begunFirst = notBegun && ![...before.slice(1), statement].every((one) => isRead(one.text));
    if (begunFirst) await runQuery(first);
    return sendTogether([...(begunFirst ? before.slice(1) : before), statement]);
  }

  return {
    ...("processID" in client ? { processID: Number(client.processID) } : {}),
    // Kysely's type includes cursors, which need a setting that is not made here.
    query: query as unknown as PostgresPoolClient["query"],
    release: (destroy) => {
      [waiting, inTransaction] = [[], false];
      client.release(destroy === true || prepared.size >= maxPerConnection);
    },
  };
}

const transactionStart = /^(begin|start transaction)\b/i;
const isRead = (text: string) => /^\s*(select|commit)\b/i.test(text);
const transactionControl = /^(begin|start transaction|commit|rollback)\b/i;

export const isOutdatedPlan = (error: unknown): boolean =>
  sqlState(error) === "0A000" && error instanceof Error && error.message.includes("cached plan");
