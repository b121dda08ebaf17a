/** What a person may read of their own account. */
import Bowser from "bowser";
import { sql } from "kysely";
import type { Reader } from "#platform/db/index.ts";
import type { Actor } from "#platform/http/context.ts";
import { describeNetwork } from "./network-description.ts";

/** The browser and the system in words; "Unknown device" when the caller said nothing that can be read. */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return "Unknown device";
  const { browser, os } = Bowser.parse(userAgent);
  if (!browser.name) return "Unknown device";
  return os.name ? `${browser.name} on ${os.name}` : browser.name;
}

/** The person's living sessions, last used first; `ip` is the address that asks. */
export async function listSessions(reader: Reader, actor: Actor, ip: string, now: Date) {
  const rows = await reader
    .selectFrom("sessions")
    .select(["id", "user_agent", "ip", "aal", "created_at", "refreshed_at"])
    .where("user_id", "=", actor.userId)
    .where("not_after", ">", now)
    .orderBy("refreshed_at", "desc")
    .limit(100)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    device: deviceName(row.user_agent),
    ip: row.ip,
    place: describeNetwork(row.ip, ip),
    current: row.id === actor.sessionId,
    assuranceLevel: row.aal === "aal2" ? ("aal2" as const) : ("aal1" as const),
    signedInAt: row.created_at,
    lastUsedAt: row.refreshed_at,
  }));
}

/** The person has an unfinished booking, as its promoter or as its artist. */
export async function hasOpenBookings(reader: Reader, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from bookings b left join artists a on a.id = b.artist_id
    where (b.promoter_user_id = ${userId} or a.user_id = ${userId}) and b.status not in ('completed', 'canceled') limit 1`.execute(
    reader,
  );
  return rows.length > 0;
}

/** Tables of the house's internalTables, which hold nobody's data. */
const internalTables = new Set([
  "signing_keys",
  "installation_keys",
  "rate_limits",
  "event_outbox",
  "seed_markers",
  "migrations",
  "operator_tokens",
]);
const secretColumn = /hash|secret|token|nonce|private_key|parent/;
/** What an admin decided about somebody else is not the admin's own data. */
const decidedFor = "decided_by";
/**
 * Of letters the envelope alone: their words carry links and codes that open accounts, payments and papers, and whoever holds a
 * session but not the mailbox must not read them here.
 */
const envelope = new Set([
  "id",
  "channel",
  "recipient",
  "template",
  "subject",
  "ref_id",
  "status",
  "sent_at",
  "created_at",
]);
const mostRows = 5_000;

const mayLeave = (table: string, column: string): boolean =>
  table === "messages" ? envelope.has(column) : !secretColumn.test(column);

type Column = { table_name: string; column_name: string; udt_name: string };

/** Every row that carries the person's id or proven address in any column, without secrets and without the words of letters. */
export async function exportPersonalData(
  reader: Reader,
  person: { userId: string; email: string; emailVerified: boolean },
) {
  const { rows: columns } = await sql<Column>`
    select c.table_name, c.column_name, c.udt_name from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
    where c.table_schema = 'public' and c.udt_name in ('uuid', 'text') order by c.table_name`.execute(reader);
  const tables: Record<string, Record<string, unknown>[]> = {};
  for (const [table, own] of Map.groupBy(columns, (column) => column.table_name)) {
    if (internalTables.has(table)) continue;
    const rows = await rowsOf(reader, table, own, person);
    if (rows.length) tables[table] = rows;
  }
  return tables;
}

async function rowsOf(
  reader: Reader,
  table: string,
  columns: readonly Column[],
  person: { userId: string; email: string; emailVerified: boolean },
) {
  const email = person.emailVerified ? person.email.toLowerCase() : "";
  const tests = columns.flatMap(({ column_name, udt_name }) => {
    if (column_name === decidedFor) return [];
    const column = sql.ref(column_name);
    if (udt_name === "uuid") return [sql<boolean>`${column} = ${person.userId}::uuid`];
    return [
      sql<boolean>`${column} = ${person.userId}::text`,
      ...(email ? [sql<boolean>`lower(${column}) = ${email}`] : []),
    ];
  });
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(t) as row from ${sql.table(table)} t where ${sql.join(tests, sql` or `)} limit ${mostRows}`.execute(
    reader,
  );
  return rows.map(({ row }) => Object.fromEntries(Object.entries(row).filter(([name]) => mayLeave(table, name))));
}
