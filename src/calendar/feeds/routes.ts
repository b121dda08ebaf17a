import { implement } from "@orpc/server";
import type { Tx } from "#platform/db/index.ts";
import { Problem } from "#platform/errors.ts";
import { isRecentCaller } from "#platform/http/access.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { calendarFeedsApi, type FeedReply } from "./api.ts";
import { type FeedKind, feedKindsOf, feedPath, hideFeedToken } from "./rules.ts";
import { feedPurpose, makeMissingFeeds, type OwnFeed, renewFeed, turnOffFeed } from "./store.ts";
import { type FeedRow, listFeeds } from "./views.ts";

const on = implement(calendarFeedsApi).$context<Context>();

function toReply(
  { token_sealed, ...feed }: FeedRow,
  { keys, config }: Context["services"],
  hidesToken = false,
): FeedReply {
  const token = token_sealed && keys.decrypt(feedPurpose, token_sealed);
  return { ...feed, url: token && `${config.publicUrl}${feedPath(hidesToken ? hideFeedToken(token) : token)}` };
}

const noSuchFeed = () => new Problem("not_found", "Your account has no such calendar feed.");

/** Returns the feeds of the caller's role. Makes those that are missing. */
async function ownFeeds(context: Context): Promise<FeedRow[]> {
  const { userId, role } = requireActor(context);
  const { keys, clock } = context.services;
  const kinds = feedKindsOf(role);
  let feeds = await listFeeds(context.db, userId);
  if (!kinds.every((kind) => feeds.some((feed) => feed.kind === kind))) {
    await context.transaction((tx) => makeMissingFeeds(tx, keys, { userId, kinds, now: clock.now() }));
    feeds = await listFeeds(context.db, userId);
  }
  return feeds.filter(({ kind }) => kinds.includes(kind));
}

/** Throws not_found (404) for a kind that the caller's role does not have. */
function change(context: Context, kind: FeedKind, work: (tx: Tx, feed: OwnFeed) => Promise<FeedRow>) {
  const { userId, role } = requireActor(context);
  if (!feedKindsOf(role).includes(kind)) throw noSuchFeed();
  const feed = { userId, kind, now: context.services.clock.now() };
  return context.transaction(async (tx) => toReply(await work(tx, feed), context.services));
}

export const calendarFeedsRoutes = on.router({
  list: on.list.handler(async ({ context }) => {
    const { services } = context;
    const hides = (feed: FeedRow) => feed.kind === "private" && !isRecentCaller(context);
    return { items: (await ownFeeds(context)).map((feed) => toReply(feed, services, hides(feed))) };
  }),
  read: on.read.handler(async ({ input, context }) => {
    const feed = (await ownFeeds(context)).find(({ kind }) => kind === input.kind);
    if (!feed) throw noSuchFeed();
    return toReply(feed, context.services);
  }),
  renew: on.renew.handler(({ input, context }) =>
    change(context, input.kind, (tx, feed) => renewFeed(tx, context.services.keys, feed)),
  ),
  turnOff: on.turnOff.handler(({ input, context }) => change(context, input.kind, turnOffFeed)),
});
