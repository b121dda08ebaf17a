/** Access to PostgreSQL, embedded or served: a Db reads, a Tx writes, and only a transaction provides a Tx. */

import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import { type Dialect, type Driver, Kysely, type RawBuilder, sql, type Selectable, type UpdateObject } from "kysely";
import { maxCounted, readSort, rowsPerPage, type Sort } from "../list.rules.ts";
import { jitteredBackoffMs } from "../time/retry.ts";
import { nameStatement, sqlState, cannotStore } from "./errors.ts";
import { type ChannelListener, type Database, type Engine, overriding, type Tx, type Reader } from "./handles.ts";
import { isOutdatedPlan } from "./prepared.ts";
import type { DB } from "./schema.ts";
import { trialWrite } from "./trial-write.store.ts";

export type { DB } from "./schema.ts";
export { violatedConstraint, isOutage, sqlState } from "./errors.ts";
export { migrate, migrationsFolder, newestMigration, pendingMigrations, refuseNewerDatabase } from "./migrate.ts";
export { planEachTime, sentWithNext } from "./prepared.ts";
export { logSlowStatements, runNamed, runTraced, tracer, traceStatements } from "./tracing.ts";

export type { Database, Db, Reader, Tx } from "./handles.ts";

/** A server (`url`), a folder, or memory, optionally from an image. With `directUrl`, `url` is a pooler without sessions. */
type DatabaseLocation = {
  url?: string | undefined;
  directUrl?: string | undefined;
  dataDir?: string | undefined;
  poolSize?: number;
  prepare?: boolean;
  statementMs?: number;
  image?: Blob;
};

/** Opens the database. Throws if another process uses the folder or the server does not answer. Loads only the chosen engine. */
export async function openDatabase(place: DatabaseLocation): Promise<Database> {
  if (place.url) {
    const { postgresEngine } = await import("./postgres.ts");
    return databaseOf(
      await postgresEngine(place.url, {
        poolSize: place.poolSize ?? 20,
        prepare: place.prepare ?? true,
        directUrl: place.directUrl,
        ...(place.statementMs ? { statementMs: place.statementMs } : {}),
      }),
    );
  }
  const { embeddedEngine } = await import("./embedded.ts");
  return databaseOf(await embeddedEngine(place.dataDir, place.image));
}

const announced = new WeakMap<Tx, Set<string>>();

/** Notifies the jobs of this process that wait for the topic (platform/jobs/jobs.ts, `wokenBy`), at the commit. */
export function announce(tx: Tx, topic: string): void {
  const topics = announced.get(tx);
  if (topics) topics.add(topic);
  else announced.set(tx, new Set([topic]));
}

const insideTransaction = new AsyncLocalStorage<true>();
const maxTries = 4;
const conflictBackoff = { firstSeconds: 0.01, maxSeconds: 0.04 };
/** Serialization failure and deadlock: PostgreSQL recommends a retry. */
const retryable = new Set(["40001", "40P01"]);
const mayTryAgain = (error: unknown) => retryable.has(sqlState(error) ?? "") || isOutdatedPlan(error);

function databaseOf(engine: Engine): Database {
  let refusedWrite = false;
  const watchers: Parameters<Database["onStatement"]>[0][] = [];
  const failureListeners: Parameters<Database["onFailure"]>[0][] = [];
  const report = (error: unknown) => failureListeners.forEach((listen) => listen(error));
  const db = new Kysely<DB>({
    dialect: guarded(engine.dialect, report),
    log: (event) => {
      if (event.level === "query") {
        for (const watch of watchers) watch({ ms: event.queryDurationMillis, text: event.query.sql });
        return;
      }
      refusedWrite ||= cannotStore(event.error);
      nameStatement(event.error, event.query.sql);
      report(event.error);
    },
  });
  const listeners: ((topics: ReadonlySet<string>) => void)[] = [];
  const once = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    let topics: ReadonlySet<string> | undefined;
    const result = await db.transaction().execute(async (trx) => {
      const tx = trx as Tx;
      const done = await insideTransaction.run(true, () => work(tx));
      topics = announced.get(tx);
      return done;
    });
    if (topics) for (const listen of listeners) listen(topics);
    return result;
  };
  return {
    db,
    engine: engine.name,
    exec: engine.exec,
    canWrite: async () => {
      if (refusedWrite) refusedWrite = !(await trialWrite(db));
      return !refusedWrite;
    },
    listen: (channel, listener) => {
      const outside = outsideOf(listener);
      const onError = (error: unknown) => {
        report(error);
        outside.onError(error);
      };
      return engine.listen(channel, { ...outside, onError });
    },
    close: async () => {
      await db.destroy();
      await engine.close();
    },
    onAnnounced: (listener) => void listeners.push(listener),
    onStatement: (listener) => void watchers.push(listener),
    onFailure: (listener) => void failureListeners.push(listener),
    transaction: async (work) => {
      if (insideTransaction.getStore())
        throw new Error("a transaction was opened inside a transaction: hand the tx down instead");
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(work);
        } catch (error) {
          // A commit may include writes (`sentWithNext`), and the query builder does not log its failure.
          refusedWrite ||= cannotStore(error);
          report(error);
          if (attempt === maxTries || !mayTryAgain(error)) throw error;
          await setTimeout(jitteredBackoffMs(attempt, conflictBackoff));
        }
      }
    },
  };
}

