import { createHash, randomBytes } from "node:crypto";
import type { Updateable } from "kysely";
import type { DB, Tx } from "#platform/db/index.ts";
import type { Keys } from "#platform/security/keys.ts";
import type { FeedKind } from "./rules.ts";
import { feedColumns, type FeedRow } from "./views.ts";

export const feedPurpose = "calendar feed";
export const feedTokenHash = (token: string): Buffer => createHash("sha256").update(token).digest();

function newToken(keys: Keys) {
  const token = randomBytes(24).toString("base64url");
  return { token_hash: feedTokenHash(token), token_sealed: keys.encrypt(feedPurpose, token) };
}

export async function makeMissingFeeds(
  tx: Tx,
  keys: Keys,
  { userId, kinds, now }: { userId: string; kinds: readonly FeedKind[]; now: Date },
): Promise<void> {
  const rows = kinds.map((kind) => ({ user_id: userId, kind, created_at: now, ...newToken(keys) }));
  await tx
    .insertInto("calendar_feeds")
    .values(rows)
    .onConflict((on) => on.doNothing())
    .execute();
}

export type OwnFeed = Readonly<{ userId: string; kind: FeedKind; now: Date }>;

/** Gives a feed a new address and switches it on. The former address stops working immediately. */
export const renewFeed = (tx: Tx, keys: Keys, feed: OwnFeed) =>
  writeFeed(tx, feed, { ...newToken(keys), created_at: feed.now });

export const turnOffFeed = (tx: Tx, feed: OwnFeed) => writeFeed(tx, feed, { token_hash: null, token_sealed: null });

function writeFeed(tx: Tx, { userId, kind, now }: OwnFeed, values: Updateable<DB["calendar_feeds"]>): Promise<FeedRow> {
  const changes = { ...values, last_fetched_at: null, last_client: null };
  return tx
    .insertInto("calendar_feeds")
    .values({ user_id: userId, kind, created_at: now, ...changes })
    .onConflict((on) => on.columns(["user_id", "kind"]).doUpdateSet(changes))
    .returning(feedColumns)
    .executeTakeFirstOrThrow();
}

export async function recordFetch(tx: Tx, fetched: { tokenHash: Buffer; client: string; at: Date }): Promise<void> {
  await tx
    .updateTable("calendar_feeds")
    .set({ last_fetched_at: fetched.at, last_client: fetched.client })
    .where("token_hash", "=", fetched.tokenHash)
    .execute();
}

export async function reencryptFeeds(tx: Tx, keys: Keys): Promise<void> {
  const feeds = await tx
    .selectFrom("calendar_feeds")
    .select(["token_hash", "token_sealed"])
    .where("token_hash", "is not", null)
    .forUpdate()
    .execute();
  for (const { token_hash, token_sealed } of feeds)
    await tx
      .updateTable("calendar_feeds")
      .set({ token_sealed: keys.encrypt(feedPurpose, keys.decrypt(feedPurpose, token_sealed ?? "")) })
      .where("token_hash", "=", token_hash)
      .execute();
}
