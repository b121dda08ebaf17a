import { implement } from "@orpc/server";
import type { Tx } from "#platform/db/index.ts";
import { notFound } from "#platform/errors.ts";
import { type Context, requireActor } from "#platform/http/context.ts";
import { broadcastChange } from "#realtime/index.ts";
import { calendarApi } from "./api.ts";
import { blockNights } from "./holds/blocked-nights.ts";
import { nightsOf } from "./night.views.ts";
import { type OwnArtist, ownCalendar, requireOwnArtist } from "./own-calendar/own-calendar.views.ts";
import { openNights } from "./own-calendar/own-nights.ts";
import { removeBlockedTime } from "./store.ts";
import { findPublicArtist } from "./views.ts";

const on = implement(calendarApi).$context<Context>();

function change<T>(context: Context, work: (tx: Tx, artist: OwnArtist, now: Date) => Promise<T>): Promise<T> {
  const { userId } = requireActor(context);
  return context.transaction(async (tx) => {
    const result = await work(tx, await requireOwnArtist(tx, userId), context.services.clock.now());
    await broadcastChange(tx, "bookings", { userIds: [userId], admins: true });
    return result;
  });
}

export const calendarRoutes = on.router({
  own: on.own.handler(async ({ input, context }) => {
    const artist = await requireOwnArtist(context.db, requireActor(context).userId);
    return ownCalendar(context.db, artist, input, context.services.clock.now());
  }),
  block: on.block.handler(({ input, context }) =>
    change(context, (tx, artist, now) => blockNights(tx, artist, input, now)),
  ),
  unblock: on.unblock.handler(({ input, context }) =>
    change(context, async (tx, artist) => {
      if (!(await removeBlockedTime(tx, artist.id, input.id))) throw notFound("This blocked time does not exist.");
      return { id: input.id };
    }),
  ),
  openNights: on.openNights.handler(({ input, context }) =>
    change(context, async (tx, artist, now) => {
      const { userId } = requireActor(context);
      await openNights(tx, artist, input, { by: userId, now });
      await broadcastChange(tx, "settings", { userIds: [userId] });
      return input;
    }),
  ),
  availability: on.availability.handler(async ({ input, context }) => {
    const artist = await findPublicArtist(context.db, input.slug);
    if (!artist) throw notFound("Artist not found");
    return { items: await nightsOf(context.db, artist.id, input, context.services.clock.now()) };
  }),
});
