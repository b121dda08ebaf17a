import { implement } from "@orpc/server";
import { recordActivity } from "#activity/index.ts";
import type { Reader, Tx } from "#platform/db/index.ts";
import { notFound, Problem } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { describeDay } from "#platform/time/calendar.rules.ts";
import { requireOwnArtist } from "../own-calendar/own-calendar.views.ts";
import { findPublicArtist } from "../views.ts";
import { listHolds } from "./admin-holds.views.ts";
import { challengeNight, extendHold, holdMissing, releaseRankedHold, reorderHolds } from "./change-hold.ts";
import { holdsApi } from "./holds.api.ts";
import { holdOf, holdsOfArtist, holdsOfPromoter, type HoldSide } from "./holds.views.ts";
import { enterHold, placeHold } from "./place-hold.ts";
import type { HoldArtist } from "./queue.ts";
import { activeNightsOf, findHold, findPromoterByEmail, requireHoldArtist } from "./queue.views.ts";

const on = implement(holdsApi).$context<Context>();

const placedPerHour = 30;

/** Limits placed holds, because each sends emails. Throws too_many (429). */
const countPlaced = ({ services }: Context, userId: string) =>
  services.limits.hit(`hold ${userId}`, placedPerHour, 3_600);

async function requireAnyHold(reader: Reader, id: string) {
  const hold = await findHold(reader, id);
  if (!hold) throw holdMissing();
  return {
    holdId: hold.id,
    promoterId: hold.promoter_user_id,
    artist: await requireHoldArtist(reader, hold.artist_id),
  };
}

type Command = (tx: Tx, hold: Readonly<{ holdId: string; artist: HoldArtist }>, now: Date) => Promise<void>;

/** Runs a command of one of the `sides` of a hold, and returns the hold as that side sees it. Throws not found (404) for every other user, as for a missing hold. */
function command(context: Context, { id, sides }: { id: string; sides: readonly HoldSide[] }, work: Command) {
  const { userId } = requireActor(context);
  const now = context.services.clock.now();
  return context.transaction(async (tx) => {
    const { holdId, promoterId, artist } = await requireAnyHold(tx, id);
    const users = { promoter: promoterId, artist: artist.user_id };
    const side = sides.find((one) => users[one] === userId);
    if (!side) throw holdMissing();
    await work(tx, { holdId, artist }, now);
    return present(tx, holdId, side, now);
  });
}

async function present(reader: Reader, id: string, side: HoldSide, now: Date) {
  const item = await holdOf(reader, id, side, now);
  if (!item) throw holdMissing();
  return item;
}

export const holdsRoutes = on.router({
  place: on.place.handler(async ({ input, context }) => {
    const { userId, emailVerified } = requireActor(context);
    if (!emailVerified) throw new Problem("forbidden", "Confirm your email address first.");
    await countPlaced(context, userId);
    const { artistId: slug, ...hold } = input;
    const artist = await findPublicArtist(context.db, slug);
    if (!artist) throw notFound("Artist not found");
    const now = context.services.clock.now();
    // The response is read after the commit, because other promoters wait for the lock of the artist's queues.
    const id = await context.transaction((tx) => placeHold(tx, { ...hold, artist, promoterUserId: userId }, now));
    return present(context.db, id, "promoter", now);
  }),
  mine: on.mine.handler(async ({ context }) => ({
    items: await holdsOfPromoter(context.db, requireActor(context).userId, context.services.clock.now()),
  })),
  ofArtist: on.ofArtist.handler(async ({ input, context }) => {
    const artist = await requireOwnArtist(context.db, requireActor(context).userId);
    return {
      items: await holdsOfArtist(context.db, { artistId: artist.id, night: input.night }, context.services.clock.now()),
    };
  }),
  placeByHand: on.placeByHand.handler(async ({ input, context }) => {
    const { userId } = requireActor(context);
    await countPlaced(context, userId);
    const now = context.services.clock.now();
    return context.transaction(async (tx) => {
      const { name, email, ...hold } = input;
      const artist = await requireOwnArtist(tx, userId);
      const promoterUserId = email ? await findPromoterByEmail(tx, email) : null;
      const owner = { promoterUserId, enteredName: name, enteredEmail: email ?? null };
      const id = await enterHold(tx, { ...hold, ...owner, artist }, now);
      return present(tx, id, "artist", now);
    });
  }),
  release: on.release.handler(({ input: { id, nights }, context }) =>
    command(context, { id, sides: ["promoter", "artist"] }, async (tx, hold, now) =>
      releaseRankedHold(tx, { ...hold, nights: nights ?? (await activeNightsOf(tx, hold.holdId)) }, now),
    ),
  ),
  ofAll: on.ofAll.handler(({ input, context }) => listHolds(context.db, input)),
  releaseByAdmin: on.releaseByAdmin.handler(({ input: { id, night, reason }, context }) =>
    context.transaction(async (tx) => {
      const { holdId, artist } = await requireAnyHold(tx, id);
      const now = context.services.clock.now();
      await releaseRankedHold(tx, { holdId, artist, nights: [night], reason, byAdmin: true }, now);
      const message = `An admin released a hold of ${describeDay(night)}: ${reason}`;
      await recordActivity(tx, { type: "booking", message, actorId: requireActor(context).userId });
      return { id, released: true as const };
    }),
  ),
  challenge: on.challenge.handler(({ input: { id, night }, context }) =>
    command(context, { id, sides: ["promoter"] }, (tx, { artist, holdId }, now) =>
      challengeNight(tx, { artist, night }, holdId, now),
    ),
  ),
  extend: on.extend.handler(({ input: { id, until }, context }) =>
    command(context, { id, sides: ["artist"] }, async (tx, hold, now) =>
      extendHold(tx, { ...hold, nights: await activeNightsOf(tx, hold.holdId), until }, now),
    ),
  ),
  reorder: on.reorder.handler(({ input, context }) => {
    const { userId } = requireActor(context);
    return context.transaction(async (tx) => {
      const artist = await requireOwnArtist(tx, userId);
      const { night, reason } = input;
      const now = context.services.clock.now();
      await reorderHolds(tx, { artist, night }, input, now);
      const message = `The artist changed the order of the holds of ${describeDay(night)}: ${reason}`;
      await recordActivity(tx, { type: "booking", message, actorId: userId });
      return { items: await holdsOfArtist(tx, { artistId: artist.id, night }, now) };
    });
  }),
});
