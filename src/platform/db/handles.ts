import type { Dialect, Kysely, Transaction } from "kysely";
import type { DB } from "./schema.ts";

declare const inTransaction: unique symbol;

/** The outer handle, for reads. Awaiting it inside a transaction throws at once (on the embedded engine it would wait for ever). */
export type Db = Kysely<DB>;
/** The handle of a running transaction. It cannot be had in any other way. */
export type Tx = Transaction<DB> & { readonly [inTransaction]: true };
export type Reader = Kysely<DB> | Tx;

export type ChannelListener = {
  onNotification(payload: string): void;
  /** The connection is back after an interruption; notifications sent in between are lost. */
  onResync(): void;
  /** The connection was lost; called once for each interruption. */
  onError(error: unknown): void;
};

/** What an engine brings: a dialect, a way to run a script of several statements, and an end. */
export type Engine = {
  name: "embedded" | "postgres";
  dialect: Dialect;
  exec(script: string): Promise<void>;
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

export type Database = {
  readonly db: Db;
  readonly engine: Engine["name"];
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Calls the listener after each commit of this process that has announced something, with the topics. */
  onAnnounced(listener: (topics: ReadonlySet<string>) => void): void;
  /** Calls the listener after each statement that succeeded, with its duration and its text without values. */
  onStatement(listener: (statement: { ms: number; text: string }) => void): void;
  /** False when a write failed because nothing could be stored, and a trial fails still. Costs nothing while all is well. */
  canWrite(): Promise<boolean>;
  /** Runs a script outside any transaction: migrations, dumps. */
  exec(script: string): Promise<void>;
  /** Listens to a channel's notifications from any process until the returned function is called. */
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>;
  close(): Promise<void>;
};
