import { implement } from "@orpc/server";
import type { Tx } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { calendarFeedsApi, type FeedReply } from "./api.ts";
import { type FeedKind, feedKindsOf, feedPath } from "./rules.ts";
import { feedPurpose, makeMissingFeeds, type OwnFeed, renewFeed, turnOffFeed } from "./store.ts";
import { type FeedRow, listFeeds } from "./views.ts";

const on = implement(calendarFeedsApi).$context<Context>();

const toReply = ({ token_sealed: token, ...feed }: FeedRow, { keys, config }: Context["services"]): FeedReply => ({
  ...feed,
  url: token === null ? null : `${config.publicUrl}${feedPath(keys.decrypt(feedPurpose, token))}`,
});

/** Throws not_found (404) for a kind that the caller's role does not have. */
function change(context: Context, kind: FeedKind, work: (tx: Tx, feed: OwnFeed) => Promise<FeedRow>) {
  const { userId, role } = requireActor(context);
  if (!feedKindsOf(role).includes(kind)) throw new Problem("not_found", "Your account has no such calendar feed.");
  const feed = { userId, kind, now: context.services.clock.now() };
  return context.transaction(async (tx) => toReply(await work(tx, feed), context.services));
}

export const calendarFeedsRoutes = on.router({
  list: on.list.handler(async ({ context }) => {
    const { userId, role } = requireActor(context);
    const { keys, clock } = context.services;
    const kinds = feedKindsOf(role);
    let feeds = await listFeeds(context.db, userId);
    if (!kinds.every((kind) => feeds.some((feed) => feed.kind === kind))) {
      await context.transaction((tx) => makeMissingFeeds(tx, keys, { userId, kinds, now: clock.now() }));
      feeds = await listFeeds(context.db, userId);
    }
    const own = feeds.filter(({ kind }) => kinds.includes(kind));
    return { items: own.map((feed) => toReply(feed, context.services)) };
  }),
  renew: on.renew.handler(({ input, context }) =>
    change(context, input.kind, (tx, feed) => renewFeed(tx, context.services.keys, feed)),
  ),
  turnOff: on.turnOff.handler(({ input, context }) => change(context, input.kind, turnOffFeed)),
});
