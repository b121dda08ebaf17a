import { createHash, randomBytes } from "node:crypto";
import type { Tx } from "#platform/db/index.ts";
import type { Keys } from "#platform/security/keys.ts";
import type { FeedKind } from "./rules.ts";

export const feedPurpose = "calendar feed";
export const feedTokenHash = (token: string): Buffer => createHash("sha256").update(token).digest();

function newToken(keys: Keys) {
  const token = randomBytes(24).toString("base64url");
  return { token_hash: feedTokenHash(token), token_sealed: keys.encrypt(feedPurpose, token) };
}

/** Creates the user's missing feeds. One that was switched off stays off. */
export async function makeMissingFeeds(
  tx: Tx,
  keys: Keys,
  person: { userId: string; kinds: readonly FeedKind[]; now: Date },
): Promise<void> {
  for (const kind of person.kinds)
    await tx
      .insertInto("calendar_feeds")
      .values({ user_id: person.userId, kind, created_at: person.now, ...newToken(keys) })
      .onConflict((on) => on.doNothing())
      .execute();
}

/** Gives a feed a new address and switches it on. The former address stops working immediately. */
export async function renewFeed(tx: Tx, keys: Keys, feed: { userId: string; kind: FeedKind; now: Date }) {
  const fresh = { ...newToken(keys), last_fetched_at: null, last_client: null };
  await tx
    .insertInto("calendar_feeds")
    .values({ user_id: feed.userId, kind: feed.kind, created_at: feed.now, ...fresh })
    .onConflict((on) => on.columns(["user_id", "kind"]).doUpdateSet({ ...fresh, created_at: feed.now }))
    .execute();
}

export async function turnOffFeed(tx: Tx, feed: { userId: string; kind: FeedKind; now: Date }): Promise<void> {
  const off = { token_hash: null, token_sealed: null, last_fetched_at: null, last_client: null };
  await tx
    .insertInto("calendar_feeds")
    .values({ user_id: feed.userId, kind: feed.kind, created_at: feed.now, ...off })
    .onConflict((on) => on.columns(["user_id", "kind"]).doUpdateSet(off))
    .execute();
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
