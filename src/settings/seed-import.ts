import { chunks, json, type Tx } from "#platform/db/index.ts";
import type { ArtistSettings } from "./rules.ts";

export async function insertSeedArtistSettings(tx: Tx, artistIds: readonly string[], values: Partial<ArtistSettings>) {
  const rows = artistIds.map((id) => ({ scope: "artist" as const, owner_id: id, value: json(values), version: 0 }));
  for (const part of chunks(rows)) await tx.insertInto("settings").values(part).execute();
}