/** Runs a listener outside the transaction that notified it: the embedded engine notifies inside that transaction. */
function outsideOf(listener: ChannelListener): ChannelListener {
  const outside = AsyncLocalStorage.snapshot();
  return {
    onNotification: (payload) => outside(() => listener.onNotification(payload)),
    onResync: () => outside(() => listener.onResync()),
    onError: (error) => outside(() => listener.onError(error)),
  };
}

function guarded(dialect: Dialect, report: (error: unknown) => void): Dialect {
  return overriding(dialect, {
    createDriver: () => {
      const driver = dialect.createDriver();
      return overriding(driver, { acquireConnection: () => acquireOutside(driver, report) });
    },
  });
}

async function acquireOutside(driver: Driver, report: (error: unknown) => void) {
  if (insideTransaction.getStore())
    throw new Error("the outer database handle was used inside a transaction: use the tx");
  try {
    return await driver.acquireConnection();
  } catch (error) {
    report(error);
    throw error;
  }
}

/** Runs SQL and returns its rows: rowsOf<Row>(reader)`select …`. */
export const rowsOf =
  <Row>(reader: Reader) =>
  async (...statement: Parameters<typeof sql>): Promise<Row[]> =>
    (await sql<Row>(...statement).execute(reader)).rows;

export const firstRowOf =
  <Row>(reader: Reader) =>
  async (...statement: Parameters<typeof sql>): Promise<Row | undefined> =>
    (await rowsOf<Row>(reader)(...statement))[0];

/** Returns true if the SQL finds a row: hasRow(reader)`select 1 …`. */
export const hasRow =
  (reader: Reader) =>
  async (...statement: Parameters<typeof sql>): Promise<boolean> =>
    (await rowsOf(reader)(...statement)).length > 0;

export const hasTable = (reader: Reader, name: string) =>
  hasRow(reader)`select 1 where to_regclass(${name}) is not null`;

export const json = <T>(value: T): RawBuilder<T> => sql<T>`${JSON.stringify(value)}::jsonb`;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns true if the text has the form of an id. Other text is never sent to the database as an id. */
export const isUuid = (text: string): boolean => uuid.test(text);

type TableWithId = { [Table in keyof DB]: Selectable<DB[Table]> extends { id: string } ? Table : never }[keyof DB];

export async function updateById<Table extends TableWithId>(
  tx: Tx,
  table: Table,
  id: string,
  values: UpdateObject<DB, Table>,
): Promise<void> {
  await tx
    .updateTable<TableWithId>(table)
    .set(values as never)
    .where("id", "=", id as never)
    .execute();
}

/** Splits a long list, because a PostgreSQL statement takes at most 65,535 values. */
export function* chunks<T>(rows: readonly T[], size = 200): Generator<T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

export const onPage = (page: number): RawBuilder<unknown> =>
  sql`limit ${rowsPerPage}::int offset ${(page - 1) * rowsPerPage}::int`;

/** Counts the rows of a query (`select … from … where …`), up to the last page. */
export async function countRows(reader: Reader, question: RawBuilder<unknown>) {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (${question} limit ${maxCounted + 1}::int) counted`.execute(reader);
  const total = rows[0]?.total ?? 0;
  return { total: Math.min(total, maxCounted), capped: total > maxCounted };
}

export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Returns the order of a list: the chosen column, then `id`, both in its direction. `otherwise` applies if none is chosen. */
export function orderOf<Column extends string>(
  sort: Sort<Column> | undefined,
  columns: Readonly<Record<Column, RawBuilder<unknown>>>,
  id: RawBuilder<unknown>,
  otherwise: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!sort) return otherwise;
  const { column, down } = readSort(sort);
  const direction = sql.raw(down ? "desc" : "asc");
  return sql`${columns[column]} ${direction}, ${id} ${direction}`;
}

type Moments = Readonly<{ name: string; moments: RawBuilder<unknown>; after: Date }>;

/** Returns by name the earliest time in column `at` after `after`, in one query. Microseconds are rounded up to milliseconds. */
export async function earliestMoments(reader: Reader, asked: readonly Moments[]): Promise<Map<string, Date>> {
  const each = asked.map(
    ({ name, moments, after }) => sql`
      select ${name}::text as name, date_trunc('milliseconds', min(at) + interval '999 microseconds') as at
      from (${moments}) moments where at > ${after}::timestamptz`,
  );
  const { rows } = await sql<{ name: string; at: Date | null }>`${sql.join(each, sql` union all `)}`.execute(reader);
  return new Map(rows.flatMap(({ name, at }) => (at ? [[name, at] as const] : [])));
}
