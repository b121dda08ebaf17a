/** Reading the log, newest first. */
import { sql } from "kysely";
import { z } from "zod";
import type { Reader } from "#platform/db/index.ts";
import { cursorFor, cursorKeys, readCursor } from "#platform/http/cursor.ts";
import type { ActivityType } from "./rules.ts";

export type ActivityRow = {
  id: string;
  type: string;
  ref_id: string | null;
  message: string;
  meta: unknown;
  actor_id: string | null;
  created_at: Date;
};

export type ActivityQuery = {
  type?: ActivityType;
  refId?: string;
  search?: string;
  cursor?: string;
  limit: number;
};

const cursorShape = z.tuple([cursorKeys.instant, cursorKeys.id]);

/** One page of the log. `search` looks into message and reference id, whatever the case of letters. */
export async function listActivity(
  reader: Reader,
  query: ActivityQuery,
): Promise<{ items: ActivityRow[]; nextCursor: string | null }> {
  const after = readCursor(query.cursor, cursorShape);
  let rows = reader
    .selectFrom("activity")
    .select(["id", "type", "ref_id", "message", "meta", "actor_id", "created_at"])
    .select(sql<string>`created_at::text`.as("exactly"))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(query.limit + 1);
  if (query.type) rows = rows.where("type", "=", query.type);
  if (query.refId) rows = rows.where("ref_id", "=", query.refId);
  if (query.search) {
    const part = `%${query.search.replaceAll(/[\\%_]/g, "\\$&")}%`;
    rows = rows.where((or) => or.or([or("message", "ilike", part), or("ref_id", "ilike", part)]));
  }
  if (after) rows = rows.where(sql<boolean>`(created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`);
  const found = await rows.execute();
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    items: page.map(({ exactly: _exactly, ...row }) => row),
    nextCursor: found.length > query.limit && last ? cursorFor([last.exactly, last.id]) : null,
  };
}
