import { type SelectQueryBuilder, sql } from "kysely";
import { z } from "zod";
import type { DB, Reader } from "#platform/db/index.ts";
import { notFound } from "#platform/errors.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import { hasVerifiedFactor } from "../mfa/factors.views.ts";
import { type Role, fallbackRole, roles } from "../rules.ts";
import type { Person } from "./api.ts";

const selectPeople = (reader: Reader, now: Date) =>
  reader
    .selectFrom("profiles")
    .innerJoin("users", "users.id", "profiles.user_id")
    .select([
      "profiles.user_id",
      "profiles.name",
      "profiles.email",
      "profiles.role",
      "profiles.created_at",
      "users.suspended_reason",
      sql<boolean>`users.email_confirmed_at is not null`.as("email_verified"),
      sql<boolean>`coalesce(users.banned_until > ${now}, false)`.as("suspended"),
      sql<string>`profiles.created_at::text`.as("exact_time"),
      "users.hosted_factor",
      hasVerifiedFactor.as("has_factor"),
    ])
    .where("users.deleted_at", "is", null);

type Row = ReturnType<typeof selectPeople> extends SelectQueryBuilder<DB, infer _Tables, infer Output> ? Output : never;

const toResponse = (row: Row): Person => ({
  userId: row.user_id,
  name: row.name,
  email: row.email,
  role: roles.find((role) => role === row.role) ?? fallbackRole,
  emailVerified: row.email_verified,
  hasSecondFactor: row.hosted_factor || Boolean(row.has_factor),
  suspended: row.suspended,
  suspendedReason: row.suspended ? row.suspended_reason : null,
  createdAt: row.created_at,
});

const place = z.tuple([cursorKeys.instant, cursorKeys.id]);
type Asked = { search: string; role?: Role | undefined; limit: number; cursor?: string | undefined };

export async function listPeople(
  reader: Reader,
  asked: Asked,
  now: Date,
): Promise<{ items: Person[]; nextCursor: string | null }> {
  const after = readCursor(asked.cursor, place);
  const words = asked.search.trim().toLowerCase();
  let query = selectPeople(reader, now);
  if (words)
    query = query.where(
      sql<string>`lower(profiles.name) || ' ' || lower(profiles.email)`,
      "like",
      `%${words.replaceAll(/[\\%_]/g, "\\$&")}%`,
    );
  if (asked.role) query = query.where("profiles.role", "=", asked.role);
  if (after)
    query = query.where(
      sql<boolean>`(profiles.created_at, profiles.user_id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
    );
  const rows = await query
    .orderBy("profiles.created_at", "desc")
    .orderBy("profiles.user_id", "desc")
    .limit(asked.limit + 1)
    .execute();
  const page = rows.slice(0, asked.limit);
  const last = page.at(-1);
  return {
    items: page.map(toResponse),
    nextCursor: rows.length > asked.limit && last ? cursorFor([last.exact_time, last.user_id]) : null,
  };
}

export async function requirePerson(reader: Reader, userId: string, now: Date): Promise<Person> {
  const row = await selectPeople(reader, now).where("profiles.user_id", "=", userId).executeTakeFirst();
  if (!row) throw notFound("There is no such person.");
  return toResponse(row);
}

export async function listAdminRequests(reader: Reader) {
  const rows = await reader
    .selectFrom("admin_requests")
    .innerJoin("profiles", "profiles.user_id", "admin_requests.user_id")
    .innerJoin("users", "users.id", "admin_requests.user_id")
    .select([
      "admin_requests.user_id as userId",
      "profiles.name",
      "profiles.email",
      "admin_requests.created_at as createdAt",
    ])
    .select(sql<boolean>`users.email_confirmed_at is not null`.as("emailVerified"))
    .where("admin_requests.decided_at", "is", null)
    .where("users.deleted_at", "is", null)
    .orderBy("admin_requests.created_at")
    .limit(100)
    .execute();
  return { items: rows };
}
