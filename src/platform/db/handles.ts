import type { Dialect, Kysely, Transaction } from "kysely";
import type { DB } from "./schema.ts";

declare const inTransaction: unique symbol;

/** The outer handle, for reads. Throws if awaited inside a transaction (the embedded engine would wait forever). */
export type Db = Kysely<DB>;
export type Tx = Transaction<DB> & { readonly [inTransaction]: true };
export type Reader = Kysely<DB> | Tx;

export type ChannelListener = {
  onNotification(payload: string): void;
  /** The connection is restored. Notifications sent during the interruption are lost. */
  onResync(): void;
  onError(error: unknown): void;
};

/** Returns an object with some members replaced. The others run on the original, which may have private fields. */
export const overriding = <T extends object>(original: T, members: Partial<T>): T =>
  new Proxy(original, {
    get(target, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name) as unknown;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

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
  onAnnounced(listener: (topics: ReadonlySet<string>) => void): void;
  /** Calls the listener after each successful statement, with its duration in ms and its text without values. */
  onStatement(listener: (statement: { ms: number; text: string }) => void): void;
  /** Calls the listener after each failed statement, connection or transaction. */
  onFailure(listener: (error: unknown) => void): void;
  /** Returns false if a write failed because nothing could be stored, and a trial write still fails. Costs nothing otherwise. */
  canWrite(): Promise<boolean>;
  exec(script: string): Promise<void>;
  listen(channel: string, listener: ChannelListener): Promise<() => Promise<void>>;
  close(): Promise<void>;
};
