import { type Updateable, sql } from "kysely";
import { hasRow, updateById, type DB, json, type Reader, sqlState, type Tx } from "#platform/db/index.ts";
import type { PlatformServices } from "#platform/services/index.ts";
import { AuthError } from "./auth-errors.ts";
import { type Role, fallbackRole, profileName } from "./rules.ts";

/** Runs a transaction, and once more if a concurrent one inserted the same row: the second run finds it. */
export async function retryOnDuplicate<T>({ database }: PlatformServices, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await database.transaction(work);
  } catch (error) {
    if (sqlState(error) !== "23505") throw error;
    return database.transaction(work);
  }
}

export type NewAccount = {
  id?: string;
  email: string;
  name: string;
  role: Role;
  passwordHash: string | null;
  metadata?: Record<string, unknown>;
  phone?: string | null;
  confirmed: boolean;
  /** Undefined: the database's now. */
  createdAt?: Date | undefined;
};

/** Throws if the address is taken: check first, under the lock of lockUserByEmail. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<string> {
  const at = account.createdAt ?? sql<Date>`now()`;
  const { id } = await tx
    .insertInto("users")
    .values({
      ...(account.id ? { id: account.id } : {}),
      email: account.email,
      phone: account.phone ?? null,
      phone_confirmed_at: account.phone && account.confirmed ? at : null,
      password_hash: account.passwordHash,
      email_confirmed_at: account.confirmed ? at : null,
      user_metadata: json(account.metadata ?? {}),
      created_at: at,
      updated_at: at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("profiles")
    .values({
      user_id: id,
      email: account.email,
      name: profileName({ name: account.name }, account.email),
      role: account.role,
      created_at: at,
    })
    .execute();
  return id;
}

const wholeUser = [
  "id",
  "email",
  "phone",
  "password_hash",
  "email_confirmed_at",
  "phone_confirmed_at",
  "new_email",
  "new_phone",
  "banned_until",
  "user_metadata",
  "email_change_old_ok",
  "email_change_new_ok",
  "password_changed_at",
  "last_sign_in_at",
  "created_at",
  "updated_at",
] as const;

/** The column of a user's address in lower case, which an index has. */
export const lowerEmail = sql<string>`lower(users.email)`;

const lockUsers = (tx: Tx) => tx.selectFrom("users").select(wholeUser).where("deleted_at", "is", null).forUpdate();

/** `email` is in lower case. */
export const lockUserByEmail = (tx: Tx, email: string) =>
  lockUsers(tx).where(lowerEmail, "=", email).executeTakeFirst();

export const lockUser = (tx: Tx, id: string) => lockUsers(tx).where("id", "=", id).executeTakeFirst();

/** Locks the account. Throws `user_not_found` if it was deleted. */
export async function requireUser(tx: Tx, id: string): Promise<UserRow> {
  const user = await lockUser(tx, id);
  if (!user) throw new AuthError("user_not_found");
  return user;
}

/** Returns true if another account has this address, which is in lower case, or this number. */
export const isTaken = (reader: Reader, userId: string, column: "email" | "phone", value: string) =>
  hasRow(reader)`
    select 1 from users
    where ${column === "email" ? lowerEmail : sql.ref(column)} = ${value} and id <> ${userId} and deleted_at is null`;

export type UserRow = NonNullable<Awaited<ReturnType<typeof lockUser>>>;

export const isSuspended = ({ banned_until: until }: Pick<UserRow, "banned_until">, now: Date): boolean =>
  until !== null && until > now;

export const changeUser = (tx: Tx, id: string, now: Date, change: Updateable<DB["users"]>) =>
  updateById(tx, "users", id, { ...change, updated_at: now });

/** Records the address that an account had before a change, if it was verified. Returns it as it was. */
export async function recordFormerEmail(
  tx: Tx,
  id: string,
  before: Pick<UserRow, "email" | "email_confirmed_at"> | undefined,
): Promise<string | undefined> {
  if (!before?.email || !before.email_confirmed_at) return undefined;
  const email = before.email.toLowerCase();
  const former_emails = sql<string[]>`array_append(array_remove(former_emails, ${email}), ${email})`;
  await updateById(tx, "users", id, { former_emails });
  return before.email;
}

/** Stores the password of a second sign-up with a known address. It is distinguished from a wrong one, and gives no access. */
export const recordIdleSignUp = (tx: Tx, userId: string, passwordHash: string) =>
  updateById(tx, "users", userId, { idle_sign_up_hash: passwordHash });

export const changeProfile = (tx: Tx, userId: string, change: Updateable<DB["profiles"]>) =>
  tx.updateTable("profiles").set(change).where("user_id", "=", userId).execute();

export async function insertMissingProfile(
  tx: Tx,
  { userId, email, name, now }: { userId: string; email: string; name: string; now: Date },
): Promise<{ role: string; name: string }> {
  await tx
    .insertInto("profiles")
    .values({ user_id: userId, email, name, role: fallbackRole, created_at: now })
    .onConflict((on) => on.doNothing())
    .execute();
  return tx.selectFrom("profiles").select(["role", "name"]).where("user_id", "=", userId).executeTakeFirstOrThrow();
}

const expiringTables = [
  "ended_sessions",
  "one_time_tokens",
  "factor_challenges",
  "passkey_challenges",
  "account_changes",
] as const;

export async function deleteExpiredRows(tx: Tx, now: Date): Promise<void> {
  for (const table of expiringTables) await tx.deleteFrom(table).where("expires_at", "<", now).execute();
}
