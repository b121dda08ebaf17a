import { type RawBuilder, sql } from "kysely";
import { type Reader, containing, countRows, firstRowOf, onPage } from "#platform/db/index.ts";
import type { LogEntry, LogFilters } from "./api.ts";
import type { LogSort } from "./rules.ts";

const bookingOfReference = sql`
  select jsonb_build_object('id', b.id, 'number', b.number) from bookings b where b.id = coalesce(
    (select own.id from bookings own where own.id = ref.id),
    (select c.booking_id from contracts c where c.id = ref.id),
    (select p.booking_id from payments p where p.id = ref.id))`;

/** The displayed message of an entry of `activity l`. Entries are never changed: the operator CLI's old name is replaced here, and a recipient is added while their message is stored. */
export const shownMessage = sql<string>`
  case
    when l.type = 'notification' then l.message || coalesce((select ' to ' || m.recipient from messages m where m.id = l.id), '')
    when l.actor_id is null then regexp_replace(l.message, '^The console ', 'The operator CLI ')
    else l.message
  end`;

const columns = sql`
  l.id, l.type, l.ref_id, ${shownMessage} as message, l.meta, l.created_at,
  (select jsonb_build_object('id', p.user_id, 'name', coalesce(nullif(p.name, ''), p.email)) from profiles p where p.user_id = l.actor_id) as actor,
  (select (${bookingOfReference}) from (
    select case when l.ref_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then l.ref_id::uuid end as id) ref) as booking`;

const recipient = /^(\S+@\S+|\+\d+)$/;
const bookingNumber = /^(?:SD-)?([2-9A-HJKMNP-Z]{6})$/i;

/** Returns the list's filters as a condition on `activity l`. A booking's number finds the entries about it, its contract and its payments, an address or number the messages to it. */
export function logMatches({ search, type, from, to }: LogFilters): RawBuilder<boolean> {
  const conditions = [sql<boolean>`true`];
  if (type) conditions.push(sql<boolean>`l.type = ${type}`);
  if (from) conditions.push(sql<boolean>`l.created_at >= ${from}::timestamptz`);
  if (to) conditions.push(sql<boolean>`l.created_at < ${to}::timestamptz`);
  if (search) {
    const number = bookingNumber.exec(search)?.[1]?.toUpperCase();
    const text = sql<boolean>`without_accents(l.message || chr(10) || coalesce(l.ref_id, '')) like without_accents(${containing(search)}::text)`;
    const also = number
      ? sql`l.ref_id = any (array(${referencesOf(`SD-${number}`)}))`
      : recipient.test(search)
        ? sql`l.id = any (array(select m.id from messages m where lower(m.recipient) = lower(${search})))`
        : null;
    conditions.push(also ? sql<boolean>`(${text} or ${also})` : text);
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

const referencesOf = (number: string) => sql`
  select b.id::text from bookings b where b.number = ${number}
  union all select c.id::text from contracts c join bookings b on b.id = c.booking_id where b.number = ${number}
  union all select p.id::text from payments p join bookings b on b.id = p.booking_id where b.number = ${number}`;

const newestFirst = sql`l.created_at desc, l.id desc`;
const oldestFirst = sql`l.created_at, l.id`;
/** Each order reads an index in one of its directions (migrations 0007, 0120). */
const orders: Readonly<Record<LogSort, RawBuilder<unknown>>> = {
  time: oldestFirst,
  "-time": newestFirst,
  type: sql`l.type, ${newestFirst}`,
  "-type": sql`l.type desc, ${oldestFirst}`,
};

/** `search` matches message and reference, case-insensitively. */
export async function listLog(reader: Reader, query: LogFilters & { sort?: LogSort | undefined; page: number }) {
  const order = query.sort ? orders[query.sort] : newestFirst;
  const found = sql`from activity l where ${logMatches(query)}`;
  const [items, counted] = await Promise.all([
    sql<LogEntry>`
      select ${columns} from activity l
      where l.id in (select l.id ${found} order by ${order} ${onPage(query.page)})
      order by ${order}`.execute(reader),
    countRows(reader, sql`select 1 ${found}`),
  ]);
  return { items: items.rows, ...counted };
}

/** Returns the time of the newest entry, and by how many ms it is after the installation's present time. Undefined for an empty log. */
export const findNewestEntry = (reader: Reader) =>
  firstRowOf<{ at: Date; ahead: number }>(reader)`
    select created_at as at, (extract(epoch from created_at - installation_now()) * 1000)::float8 as ahead
    from activity order by created_at desc, id desc limit 1`;
