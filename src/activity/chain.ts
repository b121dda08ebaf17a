/** The hash chain over the activity log. It shows changes by a database owner who disables the append-only triggers. */

import { hasRow, rowsOf, firstRowOf, type Database, type Reader } from "#platform/db/index.ts";

const entriesAtOnce = 500;

/** Links the entries since the last call, oldest first. Several processes may call it: one works at a time. */
export async function linkActivity(database: Database): Promise<void> {
  for (;;) {
    const linked = await database.transaction(async (tx) => {
      const row = await firstRowOf<{ linked: number }>(tx)`select link_activity(${entriesAtOnce}) as linked`;
      return row?.linked ?? 0;
    });
    if (linked < entriesAtOnce) return;
  }
}

/** An older entry without link shows that the job does not run, or that the entry was inserted with disabled triggers. */
const maxUnlinkedTime = "1 hour";

/** The newest link of the chain. Stored elsewhere, it shows later whether newer links were removed together with their entries. */
type ChainHead = Readonly<{ number: number; hash: string }>;

export const findChainHead = (reader: Reader): Promise<ChainHead | undefined> =>
  firstRowOf<ChainHead>(reader)`
    select number, encode(hash, 'hex') as hash from activity_chain order by number desc limit 1`;

/** Parses "NUMBER:HASH", the format in the server's log and the operator's check. Returns undefined for other texts. */
export function parseChainHead(text: string): ChainHead | undefined {
  const [, number, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return number && hash ? { number: Number(number), hash } : undefined;
}

/** Returns true if the chain still has this link. False if it was rewritten, or cut off before it. */
export const hasLink = (reader: Reader, { number, hash }: ChainHead): Promise<boolean> =>
  hasRow(reader)`
    select 1 from activity_chain where number = ${number} and hash = decode(${hash}, 'hex')`;

/** Returns the violations of the log, as "what: entry". The removal of the newest links shows only against a link stored elsewhere (`hasLink`). */
export async function findActivityViolations(reader: Reader): Promise<string[]> {
  const rows = await rowsOf<{ violation: string }>(reader)`
    with links as (
      select c.*, lag(c.hash, 1, ''::bytea) over in_order as previous, lag(c.number, 1, 0) over in_order as previous_number
      from activity_chain c window in_order as (order by c.number)
    )
    select case
        when a.id is null then 'an entry was removed: '
        when l.number <> l.previous_number + 1 then 'a link was removed before: '
        else 'an entry was changed: '
      end || l.activity_id as violation
    from links l left join activity a on a.position = l.position and a.id = l.activity_id
    where a.id is null or l.number <> l.previous_number + 1 or l.hash <> activity_hash(l.previous, a)
    union all
    select 'an entry is not linked: ' || a.id
    from activity a
    where not exists (select 1 from activity_chain c where c.position = a.position)
      and exists (select 1 from activity_chain c where c.position > a.position + 10000)
    union all
    select 'entries have not been linked for more than ' || ${maxUnlinkedTime} || ': ' || min(a.id::text)
    from activity a
    where a.position > coalesce((select max(c.position) from activity_chain c), 0)
      and a.created_at < now() - ${maxUnlinkedTime}::interval
      and exists (select 1 from activity_chain)
    having count(*) > 0`;
  return rows.map(({ violation }) => violation);
}
