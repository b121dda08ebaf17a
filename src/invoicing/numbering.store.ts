import { sql } from "kysely";
import { type Tx, updateById } from "#platform/db/index.ts";
import { documentNumber } from "./rules.ts";

type Numbered = Readonly<{ sellerId: string; sequence: number; number: string }>;

/** Locks the counters of sellers (null: the platform) in one order, to prevent deadlocks. Returns a function that assigns a seller's next number, and throws for sellers that are not locked. */
export async function lockNumbering(
  tx: Tx,
  artistIds: readonly (string | null)[],
): Promise<(artistId: string | null) => Numbered> {
  const wanted = [...new Set(artistIds)].sort((one, other) => ((one ?? "") < (other ?? "") ? -1 : 1));
  // Only the missing rows, because each attempt to insert one uses up an ordinal, which is in the prefix.
  await sql`
    insert into document_sellers (artist_id)
    select w.id from unnest(${wanted}::uuid[]) with ordinality w(id, place)
    where not exists (select 1 from document_sellers s where s.artist_id is not distinct from w.id)
    order by w.place on conflict do nothing`.execute(tx);
  const ids = wanted.filter((id) => id !== null);
  const rows = await tx
    .selectFrom("document_sellers")
    .select(["id", "artist_id", "prefix", "last_number"])
    .where((eb) =>
      eb.or([
        ...(wanted.includes(null) ? [eb("artist_id", "is", null)] : []),
        ...(ids.length > 0 ? [eb("artist_id", "in", ids)] : []),
      ]),
    )
    .orderBy("id")
    .forUpdate()
    .execute();
  const sellers = new Map(rows.map((row) => [row.artist_id, row]));
  const last = new Map(rows.map((row) => [row.artist_id, row.last_number]));
  return (artistId) => {
    const seller = sellers.get(artistId);
    if (!seller) throw new Error("the counter of a seller is not locked");
    const sequence = (last.get(artistId) ?? 0) + 1;
    last.set(artistId, sequence);
    return { sellerId: seller.id, sequence, number: documentNumber(seller.prefix, sequence) };
  };
}

export async function storeLastNumbers(tx: Tx, documents: readonly Numbered[]): Promise<void> {
  const last = new Map(documents.map((one) => [one.sellerId, one.sequence]));
  for (const [sellerId, sequence] of last)
    await updateById(tx, "document_sellers", sellerId, { last_number: sequence });
}
