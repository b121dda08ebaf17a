import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
} from "kysely";
import { errorMessage } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Clock } from "../time/clock.ts";
import { coalesce } from "../time/coalesce.ts";
import type { Database, Db } from "./handles.ts";
import { type DB, isOutage, openDatabase } from "./index.ts";

export const maxLagMs = 5_000;
const checkEveryMs = 1_000;
/** A replica that is silent for this long (ms) is not used until it answers. */
const patienceMs = 1_000;
const statementMs = 2_000;

type ReplicaState = Readonly<{
  isDown: boolean;
  /** The age of the oldest change that it lacks, in ms. 0 if it lacks none, null if unknown. */
  lagMs: number | null;
  version: string | null;
  lastFailure: Readonly<{ at: Date; message: string }> | null;
}>;

export type Replica = Readonly<{
  /** Reads from the replica, and from the primary if the replica fails. */
  db: Db;
  /** Returns true if the lag is small enough and all commits before `since` (of `performance.now()`) have arrived. */
  serves(since?: number): boolean;
  refresh(): void;
  state(): ReplicaState;
  check(): Promise<ReplicaState>;
  close(): Promise<void>;
}>;

type Parts = Readonly<{ primary: Database; log: Log; clock: Clock }>;

/** Follows a replica. Never throws: a replica that is unreachable at the start is used once it answers. */
export function followReplica(url: string, { primary, log, clock }: Parts): Replica {
  let opened: Database | undefined;
  let version: string | null = null;
  let lastFailure: ReplicaState["lastFailure"] = null;
  /** Positions of the primary that the replica has not reached, with the time they were read. */
  let ahead: { at: number; position: bigint }[] = [];
  let reachedAt = Number.NEGATIVE_INFINITY;
  let isDown = false;
  let closed = false;

  const failed = (error: unknown) => {
    lastFailure = { at: clock.now(), message: errorMessage(error) };
    if (!isDown) log.warn({ err: error }, "the database replica failed; public pages are read from the primary");
    isDown = true;
  };

  async function compare(): Promise<void> {
    const at = performance.now();
    const position = await positionOf(primary.db, "pg_current_wal_insert_lsn()").catch(() => undefined);
    // The lag is unknown without the primary, so the replica soon stops serving.
    if (position === undefined) return;
    ahead = [...ahead.filter((one) => at - one.at < 2 * maxLagMs), { at, position }];
    opened ??= await openDatabase({ url, statementMs });
    const { rows } = await opened.db.executeQuery<{ replays: boolean; version: string }>(
      CompiledQuery.raw("select pg_is_in_recovery() as replays, current_setting('server_version') as version"),
    );
    if (!rows[0]?.replays) throw new Error("The server of DATABASE_REPLICA_URL is not a replica: it accepts writes.");
    version = rows[0].version.split(" ")[0] ?? "";
    const replayed = await positionOf(opened.db, "pg_last_wal_replay_lsn()");
    reachedAt = ahead.findLast((one) => one.position <= replayed)?.at ?? reachedAt;
    ahead = ahead.filter((one) => one.position > replayed);
    if (isDown) log.warn("the database replica answers again");
    isDown = false;
  }

  let comparing: Promise<void> | undefined;
  const compareOnce = () => {
    if (comparing) return comparing;
    const impatience = setTimeout(() => failed(new Error("The replica does not respond.")), patienceMs);
    comparing = compare()
      .catch(failed)
      .finally(() => {
        clearTimeout(impatience);
        comparing = undefined;
      });
    return comparing;
  };
  const timer = setInterval(() => void compareOnce(), checkEveryMs).unref();
  const refresh = coalesce(() => void compareOnce(), 50);
  refresh();

  const state = (): ReplicaState => {
    const since = performance.now() - reachedAt;
    return { isDown, lagMs: !Number.isFinite(since) ? null : ahead.length === 0 ? 0 : since, version, lastFailure };
  };
  return {
    db: readerOf(async <R>(query: CompiledQuery) => {
      if (opened && !isDown) {
        try {
          return await opened.db.executeQuery<R>(query as CompiledQuery<R>);
        } catch (error) {
          if (isOutage(error)) failed(error);
        }
      }
      return primary.db.executeQuery<R>(query as CompiledQuery<R>);
    }),
    serves: (since = 0) => !closed && !isDown && reachedAt >= since && performance.now() - reachedAt <= maxLagMs,
    refresh,
    state,
    check: async () => {
      await comparing;
      await compareOnce();
      return state();
    },
    close: async () => {
      closed = true;
      clearInterval(timer);
      refresh.cancel();
      await comparing;
      await opened?.close();
    },
  };
}

async function positionOf(db: Db, call: string): Promise<bigint> {
  const { rows } = await db.executeQuery<{ position: string | null }>(
    CompiledQuery.raw(`select (${call} - '0/0'::pg_lsn)::text as position`),
  );
  return BigInt(rows[0]?.position ?? -1);
}

function readerOf(run: DatabaseConnection["executeQuery"]): Db {
  const connection: DatabaseConnection = {
    executeQuery: run,
    streamQuery: () => {
      throw new Error("public reads are not streamed");
    },
  };
  const refuse = () => Promise.reject(new Error("public reads have no transactions"));
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: async () => undefined,
        acquireConnection: async () => connection,
        beginTransaction: refuse,
        commitTransaction: refuse,
        rollbackTransaction: refuse,
        releaseConnection: async () => undefined,
        destroy: async () => undefined,
      }),
    },
  });
}
