import { implement } from "@orpc/server";
import { Problem } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { calendarFeedsApi, type FeedReply } from "./api.ts";
import { type FeedKind, feedKindsOf, feedPath } from "./rules.ts";
import { feedPurpose, makeMissingFeeds, renewFeed, turnOffFeed } from "./store.ts";
import { type FeedRow, listFeeds } from "./views.ts";

const on = implement(calendarFeedsApi).$context<Context>();

const toReply = ({ token_sealed: token, ...feed }: FeedRow, { keys, config }: Context["services"]): FeedReply => ({
  ...feed,
  url: token === null ? null : `${config.publicUrl}${feedPath(keys.decrypt(feedPurpose, token))}`,
});

/** Returns the caller's feed of a kind. Throws not_found (404) for a kind that the caller's role does not have. */
function feedOf(context: Context, kind: FeedKind) {
  const { userId, role } = requireActor(context);
  if (!feedKindsOf(role).includes(kind)) throw new Problem("not_found", "Your account has no such calendar feed.");
  return { userId, kind, now: context.services.clock.now() };
}

async function replyOf(context: Context, kind: FeedKind): Promise<FeedReply> {
  const feeds = await listFeeds(context.db, requireActor(context).userId);
  const feed = feeds.find((one) => one.kind === kind);
  if (!feed) throw new Error(`the calendar feed ${kind} was just written, and is missing`);
  return toReply(feed, context.services);
}

export const calendarFeedsRoutes = on.router({
  list: on.list.handler(async ({ context }) => {
    const { userId, role } = requireActor(context);
    const { services } = context;
    const kinds = feedKindsOf(role);
    const known = await listFeeds(context.db, userId);
    const isComplete = kinds.every((kind) => known.some((feed) => feed.kind === kind));
    if (!isComplete)
      await context.transaction((tx) =>
        makeMissingFeeds(tx, services.keys, { userId, kinds, now: services.clock.now() }),
      );
    const feeds = isComplete ? known : await listFeeds(context.db, userId);
    const items = feeds.filter(({ kind }) => kinds.includes(kind)).map((feed) => toReply(feed, services));
    return { items };
  }),
  renew: on.renew.handler(async ({ input, context }) => {
    const feed = feedOf(context, input.kind);
    await context.transaction((tx) => renewFeed(tx, context.services.keys, feed));
    return replyOf(context, input.kind);
  }),
  turnOff: on.turnOff.handler(async ({ input, context }) => {
    const feed = feedOf(context, input.kind);
    await context.transaction((tx) => turnOffFeed(tx, feed));
    return replyOf(context, input.kind);
  }),
});
