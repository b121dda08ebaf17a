import { sql } from "kysely";
import { type Reader, containing, countRows, orderOf } from "#platform/db/index.ts";
import { notFound } from "#platform/errors.ts";
import { rowsPerPage } from "#platform/list.rules.ts";
import { hasVerifiedFactor } from "../mfa/factors.views.ts";
import { type Role, type UserSort, fallbackRole, roles } from "../rules.ts";
import type { Person } from "./api.ts";

const lastSeen = sql`(select max(s.refreshed_at) from sessions s where s.user_id = profiles.user_id)`;

const selectPeople = (reader: Reader, now: Date) =>
  reader
    .selectFrom("profiles")
    .innerJoin("users", "users.id", "profiles.user_id")
    .select(["profiles.user_id as userId", "profiles.name", "profiles.email", "profiles.role"])
    .select([
      "profiles.created_at as createdAt",
      sql<boolean>`users.email_confirmed_at is not null`.as("emailVerified"),
      sql<boolean>`users.hosted_factor or ${hasVerifiedFactor}`.as("hasSecondFactor"),
      sql<boolean>`coalesce(users.banned_until > ${now}, false)`.as("suspended"),
      sql<string | null>`case when users.banned_until > ${now} then users.suspended_reason end`.as("suspendedReason"),
      sql<Date | null>`${lastSeen}`.as("lastSeenAt"),
    ])
    .where("users.deleted_at", "is", null);

const withRole = <Row extends { role: string }>(row: Row) => ({
  ...row,
  role: roles.find((role) => role === row.role) ?? fallbackRole,
});

type Filters = Readonly<{ search?: string | undefined; role?: Role | undefined; show?: "suspended" | undefined }>;

export const usersWhere = ({ search, role, show }: Filters) => sql<boolean>`users.deleted_at is null
  ${search ? sql`and without_accents(profiles.name || ' ' || profiles.email) like without_accents(${containing(search)}::text)` : sql``}
  ${role ? sql`and profiles.role = ${role}` : sql``}
  ${show === "suspended" ? sql`and users.banned_until > now()` : sql``}`;

const columns = {
  name: sql`lower(coalesce(nullif(profiles.name, ''), profiles.email))`,
  role: sql`profiles.role`,
  joined: sql`profiles.created_at`,
  seen: sql`coalesce(${lastSeen}, '-infinity')`,
};
const id = sql`profiles.user_id`;
const newestFirst = sql`profiles.created_at desc, ${id} desc`;

export async function listUsers(
  reader: Reader,
  query: Filters & Readonly<{ sort?: UserSort | undefined; page: number }>,
  now: Date,
): Promise<{ items: Person[]; total: number; capped: boolean }> {
  const where = usersWhere(query);
  const [rows, counted] = await Promise.all([
    selectPeople(reader, now)
      .where(where)
      .orderBy(orderOf(query.sort, columns, id, newestFirst))
      .limit(rowsPerPage)
      .offset((query.page - 1) * rowsPerPage)
      .execute(),
    countRows(reader, sql`select 1 from profiles join users on users.id = profiles.user_id where ${where}`),
  ]);
  return { items: rows.map(withRole), ...counted };
}

export async function requirePerson(reader: Reader, userId: string, now: Date): Promise<Person> {
  const row = await selectPeople(reader, now).where("profiles.user_id", "=", userId).executeTakeFirst();
  if (!row) throw notFound("There is no such user.");
  return withRole(row);
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
    .select(sql<number>`(count(*) over ())::int`.as("total"))
    .where("admin_requests.decided_at", "is", null)
    .where("users.deleted_at", "is", null)
    .orderBy("admin_requests.created_at")
    .limit(100)
    .execute();
  return { items: rows, total: rows[0]?.total ?? 0 };
}
